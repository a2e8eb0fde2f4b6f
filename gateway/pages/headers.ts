/** Fields of a page that loads from these sources alone, sends forms nowhere else, is shown in no frame, and is kept nowhere. */
export function pageHeaders(sources: readonly string[]) {
  return {
    'content-security-policy': [
      "default-src 'none'",
      ...sources,
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  } as const
}

/** What a browser is told with every page of the console: it runs and shows what comes from this very origin in files of their own. */
export const PAGE_HEADERS = pageHeaders([
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
])
