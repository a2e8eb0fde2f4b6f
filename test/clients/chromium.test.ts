import { checkLibrary, LIBRARY_URLS } from './library.ts'
import { matrix } from './matrix.ts'

matrix('Browser', {
  name: 'Chromium',
  needs: ['chromium', 'certutil'],
  host: 'api.ng.test',
  async call(box) {
    await box.trustInBrowsers()
    return box.node('browser.ts', ...LIBRARY_URLS, 'wss://ws.ng.test/echo')
  },
  answered(t, call) {
    checkLibrary(t, call.stdout)
    t.match(JSON.parse(call.stdout), { said: 'hello', protocol: 'h2' }, 'by HTTP/2, and a socket')
  },
  refusal: /tool_not_granted/,
})
