import { fitsShell, shellWord } from './quote/shell.ts'
import { lineValue } from './quote/line.ts'
import { tagValue } from './quote/tag.ts'
import { postScript, shell } from './posted.ts'
import { onlyThose, textsOf, type Texts } from './texts.ts'
import type { Unavailable, WayCall, WayTable, WayGateway, Written } from './types.ts'

/** What a name may be that stands before `=` in a text. */
const NAME = /^[^\s="'<>/-][^\s="'<>/]*$/

/** Ways whose arguments are all texts: a line, a tag, a command. */
export const WRITTEN: WayTable<'line' | 'tag' | 'cli' | 'ssh'> = {
  line: {
    door: '/g/run',
    write: (call) => {
      const texts = named(call)
      if ('unavailable' in texts) return texts
      const pairs = texts.map(([name, text]) => ` ${name}=${lineValue(text)}`)
      return posted(call.gateway, `${call.tool.name}${pairs.join('')}`)
    },
  },
  tag: {
    door: '/g/run',
    write: (call) => {
      const texts = onlyThose(named(call), (name) => name !== 'tool', 'a tag has its tool under')
      if ('unavailable' in texts) return texts
      const pairs = [['tool', call.tool.name] as const, ...texts].map(
        ([name, text]) => ` ${name}=${tagValue(text)}`,
      )
      return posted(call.gateway, `<call${pairs.join('')}/>`)
    },
  },
  cli: {
    door: '/g/run',
    write: (call) => {
      const command = commandOf(call)
      return typeof command === 'string' ? shell(`${command}\n`) : command
    },
  },
  ssh: {
    door: '/g/run',
    write: (call) => {
      const { sshHost: host } = call.gateway
      if (host === undefined)
        return {
          unavailable: 'the machine that has the command line is not known',
          set: 'ways.ssh_host in the configuration',
        }
      const command = commandOf(call)
      if (typeof command !== 'string') return command
      return shell(`ssh ${shellWord(host)} ${shellWord(command)}\n`)
    },
  },
}

function named(call: WayCall): Texts | Unavailable {
  return onlyThose(textsOf(call), (name) => NAME.test(name), 'no text takes these names')
}

function posted(gateway: WayGateway, body: string): Written {
  return shell(postScript(gateway, { path: '/g/run', body, type: 'text/plain; charset=utf-8' }))
}

/** Our command line with this gateway and token in its environment. */
function commandOf(call: WayCall): string | Unavailable {
  const texts = onlyThose(named(call), (_, text) => fitsShell(text), 'no command takes NUL')
  if ('unavailable' in texts) return texts
  const { base, token } = call.gateway
  const words = texts.map(([name, text]) => ` ${shellWord(`${name}=${text}`)}`)
  const environment = `NARROWGATE_GATEWAY="${base}" NARROWGATE_TOKEN="${token}"`
  return `${environment} narrowgate call ${call.tool.name}${words.join('')}`
}
