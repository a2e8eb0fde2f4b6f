import t from 'tap'
import { PROPERTIES } from '../policy/properties/index.ts'

for (const [name, property] of Object.entries(PROPERTIES)) {
  void t.test(name, { timeout: 900_000 }, async (t) => property(t, 100_000))
}
