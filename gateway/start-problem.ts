import { printProblem, type Problem } from './config/index.ts'

/** A start that cannot be made: all that is wrong, with its repair. */
export class StartProblem extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map(printProblem).join('\n'))
    this.name = 'StartProblem'
    this.problems = problems
  }
}
