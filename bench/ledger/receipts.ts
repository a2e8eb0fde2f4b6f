import type { LedgerRecord } from '../../adapters/ledger/port.ts'

/** One exchange as the gateway records it. */
export interface Exchange {
  readonly tool: string
  /** All stages together, in whole microseconds. */
  readonly micros: number
  readonly intent: LedgerRecord
  readonly outcome: LedgerRecord
}

const TOOLS = ['LIST', 'GET', 'FIND', 'CREATE', 'CLOSE'].flatMap((verb) =>
  ['ISSUE', 'LEAD', 'MAIL', 'FILE'].map((noun) => `${verb}_${noun}`),
)
const START = Date.UTC(2026, 10, 1)

/** The exchange of a number: the same at each call, and of each number another. */
export function exchangeAt(n: number): Exchange {
  const drawn = mixed(n)
  const tool = TOOLS[drawn % TOOLS.length] ?? 'GET_ISSUE'
  const [policy, upstream] = [10 + (drawn % 90), 800 + (mixed(drawn) % 60_000)]
  const opened = START + n * 20
  const url = `https://api.example.com:443/items/${n}`
  return {
    tool,
    micros: policy + upstream,
    intent: {
      id: `x_${n.toString(36).padStart(16, '0')}`,
      opened: new Date(opened).toISOString(),
      origin: 'gateway',
      door: 'proxy',
      peer: '127.0.0.1',
      task: `T-${n % 50}/${n % 7}`,
      grant: `g_${n % 200}`,
      link: 'mFZ0cRXjQy6TBf3ZkEw1Wg',
      envelope: { target: url, op: 'call', args: { number: n, host: 'api.example.com' } },
      tool,
      upstream: { method: 'GET', url },
      policy: '9f86d081884c7d65',
    },
    outcome: {
      outcome: 'allowed',
      ran: true,
      status: 200,
      address: '203.0.113.7:443',
      request: { bytes: 0, sha256: NOTHING },
      response: { bytes: 1024 + (drawn % 512), sha256: SOME, media_type: 'application/json' },
      delivered: { bytes: 96, sha256: SOME },
      projected: '1024->96',
      timing: { policy: policy / 1000, upstream: upstream / 1000 },
      closed: new Date(opened + 15).toISOString(),
    },
  }
}

const NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const SOME = '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae'

/** A number below 2³¹ that looks like chance (the finalizer of MurmurHash3, public domain). */
function mixed(n: number): number {
  let hash = Math.imul(n ^ (n >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 1
}
