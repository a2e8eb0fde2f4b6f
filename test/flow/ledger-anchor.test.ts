import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openEmbeddedBuckets } from '../../adapters/objects/embedded/open.ts'
import { createIntake } from '../../adapters/objects/intake.ts'
import { databaseFiles, statePaths } from '../../gateway/state/paths.ts'
import { run } from '../cli/in-process.ts'
import { eventually, flow } from '../helpers/gateway.ts'
import { askOwner } from '../helpers/owner.ts'
import { metricOf } from '../helpers/records.ts'
import { SHAPES } from '../helpers/shapes.ts'

const config = {
  buckets: [{ name: 'anchors' }],
  ledger: {
    name: 'ledger.test',
    checkpoint_ms: 1000,
    segment_bytes: 65_536,
    anchor: { bucket: 'anchors', prefix: 'gate/' },
  },
}

flow('what was signed lies in the bucket of anchors', { config }, async (t, gateway) => {
  const { state } = gateway
  const folder = mkdtempSync(join(tmpdir(), 'narrowgate-anchored-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const paths = statePaths(state)
  const temporary = () => join(folder, 'none')
  const buckets = await openEmbeddedBuckets({
    file: databaseFiles(paths).objects,
    folder: paths.objects,
    intake: createIntake({ temporary }),
  })
  t.teardown(() => buckets.close())
  const bucket = buckets.bucket('anchors')
  const keys = async () => (await bucket.list()).objects.map(({ key }) => key)

  const token = gateway.mint('tools = HTTP_*')
  const calls = async () => {
    for (let round = 0; round < 20; round += 1)
      for (const shape of SHAPES)
        t.equal((await gateway.ask(shape, { token, path: `/${'p'.repeat(400)}` })).status, 200)
  }
  await calls()
  t.ok(
    await eventually(async () => {
      const all = await keys()
      return ['checkpoints', 'segments'].every((kind) =>
        all.some((key) => new RegExp(`^gate/w_[\\w-]+/${kind}/`).test(key)),
      )
    }, 30_000),
    'both kinds are there',
  )
  const { body } = await askOwner(gateway, 'GET', '/api/status')
  t.match(body, {
    ledger: { checkpoint: { fault: undefined }, anchor: { away: false, forks: [] } },
  })
  const metrics = await gateway.metrics()
  t.equal(metricOf(metrics, 'narrowgate_ledger_anchor_forks'), 0)
  t.ok(metricOf(metrics, 'narrowgate_ledger_signed_records') > 0)

  const anchored = (await keys()).filter((key) => key.includes('/checkpoints/')).at(-1) ?? ''
  const object = await bucket.get(anchored)
  writeFileSync(
    join(folder, 'anchored.txt'),
    object !== null && 'body' in object ? await text(object.body) : '',
  )
  const verified = await run(
    ['ledger', 'verify', '--config', gateway.configFile, '--checkpoint', 'anchored.txt'],
    {
      cwd: folder,
      env: { NARROWGATE_STATE: state, PATH: process.env['PATH'] },
    },
  )
  t.match(verified, { exit: 0 }, verified.stdout)
})
