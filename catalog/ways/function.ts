import { encoded } from '../written-text.ts'
import { shell } from './posted.ts'
import { fitsShell, shellWord } from './quote/shell.ts'
import { onlyThose, textsOf } from './texts.ts'
import type { WayCall, WayTable } from './types.ts'

/** The tool as a function of a POSIX shell, with an option for each argument, and a call of it. */
export const FUNCTION: WayTable<'shell'> = {
  shell: {
    door: '/g/run',
    write: (call) => {
      const texts = onlyThose(textsOf(call), (_, text) => fitsShell(text), 'no command takes NUL')
      if ('unavailable' in texts) return texts
      const name = functionName(call)
      const options = texts.map(
        ([option, text]) => ` ${shellWord(`--${option}`)} ${shellWord(text)}`,
      )
      return shell(`${definitionOf(call)}\n${name}${options.join('')}\n`)
    },
  },
}

/** No tool's name makes it one of the shell's own words. */
function functionName({ tool }: WayCall): string {
  return `call_${tool.name.toLowerCase()}`
}

/** Options become parameters one after the other, behind those that are left. */
function definitionOf(call: WayCall): string {
  const { tool, args, gateway } = call
  const names = new Set([...Object.keys(tool.args.properties), ...Object.keys(args)])
  const cases = [...names].map((option) => {
    const parameter = shellWord(`${encoded(option)}=`)
    return `      ${shellWord(`--${option}`)}) set -- "$@" --data-urlencode ${parameter}"$2" ;;`
  })
  const name = functionName(call)
  return `${name}() (
  left=$#
  while [ "$left" -gt 1 ]; do
    case $1 in
${[...cases, `      *) echo "${name}: unknown option $1" >&2; exit 2 ;;`].join('\n')}
    esac
    shift 2
    left=$((left - 2))
  done
  if [ "$left" -ne 0 ]; then echo "${name}: $1 needs a value" >&2; exit 2; fi
  curl -sS -G -X POST -H "Authorization: Bearer ${gateway.token}" "$@" "${gateway.base}/g/run/${tool.name}"
)`
}
