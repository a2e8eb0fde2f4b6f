import { announce, targetAddress } from './contestant.ts'

/** No proxy at all: the ceiling of the generator and the target. */
announce({ address: targetAddress(), says: 'the target itself: what generator and target can do' })
