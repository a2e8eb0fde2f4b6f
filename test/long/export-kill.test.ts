import { killInDelivery } from '../flow/_exports.ts'

// Each start takes seconds.
killInDelivery(10)
