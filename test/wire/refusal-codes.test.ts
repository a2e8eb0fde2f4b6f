import { KEYED } from './scenes/index.ts'

for (const { prove } of KEYED) prove()
