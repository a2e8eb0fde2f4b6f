/**
 * Hosts to which programs report or ask for updates by themselves: nobody asked for these calls, and refusing them
 * harms nothing. Exact names, since an agent could own whatever else ends in the same way.
 */
const SELF_TALK: ReadonlySet<string> = new Set([
  'packages.httpie.io',
  'update.googleapis.com',
  'optimizationguide-pa.googleapis.com',
  'safebrowsing.googleapis.com',
  'edgedl.me.gvt1.com',
  'redirector.gvt1.com',
  'checkpoint-api.hashicorp.com',
  'telemetry.nextjs.org',
])

/** Whether a refused call to this host is a program's own talk, which whoever reads the ledger may leave out. */
export function isNoise(host: string): boolean {
  return SELF_TALK.has(host)
}
