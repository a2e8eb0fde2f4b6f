import { OUTAGES } from './scenes/index.ts'

for (const { prove } of OUTAGES) prove()
