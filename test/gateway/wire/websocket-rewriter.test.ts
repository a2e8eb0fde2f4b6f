import fc from 'fast-check'
import t from 'tap'
import { createRedactor } from '../../../gateway/wire/redactor.ts'
import { createTextKeys } from '../../../gateway/wire/text-keys.ts'
import {
  closeFrame,
  FrameReader,
  frameOf,
  OPCODES,
} from '../../../gateway/wire/websocket-frames.ts'
import type { FrameHead } from '../../../gateway/wire/websocket-frames.ts'
import { WebSocketRewriter } from '../../../gateway/wire/websocket-rewriter.ts'
import type { MessageStep } from '../../../gateway/wire/websocket-rewriter.ts'
import { ENCODINGS, readings } from './secret-spelling.ts'

const KEY = 'sk-wire/7Qd+93?xK=41~zWm'
const PLACEHOLDER = '__wire_key__'

interface Frame extends FrameHead {
  readonly payload: Buffer
}

function framesOf(bytes: Buffer, fromClient: boolean): readonly Frame[] {
  const frames: Frame[] = []
  let head: FrameHead = { fin: true, opcode: 0 }
  let parts: Buffer[] = []
  const reader = new FrameReader(
    {
      head: (next) => ([head, parts] = [next, []]),
      payload: (piece) => parts.push(piece),
      end: () => frames.push({ ...head, payload: Buffer.concat(parts) }),
    },
    fromClient,
  )
  reader.push(bytes)
  return frames
}

/** The messages of a stream of frames; control frames are told apart. */
function messagesOf(bytes: Buffer, fromClient: boolean): readonly string[] {
  const messages: string[] = []
  let text = ''
  for (const { fin, opcode, payload } of framesOf(bytes, fromClient)) {
    if (opcode >= OPCODES.close) messages.push(`control ${opcode} ${payload.toString('latin1')}`)
    else {
      text += payload.toString('latin1')
      if (fin) messages.push(text)
      if (fin) text = ''
    }
  }
  return messages
}

/** One message in fragments of these sizes, each with a ping behind it. */
function fragments(text: Buffer, sizes: readonly number[], fromClient: boolean): Buffer {
  const out: Buffer[] = []
  let at = 0
  for (const [index, size] of [...sizes, text.length].entries()) {
    const payload = text.subarray(at, at + size)
    at += payload.length
    const fin = index === sizes.length
    const opcode = index === 0 ? OPCODES.text : OPCODES.continuation
    out.push(frameOf({ fin, opcode }, payload, fromClient))
    if (!fin) out.push(frameOf({ fin: true, opcode: OPCODES.ping }, Buffer.from('p'), fromClient))
  }
  return Buffer.concat(out)
}

function rewrite(bytes: Buffer, splits: readonly number[], rewriter: WebSocketRewriter): Buffer {
  const out: Buffer[] = []
  let at = 0
  for (const size of splits) {
    out.push(rewriter.push(bytes.subarray(at, at + size)))
    at += size
  }
  out.push(rewriter.push(bytes.subarray(at)))
  return Buffer.concat(out)
}

const sizes = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 12 })
const redactor = createRedactor([{ name: 'k', value: KEY }])

function masking(): WebSocketRewriter {
  return new WebSocketRewriter({
    fromClient: false,
    message: () => redactor.stream(),
    control(payload) {
      const stream = redactor.stream()
      return Buffer.concat([stream.push(payload), stream.flush()])
    },
  })
}

function keying(): WebSocketRewriter {
  const texts = { keys: new Map([[PLACEHOLDER, KEY]]), foreign: new Map() }
  return new WebSocketRewriter({
    fromClient: true,
    message: (kind) => (kind === 'text' ? createTextKeys(texts) : undefined),
    control: (payload) => payload,
  })
}

t.test('no form of a key is read in a message, however it is fragmented and split', async (t) => {
  for (const [name, encode] of Object.entries(ENCODINGS)) {
    const property = fc.property(
      sizes,
      sizes,
      fc.infiniteStream(fc.nat()),
      (cuts, splits, picks) => {
        const said = encode(KEY, () => picks.next().value ?? 0)
        const bytes = fragments(Buffer.from(`begin ${said} end`), cuts, false)
        const [text = ''] = messagesOf(rewrite(bytes, splits, masking()), false).filter(
          (message) => !message.startsWith('control'),
        )
        return (
          text.startsWith('begin ') &&
          text.endsWith(' end') &&
          !readings(text).some((reading) => reading.includes(KEY))
        )
      },
    )
    t.doesNotThrow(() => fc.assert(property, { numRuns: 60 }), name)
  }
})

