import t from 'tap'
import type { Finding } from '../../cli/doctor/finding.ts'
import { narrowgate } from './process.ts'

t.test('doctor proves what it can here, and says what it cannot', async (t) => {
  const ran = await narrowgate(['doctor', '--state', 'state', '--json'], {
    cwd: t.testdir(),
    timeout: 100_000,
  })
  const findings = JSON.parse(ran.stdout) as readonly Finding[]
  const result = (subject: string) => findings.find((each) => each.subject === subject)?.result
  for (const subject of ['clock', 'cedar', 'allowed call', 'refused call', 'ledger of the calls']) {
    t.equal(result(subject), 'ok', subject)
  }
  t.equal(result('state'), 'unproven', 'there is no state yet')
  for (const { subject, result: found, seen, repair } of findings) {
    t.not(seen, '', subject)
    if (found !== 'ok') t.type(repair, 'string', `${subject} has a repair`)
    if (subject.startsWith('CA trust of')) t.not(found, 'failed', `${subject}: ${seen}`)
  }
  t.equal(ran.exit, findings.some(({ result: found }) => found === 'failed') ? 1 : 0)
})
