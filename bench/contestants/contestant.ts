/** What a contestant tells the runner once it listens. */
export interface Ready {
  /** `host:port` that takes the load. */
  readonly address: string
  /** Header fields that the load must send to it. */
  readonly headers?: Readonly<Record<string, string>>
  /** Path to ask for. */
  readonly path?: string
  /** What it has switched on, printed beside its figures. */
  readonly says: string
}

/** Tells the runner, and ends with it. */
export function announce(ready: Ready): void {
  process.send?.(ready)
  process.once('disconnect', () => process.exit(0))
}

/** `host:port` of the plain upstream, given by the runner. */
export function targetAddress(): string {
  const address = process.argv[2]
  if (address === undefined) throw new Error('give the address of the target as the first argument')
  return address
}