t.test('a placeholder is replaced in every split, and pings keep coming', async (t) => {
  const text = `a ${PLACEHOLDER} b __wire_key_ c ${PLACEHOLDER}${PLACEHOLDER} __wire_`
  const expected = text.replaceAll(PLACEHOLDER, KEY)
  fc.assert(
    fc.property(sizes, sizes, (cuts, splits) => {
      const bytes = fragments(Buffer.from(text), cuts, true)
      const messages = messagesOf(rewrite(bytes, splits, keying()), true)
      const pings = messages.filter((message) => message === 'control 9 p')
      return messages.at(-1) === expected && pings.length === cuts.length
    }),
  )
  t.equal(messagesOf(keying().push(fragments(Buffer.from(text), [], true)), true)[0], expected)
})

t.test('binary messages of a client, and their length, stay', async (t) => {
  const payload = Buffer.from(`x${PLACEHOLDER}`.repeat(10_000))
  const frame = frameOf({ fin: true, opcode: OPCODES.binary }, payload, true)
  const frames = framesOf(keying().push(frame), true)
  t.ok(frames[0]?.payload.equals(payload))
  t.equal(frames.length, 1)
})

t.test('a key in the reason of a close frame is masked', async (t) => {
  const [said] = messagesOf(masking().push(closeFrame(1011, KEY, false)), false)
  t.ok(said?.endsWith('*'.repeat(KEY.length)))
})

t.test('what was pushed goes out at once, but for a tail that begins a key', async (t) => {
  const rewriter = masking()
  const first = frameOf({ fin: false, opcode: OPCODES.text }, Buffer.from('live sk-wi'), false)
  t.same(messagesAnd(rewriter.push(first)), ['live '])
  const ping = frameOf({ fin: true, opcode: OPCODES.ping }, Buffer.alloc(0), false)
  t.equal(
    framesOf(rewriter.push(ping), false)[0]?.opcode,
    OPCODES.ping,
    'control frames do not wait',
  )
  const last = frameOf({ fin: true, opcode: OPCODES.continuation }, Buffer.from('n'), false)
  t.same(messagesAnd(rewriter.push(last)), ['sk-win'])
  const large = frameOf({ fin: true, opcode: OPCODES.binary }, Buffer.alloc(100_000, 'y'), false)
  const begun = framesOf(rewriter.push(large.subarray(0, 50_000)), false)
  t.ok((begun[0]?.payload.length ?? 0) > 49_900, 'a payload passes in the pieces in which it comes')
  t.equal(begun[0]?.fin, false)
})

function messagesAnd(bytes: Buffer): readonly string[] {
  return framesOf(bytes, false).map(({ payload }) => payload.toString())
}

t.test('what cannot be looked into is refused', async (t) => {
  const text = { fin: true, opcode: OPCODES.text }
  const clients = frameOf(text, Buffer.from('x'), true)
  const servers = frameOf(text, Buffer.from('x'), false)
  const broken: Readonly<Record<string, Buffer>> = {
    'a reserved bit, as compression sets it': Buffer.of(0xc1, 1, 0),
    'an opcode that is not known': Buffer.of(0x83, 1, 0),
    'a mask from a server': clients,
    'a fragment of nothing': frameOf({ fin: true, opcode: 0 }, Buffer.from('x'), false),
    'a ping in parts': Buffer.of(0x09, 0),
    'a ping that is too long': Buffer.concat([Buffer.of(0x89, 126, 0, 200), Buffer.alloc(200)]),
    'an endless payload': Buffer.concat([Buffer.of(0x82, 127), Buffer.alloc(8, 0x7f)]),
    'a message within a message': Buffer.concat([
      frameOf({ fin: false, opcode: OPCODES.text }, Buffer.from('x'), false),
      servers,
    ]),
  }
  for (const [what, bytes] of Object.entries(broken))
    t.throws(() => masking().push(bytes), { name: 'FrameFault' }, what)
  t.throws(() => keying().push(servers), { name: 'FrameFault' }, 'no mask from a client')
})

t.test('a placeholder of another host stops the message', async (t) => {
  const fault = new Error('foreign')
  const step: MessageStep = createTextKeys({
    keys: new Map(),
    foreign: new Map([[PLACEHOLDER, () => fault]]),
  })
  t.equal(step.push(Buffer.from('a __wire_')).toString(), 'a ')
  t.throws(() => step.push(Buffer.from('key__')), fault)
})
