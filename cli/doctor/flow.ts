import { verifyLedger, type Offline } from '../../gateway/offline.ts'
import { grantRun, proxyVariables } from '../../sidecar/prepare.ts'
import { splitAddress } from '../../sidecar/probe.ts'
import { LAB_HOST, type Lab } from '../lab/lab.ts'
import { shell } from '../lab/shell.ts'
import { failed, ok, unproven, why, type Finding } from './finding.ts'
import { RUNTIMES, type Runtime } from './runtimes.ts'
import { onPath } from './programs.ts'

/** The environment of an agent in the lab. */
export async function agentEnvironment(lab: Lab, place: Offline): Promise<Lab['env']> {
  const gateway = splitAddress(lab.gateway.addresses.proxy)
  if (gateway === undefined) throw new Error(`unexpected address ${lab.gateway.addresses.proxy}`)
  const asked = { tools: ['HTTP_GET'], expires: '10m' }
  const grant = await grantRun(place, { asked, without: [], by: 'doctor' })
  // A fresh HOME, so that no setting of the operator's own helps; rustup finds its toolchains by HOME.
  const rustup = lab.env['RUSTUP_HOME'] ?? `${lab.env['HOME'] ?? ''}/.rustup`
  const own = {
    ...lab.env,
    HOME: lab.folder,
    CARGO_HOME: `${lab.folder}/cargo`,
    RUSTUP_HOME: rustup,
  }
  return { ...own, ...proxyVariables(place, { gateway, token: grant.token, own }) }
}

const REPAIR = 'run it by hand with NARROWGATE_DEBUG=1 narrowgate demo to see the answer whole'

/** One call that must pass and one that must not, through the whole way. */
export async function checkCalls(lab: Lab, env: Lab['env']): Promise<readonly Finding[]> {
  const call = (flags: string): Promise<{ stdout: string; stderr: string }> =>
    shell(`'${process.execPath}' client.mjs ${flags}`, { cwd: lab.folder, env })
  const allowed = await call(`https://${LAB_HOST}/ping`)
  const refused = await call(`-X DELETE https://${LAB_HOST}/ping`)
  return [
    allowed.stdout.includes('pong')
      ? ok('allowed call', 'went through and was answered')
      : failed('allowed call', complaint(allowed.stderr || allowed.stdout), REPAIR),
    refused.stdout.includes('tool_not_granted')
      ? ok('refused call', 'was refused with its reason')
      : failed('refused call', complaint(refused.stderr || refused.stdout), REPAIR),
  ]
}

/** The line of an output that says what went wrong: the first that names an error, else the last. */
function complaint(text: string): string {
  const lines = text.trim().split('\n')
  const line = lines.find((each) => /error|failed/i.test(each)) ?? lines.at(-1)
  return line === undefined || line === '' ? 'no answer' : line.slice(0, 200)
}

async function checkRuntime(runtime: Runtime, lab: Lab, env: Lab['env']): Promise<Finding> {
  const subject = `CA trust of ${runtime.program}`
  if (!onPath(runtime.program, env)) {
    return unproven(
      subject,
      'not on PATH',
      `nothing to do unless your agent uses ${runtime.program}`,
    )
  }
  const { line, expects, repair } = runtime.probe(`https://${LAB_HOST}`)
  const { stdout, stderr, exit } = await shell(line, { cwd: lab.folder, env, timeout: 20_000 })
  if (`${stdout}${stderr}`.includes(expects) && exit === 0) {
    return ok(subject, 'one HTTPS call through the gateway, with the printed variables alone')
  }
  return runtime.missing?.test(stderr) === true
    ? unproven(subject, complaint(stderr), repair)
    : failed(subject, complaint(stderr || stdout), repair)
}

/** Each runtime fetches over HTTPS with nothing but the printed variables. */
export async function checkTrust(lab: Lab, env: Lab['env']): Promise<readonly Finding[]> {
  for (const runtime of RUNTIMES) await runtime.prepare?.(lab.folder, `https://${LAB_HOST}`)
  const findings: Finding[] = []
  // One after the other: several JVMs and compilers at once only make each other time out.
  for (const runtime of RUNTIMES) findings.push(await checkRuntime(runtime, lab, env))
  return findings
}

/** The log of a state, checked hash by hash. */
export async function checkLedger(subject: string, folder: string): Promise<readonly Finding[]> {
  try {
    const { sound, records, faults } = await verifyLedger(folder)
    if (sound) return [ok(subject, `${records} records verified`)]
    const [first] = faults
    const seen =
      first === undefined ? 'not verified' : `${first.file} record ${first.record}: ${first.what}`
    return [
      failed(
        subject,
        seen,
        'keep the folder as it is and compare it with a copy: narrowgate ledger verify',
      ),
    ]
  } catch (error) {
    return [unproven(subject, why(error), 'start narrowgate serve once: it makes the ledger')]
  }
}
