import type { Test } from 'tap'

/** Asserts of what a WebSocket program prints that its text and its large binary message came back. */
export function checkSocket(t: Test, output: string): void {
  const heard = JSON.parse(output) as { readonly text: string; readonly bytes: number }
  t.equal(heard.text, 'hello', 'a text comes back')
  t.equal(heard.bytes, 300_000, 'and so does a large binary message')
}
