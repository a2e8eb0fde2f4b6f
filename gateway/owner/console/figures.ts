/** One sample of the metrics. */
export interface Figure {
  /** Without the program's prefix. */
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const SAMPLE = /^narrowgate_(\w+?)(?:\{(.*)\})? (\S+)$/
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g

/** Reads the Prometheus text format, as our own registry writes it. */
export function readFigures(text: string): readonly Figure[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? []
    if (name === undefined) return []
    const pairs = [...labels.matchAll(LABEL)].map(([, key = '', label = '']) => [key, label])
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }]
  })
}
