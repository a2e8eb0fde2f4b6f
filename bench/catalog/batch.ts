import assert from 'node:assert/strict'
import { createClient, type Client } from '../../client/index.ts'
import { ROUNDS } from '../config.ts'
import { start, stop } from '../processes.ts'
import { median, type Part } from '../rows.ts'

const CALLS = 200
const TARGET_CORE = 0
const GATEWAY_CORE = 1

/** The same 200 calls through a whole gateway: one after the other, and in one round trip. */
export async function batch(): Promise<Part> {
  const target = await start('target', [], TARGET_CORE)
  try {
    const gateway = await start('catalog/gateway', [target.ready.address], GATEWAY_CORE)
    try {
      const token = gateway.ready.headers?.['authorization']?.replace('Bearer ', '') ?? ''
      return await compare(createClient({ url: `http://${gateway.ready.address}`, token }))
    } finally {
      await stop(gateway)
    }
  } finally {
    await stop(target)
  }
}

async function compare(client: Client): Promise<Part> {
  const times: (readonly [sequential: number, batched: number])[] = []
  // One round more, in which everything is compiled.
  for (let round = 0; round <= Math.ceil(ROUNDS); round += 1) {
    const both = [
      await timeOf(() => oneByOne(client)),
      await timeOf(() => together(client)),
    ] as const
    if (round > 0) times.push(both)
  }
  const against = `${CALLS} calls`
  return {
    rows: [
      { name: 'calls one by one', value: median(times.map(([one]) => one)), unit: 'ms', against },
      { name: 'calls in a batch', value: median(times.map(([, all]) => all)), unit: 'ms', against },
      {
        name: 'calls in a batch',
        value: median(times.map(([one, all]) => one / all)),
        unit: '×',
        floor: 2,
        against: 'calls one by one',
      },
    ],
    skipped: [],
  }
}

async function oneByOne(client: Client): Promise<void> {
  for (let id = 0; id < CALLS; id += 1) {
    const { value, status } = await client.call('TARGET_GET', { id: `${id}` })
    checkAnswer(value, status)
  }
}

async function together(client: Client): Promise<void> {
  const calls = Array.from({ length: CALLS }, (_, id) => ({
    tool: 'TARGET_GET',
    args: { id: `${id}` },
  }))
  const answers = await client.batch(calls)
  assert.equal(answers.length, CALLS)
  for (const { value, status } of answers) checkAnswer(value, status)
}

function checkAnswer(value: unknown, status: number): void {
  assert.equal(status, 200)
  assert.equal((value as { readonly number?: number }).number, 4711)
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}
