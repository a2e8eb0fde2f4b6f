// The same tests as beside the code, with the general engine alone.
process.env['NARROWGATE_TEST_ENGINE'] = 'general'
await import('../adapters/upstream/abort.test.ts')
await import('../adapters/upstream/corporate-proxy.test.ts')
await import('../adapters/upstream/framing.test.ts')
await import('../adapters/upstream/head-as-given.test.ts')
await import('../adapters/upstream/information.test.ts')
await import('../adapters/upstream/invalid-answers.test.ts')
await import('../adapters/upstream/own-address.test.ts')
await import('../adapters/upstream/permit.test.ts')
await import('../adapters/upstream/pool.test.ts')
await import('../adapters/upstream/rebinding.test.ts')
await import('../adapters/upstream/retry.test.ts')
await import('../adapters/upstream/streaming.test.ts')
await import('../adapters/upstream/timeouts.test.ts')
await import('../adapters/upstream/tls.test.ts')
await import('../adapters/upstream/tunnel.test.ts')
await import('../adapters/upstream/upgrade.test.ts')
export {}
