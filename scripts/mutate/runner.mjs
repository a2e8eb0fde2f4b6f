import { readdirSync } from 'node:fs'
import { register } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import './quiet.mjs'
import fc from 'fast-check'
import { t } from 'tap'
import { register as registerTsx } from 'tsx/esm/api'

/** Files that go last, since most mutants need none of them to be seen. */
const SLOW = /^cedar|propert|planted|hostile/
const stryker = (globalThis.__stryker__ ??= {})

/**
 * A test runner of StrykerJS for policy's tap tests. Starting a process takes longer than most of them, so they run
 * in one, each file as a subtest, with policy loaded anew for every mutant.
 */
class PolicyTestRunner {
  static inject = []
  #run = 0
  /** The folder of policy's tests in the sandbox, into which the process goes only after this file was loaded. */
  #tests = ''

  capabilities() {
    return { reloadEnvironment: true }
  }

  async init() {
    register('./fresh.mjs', import.meta.url)
    registerTsx()
    fc.configureGlobal({ seed: 1 })
    this.#tests = join(process.cwd(), 'test/policy')
  }

  async dryRun() {
    const tests = []
    for (const file of testFiles(this.#tests)) {
      const started = performance.now()
      const failed = await this.#runFile(file)
      const timeSpentMs = performance.now() - started
      const status = failed === undefined ? 0 : 1
      const fileName = join(this.#tests, file)
      tests.push({ id: file, name: file, fileName, status, timeSpentMs, failureMessage: failed })
    }
    return { status: 'complete', tests, mutantCoverage: stryker.mutantCoverage }
  }

  async mutantRun({ activeMutant, mutantActivation, testFilter, hitLimit }) {
    Object.assign(stryker, { hitCount: hitLimit && 0, hitLimit })
    const wanted = testFilter ?? testFiles(this.#tests)
    const files = wanted.toSorted((a, b) => Number(SLOW.test(a)) - Number(SLOW.test(b)))
    this.#run++
    const isStatic = mutantActivation === 'static'
    for (const [index, file] of files.entries()) {
      const failed = await this.#runFile(file, activeMutant.id, isStatic)
      if (failed === undefined) continue
      return { status: 'killed', killedBy: [file], failureMessage: failed, nrOfTests: index + 1 }
    }
    return { status: 'survived', nrOfTests: files.length }
  }

  /** Says that the file failed, if it did. */
  async #runFile(file, mutant, isStatic = true) {
    stryker.activeMutant = isStatic ? mutant : undefined
    let failures = 0
    const done = t.test(`${this.#run} ${file}`, async (child) => {
      globalThis.mutationTest = child
      child.on('complete', ({ fail }) => (failures = fail))
      stryker.currentTestId = undefined
      await import(this.#fresh('../../policy/index.ts')).catch(() => undefined)
      stryker.activeMutant = mutant
      stryker.currentTestId = file
      await import(this.#fresh(file))
    })
    await done
    stryker.activeMutant = undefined
    stryker.currentTestId = undefined
    return failures === 0 ? undefined : `${failures} failed in ${file}`
  }

  /** The address of a module, given from the folder of policy's tests, for this run alone. */
  #fresh(file) {
    return `${pathToFileURL(join(this.#tests, file)).href}?run=${this.#run}`
  }
}

function testFiles(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.test.ts')).toSorted()
}

export const strykerPlugins = [
  { kind: 'TestRunner', name: 'policy', injectableClass: PolicyTestRunner },
]
