/**
 * A client that knows nothing but the proxy variables, for machines without curl. It runs as a program of its
 * own, in plain JavaScript, so that what it proves holds for a Node program outside of this project.
 *
 *     node client.mjs [-i] [-X METHOD] [-H 'name: value'] URL
 */
export const CLIENT_SCRIPT = `import { request } from 'node:http'
import { connect } from 'node:tls'

const options = { method: 'GET', headers: {}, head: false, url: '' }
const args = process.argv.slice(2)
while (args.length > 0) {
  const arg = args.shift()
  if (arg === '-i') options.head = true
  else if (arg === '-X') options.method = args.shift()
  else if (arg === '-H') {
    const [name, ...value] = args.shift().split(':')
    options.headers[name] = value.join(':').trim()
  } else if (!arg.startsWith('-')) options.url = arg
}

const fail = (error) => {
  console.error(error.message)
  process.exit(1)
}
const proxy = new URL(process.env.HTTPS_PROXY)
const target = new URL(options.url)
const authority = target.hostname + ':' + (target.port || 443)
const credentials = Buffer.from(proxy.username + ':' + proxy.password).toString('base64')

request({
  host: proxy.hostname.replace(/^\\[|\\]$/g, ''),
  port: proxy.port,
  method: 'CONNECT',
  path: authority,
  headers: { host: authority, 'proxy-authorization': 'Basic ' + credentials },
})
  .on('error', fail)
  .on('connect', (answer, socket) => {
    if (answer.statusCode !== 200) fail(new Error('CONNECT was answered ' + answer.statusCode))
    const tls = connect({ socket, servername: target.hostname }).on('error', fail)
    request({
      createConnection: () => tls,
      method: options.method,
      path: target.pathname + target.search,
      headers: { host: target.host, ...options.headers },
    })
      .on('error', fail)
      .on('response', (reply) => {
        if (options.head) {
          console.log('HTTP/1.1 ' + reply.statusCode)
          for (const [name, value] of Object.entries(reply.headers)) console.log(name + ': ' + value)
          console.log()
        }
        reply.pipe(process.stdout)
        reply.on('end', () => tls.end())
      })
      .end()
  })
  .end()
`
