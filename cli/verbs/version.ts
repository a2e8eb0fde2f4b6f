import { EXIT } from '../exit.ts'
import { JSON_OUTPUT } from '../options.ts'
import { defineVerb } from '../verb.ts'
import { VERSION } from '../../gateway/version.ts'

/** Prints the version of the program, and with --json of what it runs on. */
export const version = defineVerb({
  options: JSON_OUTPUT,
  examples: [['--json', 'with Node, V8 and the platform, for a report of a defect']],
  async run(values, { out }) {
    const { node, v8, openssl } = process.versions
    const facts = {
      narrowgate: VERSION,
      node,
      v8,
      openssl,
      platform: `${process.platform}-${process.arch}`,
    }
    out.line(values.json ? JSON.stringify(facts) : facts.narrowgate)
    return EXIT.ok
  },
})
