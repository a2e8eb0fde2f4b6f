import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import {
  openEmbeddedBuckets,
  type EmbeddedBuckets,
} from '../../../../adapters/objects/embedded/open.ts'
import { openBodyFolder } from '../../../../adapters/objects/folder.ts'
import { createIntake } from '../../../../adapters/objects/intake.ts'

/** A folder for objects, and buckets in it. */
export interface Place {
  readonly file: string
  readonly folder: string
  /** Opens what lies there; it is closed with the test. */
  open(): Promise<EmbeddedBuckets>
}

export async function makePlace(t: Test): Promise<Place> {
  const base = mkdtempSync(join(tmpdir(), 'ng-objects-'))
  t.teardown(() => rmSync(base, { recursive: true, force: true }))
  const [file, folder] = [join(base, 'objects.sqlite'), join(base, 'objects')]
  const { temporary } = await openBodyFolder(folder)
  const intake = createIntake({ temporary })
  return {
    file,
    folder,
    async open() {
      const buckets = await openEmbeddedBuckets({ file, folder, intake })
      t.teardown(() => buckets.close())
      return buckets
    },
  }
}
