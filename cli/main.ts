#!/usr/bin/env node
import '../gateway/flags.ts'
import { EXIT } from './exit.ts'
import { runProgram } from './program.ts'
import { createTerminal } from './terminal.ts'

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.internal)
})

const exit = await runProgram(process.argv.slice(2), createTerminal(process))
// Left-over handles must not keep a finished verb alive, and a pipe must get all that was written.
process.stdout.write('', () => process.exit(exit))
