import type { Screen } from './terminal.ts'

/** Shows where a longer piece of work is: a bar that is written over, where the screen can do that, else a line for each step. */
export interface Steps {
  /** The next step begins. */
  next(): void
  /** So much of this step is done. */
  part(done: number, of: number): void
  done(): void
}

const WIDTH = 20

export function createSteps(screen: Screen, names: readonly string[]): Steps {
  let at = -1
  let shown = ''
  const clear = () => screen.write('\r\u001B[K')
  const show = (part: number) => {
    const filled = Math.floor(((at + part) / names.length) * WIDTH)
    const bar = `${'█'.repeat(filled).padEnd(WIDTH, '░')} ${names[at] ?? ''}`
    if (bar === shown) return
    clear()
    screen.write(bar)
    shown = bar
  }
  return {
    next() {
      at++
      if (screen.colours) show(0)
      else screen.line(`${at + 1}/${names.length} ${names[at] ?? ''}`)
    },
    part(done, of) {
      if (screen.colours && of > 0) show(Math.min(1, done / of))
    },
    done() {
      if (screen.colours) clear()
    },
  }
}
