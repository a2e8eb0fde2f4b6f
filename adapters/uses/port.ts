export type { Reservation, ReserveAnswer, UseCounters, UseLimit } from '../../policy/index.ts'
