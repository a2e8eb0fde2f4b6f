import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { ProjectionFault, projectReference } from '../../../catalog/index.ts'
import { documents, lines, runs } from './documents.ts'
import { compiled, project } from './project.ts'
import { rowOptions, wants } from './wants.ts'

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })

/** The value that was given, or the kind of the fault. */
function outcome(give: () => unknown): unknown {
  try {
    // Figures are written as JSON, which knows no infinity: so both sides are compared as JSON.
    return { gave: JSON.parse(JSON.stringify(give())) as unknown }
  } catch (error) {
    if (error instanceof ProjectionFault) return { fault: error.kind }
    throw error
  }
}

t.test('the projector over any cut of a document equals the plain reference', async (t) => {
  let refused = 0
  let total = 0
  fc.assert(
    fc.property(documents, wants, rowOptions, sizes, (document, want, options, cut) => {
      const projection = compiled(want, options)
      const isLines = want.want?.format !== undefined
      const wanted = outcome(() => projectReference(JSON.parse(document), projection))
      const given = outcome(() => {
        const { text, end } = project(document, projection, { sizes: cut })
        const result: unknown = isLines
          ? text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
          : JSON.parse(text)
        return { result, ...(end.page && { page: end.page }) }
      })
      total++
      // Rows that occur twice are refused rather than guessed at.
      if (isDeepStrictEqual(given, { fault: 'duplicate_member' })) return void refused++
      if (!isDeepStrictEqual(given, wanted)) {
        throw new Error(`gave ${JSON.stringify(given)}, wanted ${JSON.stringify(wanted)}`)
      }
    }),
    { numRuns: runs(5000) },
  )
  t.ok(refused < total / 20, 'hardly any document is refused')
})

t.test('so does the projector over lines', async () => {
  fc.assert(
    fc.property(lines, wants, rowOptions, sizes, (document, want, options, cut) => {
      const projection = compiled(
        { ...want, want: { ...want.want, format: want.want?.format ?? 'json' } },
        options,
      )
      const values: unknown = document
        .split('\n')
        .flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]))
      const wanted = outcome(() => projectReference(values, projection, 'ndjson'))
      const given = outcome(() => {
        const { text, end } = project(document, projection, { sizes: cut, input: 'ndjson' })
        const result: unknown =
          want.want?.format === 'ndjson'
            ? text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
            : JSON.parse(text)
        return { result, ...(end.page && { page: end.page }) }
      })
      if (!isDeepStrictEqual(given, wanted)) {
        throw new Error(`gave ${JSON.stringify(given)}, wanted ${JSON.stringify(wanted)}`)
      }
    }),
    { numRuns: runs(800) },
  )
})
