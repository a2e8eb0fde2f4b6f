/** An echo, a large body, a stream and a socket, by a page in Chromium; prints what it saw. */
import { readFileSync } from 'node:fs'
import { chromium } from 'playwright-core'

const [echoUrl = '', digestUrl = '', eventsUrl = '', socketUrl = ''] = process.argv.slice(2)
const { host, username, password } = new URL(process.env['HTTPS_PROXY'] ?? '')
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  proxy: { server: `http://${host}`, username, password },
})
try {
  const page = await browser.newPage()
  const response = await page.goto(echoUrl)
  const text = (await response?.text()) ?? ''
  if (response?.ok() !== true) throw new Error(text)
  const script = readFileSync(new URL('page.js', import.meta.url), 'utf8').trim()
  const urls = JSON.stringify([digestUrl, eventsUrl, socketUrl])
  const done = await page.evaluate<object>(`${script}\ninPage(...${urls})`)
  const { authorization } = JSON.parse(text).headers as Record<string, string>
  process.stdout.write(JSON.stringify({ authorization, ...done }))
} finally {
  await browser.close()
}
