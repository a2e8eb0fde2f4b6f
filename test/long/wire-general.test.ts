// The same tests as in test/wire, with the general engine alone.
process.env['NARROWGATE_TEST_ENGINE'] = 'general'
await import('../wire/answers.test.ts')
await import('../wire/bodies.test.ts')
await import('../wire/codings.test.ts')
await import('../wire/connects.test.ts')
await import('../wire/framing-faults.test.ts')
await import('../wire/hosts.test.ts')
await import('../wire/http2.test.ts')
await import('../wire/lengths.test.ts')
await import('../wire/lines.test.ts')
await import('../wire/passing.test.ts')
await import('../wire/paths.test.ts')
await import('../wire/refusal-codes.test.ts')
await import('../wire/refusals.test.ts')
await import('../wire/upgrades.test.ts')
await import('../wire/fidelity.test.ts')
await import('../wire/smuggling-bodies.test.ts')
await import('../wire/smuggling-heads.test.ts')
// Last, since it puts another resolver under the whole process.
await import('../wire/names.test.ts')
export {}
