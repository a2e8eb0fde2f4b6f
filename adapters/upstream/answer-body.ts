import { Readable } from 'node:stream'
import { Fault, toFault } from './fault.ts'
import { createTimer } from './timer.ts'

export interface AnswerBodyOptions {
  readonly peer: string
  /** Milliseconds that the upstream may be silent while bytes of it are wanted. */
  readonly idle: number
  /** Asked at the source's end: a fault where it is not the answer's. */
  readonly onEnd?: () => Fault | undefined
  /** Called once, when the body has ended, broken off or been given up. */
  readonly onClose: () => void
}

/**
 * The body of an answer, with faults for errors. One buffer is read ahead, and a slow reader
 * is not held against the upstream. Destroying it early closes the upstream's connection through `onClose`.
 */
export function createAnswerBody(source: Readable, options: AnswerBodyOptions): Readable {
  const { peer, idle, onClose } = options
  const timer = createTimer(idle, () =>
    body.destroy(
      new Fault(
        'upstream_timeout',
        `${peer} was silent for \`${idle}\` ms within its answer; raise the idle timeout`,
        {
          sent: 'unknown',
        },
      ),
    ),
  )
  const body = new Readable({
    read() {
      timer.start()
      source.resume()
    },
    destroy(error, done) {
      timer.stop()
      onClose()
      done(error)
    },
  })
  source.on('data', (chunk: Buffer) => {
    if (body.push(chunk)) return timer.start()
    timer.stop()
    source.pause()
  })
  source.on('end', () => {
    timer.stop()
    const fault = options.onEnd?.()
    if (fault === undefined) body.push(null)
    else body.destroy(fault)
  })
  source.on('error', (error) => body.destroy(toFault(error, 'unknown', peer)))
  source.pause()
  // Fills the first buffer, so that an answer without a body gives its connection back unread.
  body.read(0)
  return body
}
