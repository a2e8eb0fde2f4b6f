import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROWS } from '../rig/upstreams/api.ts'
import { checkLibrary, LIBRARY_URLS } from './library.ts'
import { matrix } from './matrix.ts'
import type { Client } from './matrix.ts'
import { SYSTEM_PATH } from './sandbox.ts'
import type { Sandbox } from './sandbox.ts'

/** A program that does all that `library.ts` looks at. */
function library(
  name: string,
  needs: readonly string[],
  argv: (box: Sandbox) => readonly string[],
): Client {
  return {
    name,
    needs,
    host: 'api.ng.test',
    call: (box) => box.exec([...argv(box), ...LIBRARY_URLS]),
    answered: (t, call) => checkLibrary(t, call.stdout),
    refusal: /tool_not_granted/,
  }
}

function java(name: string, program: string): Client {
  return {
    name,
    needs: ['java', 'javac'],
    host: 'api.ng.test',
    call: (box) => box.exec(['java', box.program(program), 'https://api.ng.test/rows']),
    answered: (t, call) => t.strictSame(JSON.parse(call.stdout), ROWS, 'the answer is right'),
    refusal: /tool_not_granted/,
  }
}

const MANIFEST = `
[package]
name = "consumer"
version = "0.1.0"
edition = "2021"

[dependencies]
ngdemo = { version = "1", registry = "rig" }
`
const REGISTRIES = '[registries.rig]\nindex = "sparse+https://crates.ng.test/index/"\n'
const LIBRARY = "pub fn greet() -> &'static str {\n    ngdemo::GREETING\n}\n"

/** The toolchain itself: rustup's stand-in of the same name looks for its toolchains in the home. */
function findCargo(): string {
  try {
    return execFileSync('rustup', ['which', 'cargo'], { encoding: 'utf8' }).trim()
  } catch {
    return '/usr/bin/cargo'
  }
}

const CARGO = findCargo()

const cargo: Client = {
  name: 'cargo',
  needs: [CARGO],
  host: 'crates.ng.test',
  call(box) {
    box.file('Cargo.toml', MANIFEST)
    box.file('.cargo/config.toml', REGISTRIES)
    box.file('src/lib.rs', LIBRARY)
    return box.exec([CARGO, 'build'], { PATH: `${dirname(CARGO)}:${SYSTEM_PATH}` })
  },
  answered(t, _call, { box }) {
    t.ok(existsSync(join(box.folder, 'target/debug/libconsumer.rlib')), 'the program is built')
    const crates = readdirSync(join(box.folder, '.cargo/registry/src'), { recursive: true })
    t.ok(
      crates.some((path) => String(path).endsWith('ngdemo-1.0.0/src/lib.rs')),
      'from the crate',
    )
  },
  refusal: /403[^]*tool_not_granted/,
}

matrix(
  'Other languages',
  cargo,
  java('Java HttpClient', 'ModernFetch.java'),
  java('Java HttpsURLConnection', 'ClassicFetch.java'),
  library('Perl LWP', ['perl', '/usr/share/perl5/LWP/Protocol/https.pm'], (box) => [
    'perl',
    box.program('library.pl'),
  ]),
  library('PHP curl', ['php'], (box) => [
    'php',
    '-d',
    `curl.cainfo=${box.variables['SSL_CERT_FILE']}`,
    box.program('library.php'),
  ]),
  library('Ruby Net::HTTP', ['ruby'], (box) => ['ruby', box.program('library.rb')]),
)
