import { testUses } from './_uses.ts'

await testUses({})
