import { enableCopying } from './copy.ts'
import { enableRows } from './rows.ts'
import { showLocalTimes } from './times.ts'

showLocalTimes(document)
enableCopying(document)
enableRows(document)
