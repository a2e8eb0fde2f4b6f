import { PassThrough } from 'node:stream'
import t from 'tap'
import { createScreen } from '../../cli/terminal.ts'

function screen(isTTY: boolean, env: Record<string, string>) {
  return createScreen(Object.assign(new PassThrough(), { isTTY }), env)
}

t.equal(screen(true, {}).bad('x'), '\u001B[31mx\u001B[0m', 'a terminal has colours')
t.equal(screen(false, {}).bad('x'), 'x', 'a pipe has none')
t.equal(screen(true, { NO_COLOR: '1' }).bad('x'), 'x', 'NO_COLOR turns them off')
t.equal(screen(true, { NO_COLOR: '' }).colours, true, 'an empty NO_COLOR does not')
t.equal(screen(true, { TERM: 'dumb' }).bad('x'), 'x', 'a dumb terminal has none')
