import { createByteBuffer, type ByteBuffer } from './bytes.ts'
import { ProjectionFault } from './fault.ts'

/** A container that is being written piece by piece. */
export interface OpenContainer {
  readonly close: Uint8Array
  count: number
  /** Members whose value was written in pieces: a later copy of another type takes them back. */
  readonly members: WrittenMember[]
}

interface WrittenMember {
  readonly name: string
  from: number
  to: number
}

/** What is written and not yet given away. Places count from the first byte ever written. */
export interface Output {
  /** The place behind the last byte. */
  readonly place: number
  /** Bytes not yet given away. */
  readonly held: number
  append(bytes: Uint8Array, from?: number, to?: number): void
  /** Drops what lies behind `place`. */
  truncate(place: number): void
  copy(from: number): Uint8Array
  /** Writes the comma that an element of `container` needs, and its name; gives the place of the name. */
  element(container: OpenContainer | undefined, name: Uint8Array | undefined): number
  open(isObject: boolean): OpenContainer
  close(container: OpenContainer): void
  /** Notes that the member at `from` was written in pieces and ends here. */
  wrote(container: OpenContainer, name: string, from: number): void
  /** Takes back the copies of a member whose last copy is left out. */
  retract(container: OpenContainer, name: string, offset: number): void
  /** Fixes what was written so far: from now on it cannot be taken back. */
  seal(): void
  /** Gives away what lies before `place`. */
  drain(place: number): Uint8Array
}

const COMMA = 0x2c
const COMMA_BYTES = Uint8Array.of(COMMA)
const COLON_BYTES = Uint8Array.of(0x3a)
const OPEN_OBJECT = Uint8Array.of(0x7b)
const CLOSE_OBJECT = Uint8Array.of(0x7d)
const OPEN_ARRAY = Uint8Array.of(0x5b)
const CLOSE_ARRAY = Uint8Array.of(0x5d)

export function createOutput(): Output {
  const buffer = createByteBuffer()
  /** Bytes given away, and the place before which nothing can be taken back. */
  let drained = 0
  let sealed = 0

  return {
    get place() {
      return drained + buffer.length
    },
    get held() {
      return buffer.length
    },
    append: (bytes, from, to) => buffer.append(bytes, from, to),
    truncate: (place) => buffer.truncate(place - drained),
    copy: (from) => buffer.copy(from - drained),
    element(container, name) {
      if (container !== undefined && container.count++ > 0) buffer.append(COMMA_BYTES)
      const from = drained + buffer.length
      if (name !== undefined) {
        buffer.append(name)
        buffer.append(COLON_BYTES)
      }
      return from
    },
    open(isObject) {
      buffer.append(isObject ? OPEN_OBJECT : OPEN_ARRAY)
      return { close: isObject ? CLOSE_OBJECT : CLOSE_ARRAY, count: 0, members: [] }
    },
    close: (container) => buffer.append(container.close),
    wrote(container, name, from) {
      container.members.push({ name, from, to: drained + buffer.length })
    },
    retract(container, name, offset) {
      // From the last to the first, so that the places of those still to come stay true.
      for (let at = container.members.length - 1; at >= 0; at--) {
        const member = container.members[at]!
        if (member.name !== name) continue
        if (member.from < sealed) throw new ProjectionFault('duplicate_member', offset)
        container.members.splice(at, 1)
        cutMember(container, member, { buffer, drained })
      }
    },
    seal() {
      sealed = drained + buffer.length
    },
    drain(place) {
      const bytes = buffer.copy(0, place - drained)
      buffer.cut(0, bytes.length)
      drained = place
      sealed = Math.max(sealed, place)
      return bytes
    },
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
  for (const other of container.members) {
    if (other.from < to) continue
    other.from -= to - from
    other.to -= to - from
  }
}
