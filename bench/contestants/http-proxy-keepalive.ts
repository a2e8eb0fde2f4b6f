import { Agent } from 'node:http'
import { startHttpProxy } from './http-proxy.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 100 })
startHttpProxy(agent, 'with a keep-alive agent: forwards, nothing else')
