import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { openBodyStore } from '../../../adapters/objects/disk.ts'
import { testBodyStore } from '../../conformance/bodies.ts'
import { makeFolder } from '../ledger/rig.ts'

const parent = makeFolder(t)
testBodyStore(t, async (limitBytes) =>
  openBodyStore({ folder: await mkdtemp(join(parent, 'b-')), limitBytes }),
)
