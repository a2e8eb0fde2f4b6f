import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'
import './quiet.mjs'
import { t } from 'tap'
import { bundleText, makeBundles, testFiles } from './bundles.mjs'

// As the gateway does: hot loops over WebAssembly end the process without it.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--no-turbo-inline-js-wasm-calls')

const CEDAR = '@cedar-policy/cedar-wasm/nodejs'
const stryker = (globalThis.__stryker__ ??= {})

/**
 * A test runner of StrykerJS for policy's tap tests. Starting a process, and loading modules, takes longer than most of
 * them, so they run in one process, each file as a subtest: a script in which policy is bundled is run anew for every
 * mutant, the quickest first.
 */
class PolicyTestRunner {
  static inject = []
  #run = 0
  /** The folder of policy's tests in the sandbox, into which the process goes only after this file was loaded. */
  #tests = ''
  #out = ''
  #require
  #scripts = new Map()
  #times = {}

  capabilities() {
    return { reloadEnvironment: true }
  }

  async init() {
    this.#tests = join(process.cwd(), 'test/policy')
    this.#out = join(process.cwd(), '.bundles')
    await makeBundles(this.#tests, this.#out)
    this.#require = requireFrom(join(process.cwd(), 'package.json'))
    // A counterexample is enough; nobody reads a smaller one.
    this.#require('fast-check').configureGlobal({ seed: 1, endOnFailure: true })
    if (existsSync(this.#timesFile)) this.#times = JSON.parse(readFileSync(this.#timesFile, 'utf8'))
  }

  get #timesFile() {
    return join(this.#out, 'done')
  }

  async dryRun() {
    const tests = []
    for (const file of testFiles(this.#tests)) {
      const started = performance.now()
      const failed = await this.#runFile(file)
      const timeSpentMs = performance.now() - started
      this.#times[file] = timeSpentMs
      const fileName = join(this.#tests, file)
      const status = failed === undefined ? 0 : 1
      tests.push({ id: file, name: file, fileName, status, timeSpentMs, failureMessage: failed })
    }
    writeFileSync(this.#timesFile, JSON.stringify(this.#times))
    return { status: 'complete', tests, mutantCoverage: stryker.mutantCoverage }
  }

  async mutantRun({ activeMutant, mutantActivation, testFilter, hitLimit }) {
    Object.assign(stryker, { hitCount: hitLimit && 0, hitLimit })
    const wanted = testFilter ?? testFiles(this.#tests)
    const files = wanted.toSorted((a, b) => (this.#times[a] ?? 0) - (this.#times[b] ?? 0))
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
  async #runFile(file, mutant, isStatic = false) {
    let failures = 0
    await t.test(`${this.#run} ${file}`, { silent: true }, async (child) => {
      globalThis.mutationTest = stopping(child, { failed: false })
      child.on('complete', ({ fail }) => (failures = fail))
      stryker.activeMutant = isStatic ? mutant : undefined
      stryker.currentTestId = undefined
      stryker.loaded = () => {
        stryker.activeMutant = mutant
        stryker.currentTestId = file
      }
      this.#scriptOf(file)(this.#require, { exports: {} }, {})
    })
    stryker.activeMutant = undefined
    stryker.currentTestId = undefined
    return failures === 0 ? undefined : `${failures} failed in ${file}`
  }

  #scriptOf(file) {
    let script = this.#scripts.get(file)
    if (script === undefined) {
      const text = bundleText(this.#out, file)
      script = new Script(`(function (require, module, exports) {${text}\n})`, { filename: file })
      this.#scripts.set(file, script)
    }
    return script.runInThisContext()
  }
}

const ASSERTIONS = new Set(
  'ok notOk equal not same notSame strictSame strictNotSame match notMatch has throws doesNotThrow fail'.split(
    ' ',
  ),
)

/** The same test, which ends where the first assertion of the file fails: no more is asked of it. */
function stopping(test, file) {
  const start = (work) => async (inner) => {
    if (file.failed) return
    try {
      await work(stopping(inner, file))
    } catch (error) {
      file.failed = true
      throw error
    }
  }
  const replaced = {
    test: (...args) => test.test(...args.slice(0, -1), start(args.at(-1))),
  }
  return new Proxy(test, {
    get(_, name) {
      if (name in replaced) return replaced[name]
      const member = test[name]
      if (typeof member !== 'function') return member
      if (!ASSERTIONS.has(name)) return member.bind(test)
      return (...args) => {
        const held = member.apply(test, args)
        if (held === false) throw new Error('an assertion failed')
        return held
      }
    },
  })
}

/** Packages as they are, but the policy engine, of which every run has an instance of its own: a mutant may end one. */
function requireFrom(place) {
  const require = createRequire(place)
  rememberCompiled()
  const file = require.resolve(CEDAR)
  const names = Object.keys(require(file))
  const fresh = () => {
    delete require.cache[file]
    return require(file)
  }
  return (name) => (name === CEDAR ? lazily(names, fresh) : require(name))
}

function lazily(names, load) {
  let loaded
  const get = (name) => () => (loaded ??= load())[name]
  return Object.defineProperties(
    {},
    Object.fromEntries(names.map((name) => [name, { enumerable: true, get: get(name) }])),
  )
}

/** A WebAssembly module is compiled once, however often it is instantiated. */
function rememberCompiled() {
  const { Module } = WebAssembly
  const known = new Map()
  WebAssembly.Module = new Proxy(Module, {
    construct(target, [bytes]) {
      const key = bytes.byteLength
      if (!known.has(key)) known.set(key, new target(bytes))
      return known.get(key)
    },
  })
}

export const strykerPlugins = [
  { kind: 'TestRunner', name: 'policy', injectableClass: PolicyTestRunner },
]
