export type { Reservation, UseCounters, UseLimit } from '../../policy/index.ts'
