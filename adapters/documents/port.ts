/** A document whose references within itself are resolved, or why it cannot be read. */
export type ReadDocument =
  | { readonly ok: true; readonly document: unknown }
  | { readonly ok: false; readonly why: string }

/** Reads API descriptions, JSON or YAML. Nothing else is opened: a reference that leads out of the document stays as it is. */
export interface DocumentReader {
  read(source: string): Promise<ReadDocument>
}
