// The same tests as beside the code, with the general engine alone.
process.env['NARROWGATE_TEST_ENGINE'] = 'general'
await import('../gateway/doors/ahead.test.ts')
await import('../gateway/doors/connect.test.ts')
await import('../gateway/doors/expect.test.ts')
await import('../gateway/doors/forward.test.ts')
await import('../gateway/doors/gone.test.ts')
await import('../gateway/doors/http2.test.ts')
await import('../gateway/doors/idle.test.ts')
await import('../gateway/doors/listener.test.ts')
await import('../gateway/doors/metrics.test.ts')
await import('../gateway/doors/odd-answers.test.ts')
await import('../gateway/doors/reply.test.ts')
await import('../gateway/doors/strict.test.ts')
await import('../gateway/doors/tunnel-limit.test.ts')
await import('../gateway/doors/tunnel-tls.test.ts')
await import('../gateway/doors/upgrade.test.ts')
await import('../flow/gone-clients.test.ts')
export {}
