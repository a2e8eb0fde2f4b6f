import { LIMITED } from './scenes/index.ts'

for (const { prove } of LIMITED) prove()
