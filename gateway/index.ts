/** For programs that embed the gateway; drivers and doors are chosen by its configuration. */
export { startGateway, StartProblem, type Gateway, type StartOptions } from './main.ts'
