import { dirname, isAbsolute, resolve } from 'node:path'
import type { Offline } from '../../gateway/offline.ts'
import type { Terminal } from '../terminal.ts'
import { failed, ok, type Finding } from './finding.ts'
import { executable, onPath } from './programs.ts'

/** Whether the programs of MCP servers are there. None is started: the gateway that runs tells how they are doing. */
export function checkServers(
  { config }: Offline,
  { env, cwd }: Pick<Terminal, 'env' | 'cwd'>,
): readonly Finding[] {
  const folder = config.file === undefined ? cwd : dirname(config.file)
  return config.mcpServers.flatMap(({ name, way }) => {
    if (way.kind !== 'command') return []
    const [program = ''] = way.command
    const path = { PATH: way.env['PATH'] ?? env['PATH'] }
    const isPath = isAbsolute(program) || program.includes('/')
    const there = isPath ? executable(resolve(folder, program)) : onPath(program, path)
    const subject = `MCP server ${name}`
    return [
      there
        ? ok(subject, `${program} is there`)
        : failed(subject, `${program} cannot be run`, 'install it, or name it with its whole path'),
    ]
  })
}
