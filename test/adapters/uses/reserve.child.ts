/** Reserves one use so many times at once, and prints how many were let through. Arguments: the file, the number. */
import { openEmbeddedUses } from '../../../adapters/uses/embedded.ts'

const [file = '', times = ''] = process.argv.slice(2)
const uses = openEmbeddedUses({ file })
const answers = await Promise.all(
  Array.from({ length: Number(times) }, async (_, at) => {
    await new Promise((resolve) => setTimeout(resolve, at % 10))
    return uses.reserve([{ link: 'shared', limit: 5 }])
  }),
)
console.log(answers.filter(({ ok }) => ok).length)
uses.close()
