let text = ''
let until = 0

/** Now as an HTTP date (RFC 9110, 5.6.7), made anew once a second. */
export function httpDate(): string {
  const now = Date.now()
  if (now >= until) {
    text = new Date(now).toUTCString()
    until = now - (now % 1000) + 1000
  }
  return text
}
