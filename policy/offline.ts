/** What a holder does with a token by itself: without a key, a server or the second engine, in browsers too. */

export { TokenFault } from './faults.ts'
export { narrowToken } from './narrow.ts'
