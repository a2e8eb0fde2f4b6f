import t from 'tap'
import { testLedger } from '../../conformance/ledger.ts'
import { makeFolder, openLog } from './rig.ts'

const folder = makeFolder(t)
testLedger(t, async () => (await openLog(folder)).log)
