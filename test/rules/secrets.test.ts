import t from 'tap'
import { PRODUCT, textOf, typescriptIn } from './tree.ts'

/** Where a secret may leave its wrapper, and why it has to. */
const MAY_REVEAL: Readonly<Record<string, string>> = {
  'adapters/exports/sinks/otlp.ts': 'sends the collector its authorization',
  'adapters/exports/sinks/webhook.ts':
    'signs what is sent, and sends the collector its authorization',
  'adapters/keys/port.ts': 'declares it',
  'adapters/keys/secret.ts': 'defines it',
  'adapters/ledger/checkpoint/note.ts': 'makes the key that signs the heads of the log',
  'adapters/mcp/stdio.ts': 'gives a program its environment',
  'adapters/objects/s3/client.ts': 'signs what is asked of S3',
  'adapters/persons/embedded.ts': 'seals the keys that persons store',
  'adapters/persons/seal.ts': 'makes the key that seals them',
  'adapters/upstream/port.ts': 'declares it for a client certificate’s key',
  'adapters/upstream/trust.ts': 'gives TLS the key of a client certificate',
  'gateway/access-tokens.ts': 'sends the client’s secret to the token endpoint that its key names',
  'gateway/buckets.ts': 'gives the objects’ database its address',
  'gateway/config/secrets.ts': 'judges length and spelling when the configuration is loaded',
  'gateway/config/resolve.ts': 'writes the credentials for an upstream’s proxy',
  'gateway/keyring.ts': 'gives the redactor what it has to find in answers',
  'gateway/mcp-servers/fetch.ts': 'puts the key into the requests of a session with a server',
  'gateway/mcp-servers/servers.ts': 'sees whether a program was given another value',
  'gateway/cursors.ts': 'makes the HMAC keys of cursors',
  'gateway/ledger.ts': 'gives the ledger’s database its address',
  'gateway/main.ts': 'gives the grants’ database its address',
  'gateway/offline.ts':
    'makes the HMAC key for minting, and the owner’s credential for a local call',
  'gateway/owner/console/sessions.ts':
    'makes the HMAC key of the console’s sessions from the owner’s key',
  'gateway/owner/key-check.ts': 'compares the owner’s key with what was sent, as digests',
  'gateway/ring.ts': 'makes the HMAC keys of tokens',
  'gateway/persons/session.ts': 'makes the HMAC key of sessions from the owner’s key',
  'gateway/stages/keys.ts': 'puts the key into the call that the permit names',
  'gateway/state/open.ts': 'refuses short keys and shipped examples at the start',
}

const REVEALS = /\breveal\s*(\(|\b)/

await t.test('a secret is revealed in the files of the list alone', async (t) => {
  const files = typescriptIn(PRODUCT)
  t.ok(files.length > 150, 'the sources were read')
  t.same(
    files.filter((path) => REVEALS.test(code(path))).toSorted(),
    Object.keys(MAY_REVEAL).toSorted(),
  )
})

await t.test('what is sent without a permit is sent from two places', async (t) => {
  t.same(
    typescriptIn(PRODUCT).filter((path) => /\bsendOwn\b/.test(code(path))),
    [
      'adapters/upstream/http.ts',
      'adapters/upstream/port.ts',
      'gateway/access-tokens.ts',
      'gateway/mcp-servers/fetch.ts',
    ],
  )
})

/** A source without its comments, which may speak of it. */
function code(path: string): string {
  return textOf(path).replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}
