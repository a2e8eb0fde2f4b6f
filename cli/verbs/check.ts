import { checkConfiguration } from '../../gateway/offline.ts'
import { EXIT } from '../exit.ts'
import { JSON_OUTPUT, PLACE } from '../options.ts'
import { configFileOf } from '../place.ts'
import { defineVerb } from '../verb.ts'

/** Validates the configuration, its catalogs and its secrets, and starts nothing. */
export const check = defineVerb({
  options: { ...PLACE, ...JSON_OUTPUT },
  examples: [
    ['', 'check ./narrowgate.yaml'],
    ['--config /etc/narrowgate.yaml --json', 'every problem as JSON'],
  ],
  async run(values, terminal) {
    const configFile = configFileOf(values.config, terminal.cwd)
    const { problems, lines } = await checkConfiguration({
      configFile,
      state: values.state,
      env: terminal.env,
      cwd: terminal.cwd,
    })
    const exit = problems.length === 0 ? EXIT.ok : EXIT.no
    if (values.json) {
      terminal.out.line(JSON.stringify({ ok: problems.length === 0, file: configFile, problems }))
      return exit
    }
    for (const line of lines) terminal.out.line(line)
    const subject = configFile ?? 'no configuration file: the defaults'
    terminal.err.line(
      problems.length === 0
        ? `${terminal.err.good('ok')}  ${subject}`
        : `${terminal.err.bad('wrong')}  ${subject}: ${problems.length} to mend`,
    )
    return exit
  },
})
