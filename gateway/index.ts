/** For programs that embed the gateway; drivers and doors are chosen by its configuration. */
export { startGateway, type Gateway, type StartOptions } from './main.ts'
export type { DirectCall } from './direct.ts'
export { StartProblem } from './start-problem.ts'
