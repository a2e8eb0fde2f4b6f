import { resolve } from 'node:path'
import { rowsOfOpenApi } from '../../../catalog/index.ts'
import { readApiDocument } from '../../../gateway/offline.ts'
import { compareRows } from '../../catalog/compare.ts'
import { readSource, rowsIn, writeRows } from '../../catalog/files.ts'
import { reportImport } from '../../catalog/report.ts'
import { EXIT, Fault } from '../../exit.ts'
import { JSON_OUTPUT } from '../../options.ts'
import { createSteps } from '../../steps.ts'
import { defineVerb } from '../../verb.ts'

const PREFIX = /^[A-Z][A-Z0-9_]{0,31}$/

/** Makes the rows of an OpenAPI document, and says how the file with them changes. */
export const importDocument = defineVerb({
  positionals: {
    document: {
      type: 'string',
      demandOption: true,
      describe: 'OpenAPI 3.0, 3.1 or Swagger 2.0; JSON or YAML',
    },
  },
  options: {
    prefix: {
      type: 'string',
      demandOption: true,
      describe: 'first part of every name, such as GITHUB',
    },
    host: {
      type: 'string',
      describe: 'host, or host:port, where the document names none or another',
    },
    key: {
      type: 'string',
      requiresArg: true,
      describe: 'name of the configured key that goes with every row',
    },
    out: {
      type: 'string',
      requiresArg: true,
      describe: 'file that gets the rows; catalog/<prefix>.json unless said',
    },
    'dry-run': {
      type: 'boolean',
      default: false,
      describe: 'say what would change, and write nothing',
    },
    all: {
      type: 'boolean',
      default: false,
      describe: 'list everything that was skipped, noted or changed',
    },
    ...JSON_OUTPUT,
  },
  examples: [
    ['api.github.com.json --prefix GITHUB', 'rows of a document in catalog/github.json'],
    ['pets.yaml --prefix PETS --host pets.test --dry-run', 'what it would change'],
  ],
  async run(values, terminal) {
    const { document: name, prefix, host, key, json } = values
    if (!PREFIX.test(prefix)) throw badPrefix(prefix)
    const file = resolve(terminal.cwd, name)
    const out = resolve(terminal.cwd, values.out ?? `catalog/${prefix.toLowerCase()}.json`)
    const steps = createSteps(terminal.err, ['read', 'resolve', 'make rows', 'write'])
    steps.next()
    const source = await readSource(file, steps.part)
    steps.next()
    const read = await readApiDocument(source)
    if (!read.ok)
      throw new Fault(EXIT.no, `${name}: ${read.why}`, 'give an OpenAPI document that is whole')
    steps.next()
    const rows = rowsOfOpenApi(read.document, {
      prefix,
      ...(host !== undefined && { host }),
      ...(key !== undefined && { key }),
      onPart: steps.part,
    })
    if (!rows.ok) {
      const { path, got, repair } = rows.problem
      throw new Fault(EXIT.no, `${name}: ${path}: ${got}`, repair)
    }
    const { tools, skipped, notes } = rows
    const difference = compareRows(await rowsIn(out), tools)
    steps.next()
    if (!values['dry-run']) await writeRows(out, tools, steps.part)
    steps.done()
    if (json) {
      terminal.out.line(
        JSON.stringify({ file: out, rows: tools.length, skipped, notes, ...difference }),
      )
      return EXIT.ok
    }
    reportImport(terminal.out, { skipped, notes, difference }, values.all ? 'all' : 'some')
    const done = values['dry-run'] ? 'would be written to' : 'written to'
    terminal.err.line(`${terminal.err.good('ok')}  ${tools.length} rows ${done} ${out}`)
    if (!values['dry-run']) terminal.err.line('name that file under `catalog` in the configuration')
    return EXIT.ok
  },
})

function badPrefix(prefix: string): Fault {
  return new Fault(
    EXIT.usage,
    `--prefix: got \`${prefix}\``,
    'write A to Z, 0 to 9 and _, at most 32, such as GITHUB',
  )
}
