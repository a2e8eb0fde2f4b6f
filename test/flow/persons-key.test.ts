import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { startGateway } from '../../gateway/main.ts'
import { prepare } from '../helpers/gateway.ts'
import { askOwner } from '../helpers/owner.ts'

const SEAL = 'eS8J2mQvX4nTzR7kL0wYc5HbGd1FpUaV'
const OTHER = 'qR5tY8uI2oP4aS7dF0gH3jK6lZ9xC1vB'

t.test('a start under another persons.key, or none, says what cannot be opened', async (t) => {
  const {
    folder: cwd,
    configFile,
    state,
  } = await prepare(t, {
    keys: [{ secret: undefined, personal: true, header: 'x-key' }],
    config: { persons: { key: { command: ['printf', '%s', SEAL] } } },
  })
  const start = () => startGateway({ configFile, state, log: 'silent', env: {}, cwd })
  const gateway = await start()
  await askOwner({ gateway, state }, 'POST', '/api/persons', { id: 'alice' })
  const value = 'sk-alice-0123456789'
  const path = '/api/persons/alice/keys/plain-0'
  t.equal((await askOwner({ gateway, state }, 'PUT', path, { value })).status, 200)
  await gateway.stop()

  const right = readFileSync(configFile, 'utf8')
  writeFileSync(configFile, right.replace(SEAL, OTHER))
  await t.rejects(start(), {
    name: 'StartProblem',
    problems: [{ path: 'persons.key', got: /key `plain-0` of `alice` cannot be opened/ }],
  })
  writeFileSync(configFile, right)
  const again = await start()
  t.match((await askOwner({ gateway: again, state }, 'GET', '/api/persons')).body, {
    persons: [{ id: 'alice', keys: ['plain-0'] }],
  })
  await again.stop()
})
