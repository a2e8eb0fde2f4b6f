import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { matrix } from './matrix.ts'
import { SYSTEM_PATH } from './sandbox.ts'

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

const cargo = findCargo()

matrix({
  name: 'cargo build',
  needs: [cargo],
  host: 'crates.ng.test',
  call(box) {
    box.file('Cargo.toml', MANIFEST)
    box.file('.cargo/config.toml', REGISTRIES)
    box.file('src/lib.rs', LIBRARY)
    return box.exec([cargo, 'build'], { PATH: `${dirname(cargo)}:${SYSTEM_PATH}` })
  },
  answered(t, _call, box) {
    t.ok(existsSync(join(box.folder, 'target/debug/libconsumer.rlib')), 'the program is built')
    const crates = readdirSync(join(box.folder, '.cargo/registry/src'), { recursive: true })
    t.ok(
      crates.some((path) => String(path).endsWith('ngdemo-1.0.0/src/lib.rs')),
      'from the crate',
    )
  },
  refusal: /403[^]*tool_not_granted/,
})
