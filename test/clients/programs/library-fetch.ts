/** Node's own fetch, told of the proxy by undici. */
import { EnvHttpProxyAgent, setGlobalDispatcher } from 'undici'

setGlobalDispatcher(new EnvHttpProxyAgent())
await import('./library-fetch-alone.ts')
