import { refusal, type Refusal } from '../refusal.ts'

/** A value that an earlier answer does not have. */
export function problemOfSource(path: string): Refusal {
  return refusal('dependency_failed', '$from', {
    got: `no value at \`${path.slice(0, 128)}\``,
    repair: 'name a member that the answer has, as `key.member.0`',
  })
}

/** A call that was not made since one that it needs did not come to anything. */
export function problemOfNeed(key: string): Refusal {
  return refusal('dependency_failed', 'with', {
    got: `\`${key}\` did not succeed`,
    repair: `see what became of \`${key}\`, and send both again`,
  })
}
