/** Node's own fetch, told of the proxy by undici: `fetch.ts <url>` prints the body. */
import { EnvHttpProxyAgent, setGlobalDispatcher } from 'undici'

setGlobalDispatcher(new EnvHttpProxyAgent())
const response = await fetch(process.argv[2] ?? '')
process.stdout.write(await response.text())
if (!response.ok) process.exitCode = 1
