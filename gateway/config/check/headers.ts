import { showGot } from '../got.ts'
import type { Report } from '../report.ts'
import type { HeaderNames } from '../types.ts'

// Fields that clients, upstreams or connections use for something else.
const TAKEN: ReadonlySet<string> = new Set(
  `accept accept-encoding api-key authorization cache-control connection content-encoding content-length
  content-type cookie date etag expect host keep-alive location proxy-authenticate proxy-authorization
  retry-after set-cookie te trailer transfer-encoding upgrade user-agent vary via www-authenticate
  x-api-key`.split(/\s+/),
)

/** Reports names of our own header fields that would overwrite each other or a field of HTTP itself. */
export function checkHeaders(headers: HeaderNames | undefined, report: Report): void {
  const owners = new Map<string, string>()
  for (const [key, name] of Object.entries(headers ?? {})) {
    const owner = owners.get(name)
    if (owner !== undefined) {
      const got = `${showGot(name)}, as for \`${owner}\``
      report.add(`headers.${key}`, got, 'choose a name of its own')
    } else if (TAKEN.has(name)) {
      report.add(`headers.${key}`, showGot(name), 'choose a name that HTTP does not use itself')
    }
    owners.set(name, key)
  }
}
