import { CONTESTANTS, ROUNDS, SECONDS, WARM_UP_SECONDS, CONNECTIONS } from './config.ts'
import { checkAnswer } from './check.ts'
import { load, type Sample } from './load.ts'
import { canPin, pinSelf, start, stop, type Running } from './processes.ts'
import { report } from './report.ts'

/**
 * Every contestant brings the same answer from the same target, in turns within one run; what is compared is
 * the CPU time that each needs for a request, since that holds on a shared machine. Answers are checked first.
 */
const LOAD_CORE = 0
const PROXY_CORE = 1

console.log(
  `${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s each, Node ${process.version}, ` +
    (canPin ? 'proxies on one core, target and load on another' : 'cores are not pinned'),
)
pinSelf(LOAD_CORE)
const target = await start('target', [], LOAD_CORE)
const running: { name: (typeof CONTESTANTS)[number]; one: Running; samples: Sample[] }[] = []
try {
  for (const name of CONTESTANTS) {
    const one = await start(`contestants/${name}`, [target.ready.address], PROXY_CORE)
    running.push({ name, one, samples: [] })
    await checkAnswer(one.ready, target.ready.address, name === 'narrowgate')
    await load(measured(one, name), WARM_UP_SECONDS)
  }
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const { name, one, samples } of running) {
      samples.push(await load(measured(one, name), SECONDS))
      process.stderr.write(`round ${round} of ${ROUNDS}: ${name}\n`)
    }
  }
  const { text, held } = report(
    running.map(({ name, one, samples }) => ({ name, says: one.ready.says, samples })),
  )
  console.log(text)
  process.exitCode = held ? 0 : 1
} finally {
  for (const { one } of running) await stop(one)
  await stop(target)
}

/** Without a proxy the process to be measured is the target itself. */
function measured(one: Running, name: string): Running {
  return name === 'direct' ? { ...one, pid: target.pid } : one
}
