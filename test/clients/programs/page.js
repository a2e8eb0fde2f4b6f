/** Run in a page by `browser.ts`. */
globalThis.inPage = async (digestUrl, eventsUrl, socketUrl) => {
  const upload = await fetch(digestUrl, { method: 'POST', body: 'x'.repeat(3_000_000) })
  const digest = await upload.json()
  const times = []
  const events = new EventSource(eventsUrl)
  await new Promise((resolve) => {
    events.addEventListener('message', () => times.push(performance.now()))
    events.addEventListener('error', resolve)
  })
  events.close()
  const socket = new WebSocket(socketUrl)
  const said = await new Promise((resolve, reject) => {
    socket.addEventListener('open', () => socket.send('hello'))
    socket.addEventListener('message', ({ data }) => resolve(data))
    socket.addEventListener('error', () => reject(new Error('the socket failed')))
  })
  const [{ nextHopProtocol }] = performance.getEntriesByType('navigation')
  return { digest, times, said, protocol: nextHopProtocol }
}
