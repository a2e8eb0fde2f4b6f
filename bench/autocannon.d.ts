/** The part of autocannon 9 that the bench uses; the package brings no types. */
declare module 'autocannon' {
  export interface Options {
    readonly url: string
    readonly connections: number
    /** Seconds. */
    readonly duration: number
    readonly headers?: Readonly<Record<string, string>>
  }
  export interface Result {
    readonly requests: { readonly total: number; readonly average: number }
    readonly latency: { readonly p50: number; readonly p99: number }
    readonly errors: number
    readonly non2xx: number
    readonly duration: number
  }
  export default function autocannon(options: Options): Promise<Result>
}
