import t from 'tap'
import type { PutOptions } from '../../../../adapters/objects/bucket.ts'
import {
  checkDelete,
  checkKey,
  checkList,
  checkPut,
} from '../../../../adapters/objects/rules/limits.ts'

await t.test('a key has 1 to 1,024 bytes of whole UTF-8', async (t) => {
  for (const key of ['a', 'x'.repeat(1024), 'é'.repeat(512), '/', '//a/../b', 'a\nb', '\u{10ffff}'])
    t.doesNotThrow(() => checkKey(key))
  for (const key of ['', 'a\0b', '\ud800', 'a\udc00b'])
    t.throws(() => checkKey(key), { code: 'InvalidObjectName' }, JSON.stringify(key))
  for (const key of ['x'.repeat(1025), 'é'.repeat(513)])
    t.throws(() => checkKey(key), { code: 'InvalidObjectName' })
})

await t.test('a delete takes 1,000 keys, each of them a key', async (t) => {
  const keys = Array.from({ length: 1001 }, (_, at) => `k${at}`)
  t.same(checkDelete('a'), ['a'])
  t.same(checkDelete([]), [])
  t.equal(checkDelete(keys.slice(1)).length, 1000)
  t.throws(() => checkDelete(keys), { code: 'InvalidArgument', message: /got 1001/ })
  t.throws(() => checkDelete(['a', '']), { code: 'InvalidObjectName' })
})

await t.test('metadata has 8,192 bytes at most, of each kind', async (t) => {
  const fits: readonly PutOptions[] = [
    {},
    { customMetadata: { name: 'x'.repeat(8186), Ä: '' } },
    { customMetadata: { ['n'.repeat(4096)]: 'é'.repeat(2048) } },
    { httpMetadata: { contentType: 'text/plain', cacheExpiry: 0 } },
  ]
  for (const options of fits) t.doesNotThrow(() => checkPut('a', options))
  const over: readonly PutOptions[] = [
    { customMetadata: { name: 'x'.repeat(8189) } },
    { customMetadata: { name: 'é'.repeat(4095) } },
    { httpMetadata: { contentType: 'x'.repeat(5000), cacheControl: 'y'.repeat(5000) } },
  ]
  for (const options of over)
    t.throws(() => checkPut('a', options), {
      code: 'MetadataTooLarge',
      message: /got \d{4,} bytes/,
    })
})

await t.test('metadata is text that every store keeps', async (t) => {
  const bad: readonly PutOptions[] = [
    { customMetadata: { '': 'x' } },
    { customMetadata: { a: 'x\0' } },
    { customMetadata: { '\ud800': 'x' } },
    { httpMetadata: { contentType: 'a\r\nb' } },
    { httpMetadata: { cacheControl: '\udc00' } },
    { httpMetadata: { cacheExpiry: 1.5 } },
  ]
  for (const options of bad) t.throws(() => checkPut('a', options), { code: 'InvalidArgument' })
})

await t.test('a put takes one checksum, as lower-case hex', async (t) => {
  const good = [{ md5: 'a'.repeat(32) }, { sha512: '0'.repeat(128) }, { sha1: 'f'.repeat(40) }]
  for (const checksums of good) t.doesNotThrow(() => checkPut('a', { checksums }))
  const bad = [
    { md5: 'a'.repeat(31) },
    { md5: 'A'.repeat(32) },
    { sha256: 'g'.repeat(64) },
    { md5: 'a'.repeat(32), sha1: 'f'.repeat(40) },
    { crc32: 'aaaaaaaa' },
  ]
  for (const checksums of bad)
    t.throws(() => checkPut('a', { checksums }), { code: 'InvalidArgument' })
})

await t.test('a listing takes a limit of 1 to 1,000, and includes what there is', async (t) => {
  for (const limit of [1, 1000]) t.doesNotThrow(() => checkList({ limit }))
  for (const limit of [0, -1, 1001, 1.5, Number.NaN])
    t.throws(() => checkList({ limit }), {
      code: 'InvalidMaxKeys',
      number: 10022,
      message: /^limit: got/,
    })
  t.doesNotThrow(() => checkList({ include: ['httpMetadata', 'customMetadata', 'body'] }))
  t.throws(() => checkList({ include: ['all' as 'body'] }), { message: /include: got `all`/ })
})
