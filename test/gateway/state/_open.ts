import { openState } from '../../../gateway/state/open.ts'
import { fileReader, stateOf } from './_state.ts'

// Opens the state folder of the command line and prints its build key; run by two-starts.test.ts.
const folder = process.argv[2] ?? ''
console.log(stateOf(await openState({ folder, reader: fileReader })).buildKeys[0].reveal())
