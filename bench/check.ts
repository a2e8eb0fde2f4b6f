import assert from 'node:assert/strict'
import type { Ready } from './contestants/contestant.ts'

/** The answer must be right before its time is worth anything: whole through a proxy, cut down by the gateway. */
export async function checkAnswer(ready: Ready, target: string, cut: boolean): Promise<void> {
  const { address, path = '/', headers = {} } = ready
  const answer = await fetch(`http://${address}${path}`, { headers })
  const whole = (await (await fetch(`http://${target}/`)).json()) as {
    number: number
    title: string
    user: { login: string }
  }
  const expected = cut
    ? { number: whole.number, title: whole.title, user: { login: whole.user.login } }
    : whole
  assert.equal(answer.status, 200, ready.says)
  assert.deepEqual(await answer.json(), expected, ready.says)
}
