import { join } from 'node:path'

/** Where everything lies in a state folder. */
export interface StatePaths {
  readonly folder: string
  readonly buildKey: string
  readonly ownerKey: string
  /** Signs the ledger's checkpoints. */
  readonly ledgerKey: string
  /** Folder of the certificate authority. */
  readonly ca: string
  /** Folder of the append-only log. */
  readonly ledger: string
  /** Folder of the kept bodies. */
  readonly bodies: string
  /** Folder of the embedded databases: index, uses and grants. */
  readonly db: string
  /** Folder of the larger objects, and of those on their way in; made where there are buckets. */
  readonly objects: string
  /** Folder of the places that exports have reached; made where there are exports. */
  readonly exports: string
}

export function statePaths(folder: string): StatePaths {
  return {
    folder,
    buildKey: join(folder, 'build.key'),
    ownerKey: join(folder, 'owner.key'),
    ledgerKey: join(folder, 'ledger.key'),
    ca: join(folder, 'ca'),
    ledger: join(folder, 'ledger'),
    bodies: join(folder, 'bodies'),
    db: join(folder, 'db'),
    objects: join(folder, 'objects'),
    exports: join(folder, 'exports'),
  }
}

/** The embedded databases of a state folder. */
export interface DatabaseFiles {
  readonly index: string
  readonly uses: string
  readonly grants: string
  readonly persons: string
  readonly objects: string
}

export function databaseFiles({ db }: Pick<StatePaths, 'db'>): DatabaseFiles {
  return {
    index: join(db, 'index.sqlite'),
    uses: join(db, 'uses.sqlite'),
    grants: join(db, 'grants.sqlite'),
    persons: join(db, 'persons.sqlite'),
    objects: join(db, 'objects.sqlite'),
  }
}
