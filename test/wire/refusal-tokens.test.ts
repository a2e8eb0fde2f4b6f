import { TOKENS } from './scenes/tokens.ts'

for (const { prove } of TOKENS) prove()
