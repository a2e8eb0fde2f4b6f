import t from 'tap'
import { createRunning } from '../../../gateway/mcp/running.ts'

t.test('a call is ended by its own token, session and id alone', async (t) => {
  const running = createRunning()
  const name = { link: 'l', session: 's', id: 1 }
  let ended = 0
  const forget = running.add(name, () => void ended++)
  for (const other of [{ link: 'm' }, { session: 't' }, { session: undefined }, { id: '1' }])
    running.cancel({ ...name, ...other })
  t.equal(ended, 0)
  running.cancel(name)
  t.equal(ended, 1)
  forget()
  running.cancel(name)
  t.equal(ended, 1, 'and not once it is over')
})

t.test('without a session a call has no name', async (t) => {
  const running = createRunning()
  const name = { link: 'l', session: undefined, id: 1 }
  let ended = 0
  running.add(name, () => void ended++)
  running.cancel(name)
  t.equal(ended, 0, 'it could be the call of another client')
})

t.test('two calls of one name both end', async (t) => {
  const running = createRunning()
  const name = { link: 'l', session: 's', id: 1 }
  let ended = 0
  const [first] = [0, 1].map(() => running.add(name, () => void ended++))
  first?.()
  running.add(name, () => void ended++)
  running.cancel(name)
  t.equal(ended, 2)
})
