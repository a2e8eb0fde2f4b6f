import t from 'tap'
import { fuzz } from '../gateway/doors/fast/fuzz.ts'

t.test(
  'llhttp reads the same of 1,000,000 mutated requests, wherever they are taken',
  async (t) => {
    for (let part = 0; part < 10; part += 1) {
      const { accepted, differences } = await fuzz(100_000, 1_000 + part)
      t.same(differences, [])
      t.ok(accepted > 5_000, `${accepted} of part ${part} were taken`)
    }
  },
)
