import t from 'tap'
import { bundledClient } from '../client/_bundle.ts'

/** The client of narrowgate/client, minified; a third of it as it travels. */
const MOST_BYTES = 34_000
const MOST_ZIPPED = 14_000

await t.test('the client of a browser is small, and holds what it needs alone', async (t) => {
  const { bytes, zipped, inputs } = await bundledClient()
  t.comment(`narrowgate/client: ${bytes} bytes minified, ${zipped} in gzip`)
  t.ok(bytes < MOST_BYTES, `${bytes} bytes`)
  t.ok(zipped < MOST_ZIPPED, `${zipped} bytes in gzip`)
  const packages = inputs.flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  )
  t.strictSame([...new Set(packages)].toSorted(), ['@noble/hashes', '@scure/base'])
  t.ok(inputs.length > 20, 'the inputs were read')
})
