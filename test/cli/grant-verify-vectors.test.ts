import t from 'tap'
import { narrowgate } from './process.ts'
import { readVectors, type Vector } from './vectors.ts'

const byKey = new Map<string, Vector[]>()
for (const vector of readVectors()) {
  byKey.set(vector.build_key, [...(byKey.get(vector.build_key) ?? []), vector])
}

t.test('grant verify gives the verdict and the stage of every vector', async (t) => {
  for (const [key, vectors] of byKey) {
    const input = vectors.map(({ token }) => `${JSON.stringify(token)}\n`).join('')
    const ran = await narrowgate(['grant', 'verify', '--stdin'], {
      input,
      env: { NARROWGATE_BUILD_KEY: key },
    })
    t.equal(ran.exit, 0)
    const answers = ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    t.equal(answers.length, vectors.length, 'one answer per line')
    for (const [index, vector] of vectors.entries()) {
      const { reason, ...answer } = answers[index]
      if (vector.expect === 'accept') {
        t.strictSame(
          answer,
          { verdict: 'accept', id: vector.id, caveats: vector.caveats },
          vector.name,
        )
      } else {
        t.strictSame(answer, { verdict: 'refuse', stage: vector.stage }, vector.name)
        t.type(reason, 'string')
        t.not(reason, '', 'with a reason')
      }
    }
  }
})
