import { startHttpProxy } from './http-proxy.ts'

startHttpProxy(undefined, 'as it comes: forwards, a new upstream connection for each request')
