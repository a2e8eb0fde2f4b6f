import { inspect } from 'node:util'
import type { Secret } from './port.ts'

/**
 * A secret that shows itself to nobody who does not ask by `reveal`: printing, inspecting, serialising and cloning
 * give its redacted copy or nothing.
 */
export class SecretText implements Secret {
  readonly name: string
  // A private member is on no list of properties, so loggers, inspectors and JSON can not come upon it.
  readonly #value: string

  constructor(name: string, value: string) {
    this.name = name
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  redacted(): string {
    return `[secret ${this.name}: ${Buffer.byteLength(this.#value)} bytes]`
  }

  toJSON(): string {
    return this.redacted()
  }

  toString(): string {
    return this.redacted()
  }

  [inspect.custom](): string {
    return this.redacted()
  }
}
