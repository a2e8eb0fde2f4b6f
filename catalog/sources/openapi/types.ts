import type { Tool } from '../../tool.ts'

/** Something of a document that did not become what it says, and why. */
export interface Remark {
  /** `GET /repos/{owner}`, or a place in the document. */
  readonly at: string
  /** In plain words. */
  readonly why: string
}

/** What became of a document. */
export interface ImportedRows {
  readonly tools: readonly Tool[]
  /** Operations that are no row. */
  readonly skipped: readonly Remark[]
  /** Rows that are not quite what the document says: another name, an argument less. */
  readonly notes: readonly Remark[]
}

export interface ImportOptions {
  /** First part of every name: `GITHUB`. */
  readonly prefix: string
  /** `host` or `host:port` that goes before what the document says. */
  readonly host?: string
  /** Name of the configured key that the rows name. */
  readonly key?: string
  /** Is told how many operations were looked at. */
  readonly onPart?: (done: number, of: number) => void
}

/** One operation of a document, with everything that was said of it above. */
export interface Operation {
  /** `GET /repos/{owner}`. */
  readonly at: string
  readonly method: string
  /** As the document writes it, without the server's part. */
  readonly path: string
  readonly id?: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly body?: Body
  /** Of the operation, its path or the document, whatever comes first. */
  readonly servers: readonly string[]
  /** Why it can be no row: a reference that leads nowhere, a body that cannot be written. */
  readonly why?: string
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema
  readonly required: boolean
}

export interface Body {
  readonly media: 'json' | 'form'
  readonly schema: Schema
  readonly required: boolean
  /** How fields of a form stand there, by their names (OpenAPI 3.1, 4.8.15); of 2.0 in the same words. */
  readonly encoding: Schema
}

export type Schema = Readonly<Record<string, unknown>>
