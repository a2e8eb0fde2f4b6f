import { createByteBuffer, type ByteBuffer } from './bytes.ts'
import { ProjectionFault } from './fault.ts'
import type { SpelledName } from './names.ts'

/** A container that is being written piece by piece. */
export interface OpenContainer {
  /** Its closing byte. */
  readonly close: number
  count: number
  /** Members whose value was written in pieces: a later copy of another type takes them back. */
  members: WrittenMember[] | undefined
}

interface WrittenMember {
  readonly name: string
  from: number
  to: number
}

const LINE_FEED = 0x0a
const RETURN = 0x0d
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

/** What is written and not yet given away. Places count from the first byte ever written. */
export class Output {
  readonly #buffer = createByteBuffer()
  /** Bytes given away, and the place before which nothing can be taken back. */
  #drained = 0
  #sealed = 0

  /** The place behind the last byte. */
  get place(): number {
    return this.#drained + this.#buffer.length
  }

  /** Bytes not yet given away. */
  get held(): number {
    return this.#buffer.length
  }

  append(bytes: Uint8Array, from = 0, to = bytes.length): void {
    this.#buffer.append(bytes, from, to)
  }

  /** Appends without line ends: a raw one can only be white space, and a row must stay on its line. */
  appendOnLine(bytes: Uint8Array, from: number, to: number): void {
    let start = from
    for (let at = from; at < to; at++) {
      if (bytes[at] !== LINE_FEED && bytes[at] !== RETURN) continue
      this.#buffer.append(bytes, start, at)
      start = at + 1
    }
    this.#buffer.append(bytes, start, to)
  }

  /** Drops what lies behind `place`. */
  truncate(place: number): void {
    this.#buffer.truncate(place - this.#drained)
  }

  copy(from: number): Uint8Array {
    return this.#buffer.copy(from - this.#drained)
  }

  /** Writes the comma that an element of `container` needs, and its name; gives the place of the name. */
  element(container: OpenContainer | undefined, name: SpelledName | undefined): number {
    if (container !== undefined && container.count++ > 0) this.#buffer.add(COMMA)
    const from = this.place
    if (name !== undefined) {
      this.#buffer.append(name.bytes, name.from, name.to)
      this.#buffer.add(COLON)
    }
    return from
  }

  open(isObject: boolean): OpenContainer {
    this.#buffer.add(isObject ? OPEN_OBJECT : OPEN_ARRAY)
    return { close: isObject ? CLOSE_OBJECT : CLOSE_ARRAY, count: 0, members: undefined }
  }

  close(container: OpenContainer): void {
    this.#buffer.add(container.close)
  }

  /** Notes that the member at `from` was written in pieces and ends here. */
  wrote(container: OpenContainer, name: string, from: number): void {
    container.members ??= []
    container.members.push({ name, from, to: this.place })
  }

  /** Takes back the copies of a member whose last copy is left out. */
  retract(container: OpenContainer, name: string, offset: number): void {
    const members = container.members ?? []
    // From the last to the first, so that the places of those still to come stay true.
    for (let at = members.length - 1; at >= 0; at--) {
      const member = members[at]!
      if (member.name !== name) continue
      if (member.from < this.#sealed) throw new ProjectionFault('duplicate_member', offset)
      members.splice(at, 1)
      cutMember(container, member, { buffer: this.#buffer, drained: this.#drained })
    }
  }

  /** Fixes what was written so far: from now on it cannot be taken back. */
  seal(): void {
    this.#sealed = this.place
  }

  /** Gives away what lies before `place`. */
  drain(place: number): Uint8Array {
    const bytes = this.#buffer.copy(0, place - this.#drained)
    this.#buffer.cut(0, bytes.length)
    this.#drained = place
    this.#sealed = Math.max(this.#sealed, place)
    return bytes
  }

  /** Gives away all that is left; nothing is written after it. */
  take(): Uint8Array {
    return this.#buffer.take()
  }
}

interface Place {
  readonly buffer: ByteBuffer
  readonly drained: number
}

/** Cuts a member and one comma beside it. */
function cutMember(
  container: OpenContainer,
  member: WrittenMember,
  { buffer, drained }: Place,
): void {
  let [from, to] = [member.from, member.to]
  if (buffer.byteAt(from - drained - 1) === COMMA) from--
  else if (buffer.byteAt(to - drained) === COMMA) to++
  buffer.cut(from - drained, to - drained)
  container.count--
  for (const other of container.members ?? []) {
    if (other.from < to) continue
    other.from -= to - from
    other.to -= to - from
  }
}
