import type { Surroundings } from '../../sidecar/environment.ts'

/** Surroundings for tests of the table of variables. */
export function surroundings(more: Partial<Surroundings> = {}): Surroundings {
  return {
    gateway: { host: '10.1.2.3', port: 3128 },
    token: 'g1.payload.signature',
    trust: {
      bundle: '/trust/bundle.pem',
      extra: '/trust/extra.pem',
      folder: '/trust/certs',
      truststore: '/trust/truststore.p12',
    },
    own: {},
    ...more,
  }
}
