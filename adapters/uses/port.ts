export type { Reservation, Revocations, UseCounters } from '../../policy/index.ts'
