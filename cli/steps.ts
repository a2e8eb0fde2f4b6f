import type { Screen } from './terminal.ts'

/** Shows where a longer piece of work is: one line that is written over, where the screen can do that. */
export interface Steps {
  /** The next step begins. */
  next(): void
  done(): void
}

const WIDTH = 20

export function createSteps(screen: Screen, names: readonly string[]): Steps {
  let at = -1
  const clear = () => screen.write('\r\u001B[K')
  return {
    next() {
      at++
      if (!screen.colours) return
      const filled = Math.round((at / names.length) * WIDTH)
      const bar = '█'.repeat(filled).padEnd(WIDTH, '░')
      clear()
      screen.write(`${bar} ${names[at] ?? ''}`)
    },
    done() {
      if (screen.colours) clear()
    },
  }
}
