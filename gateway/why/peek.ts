import type { UseCounters } from '../../policy/index.ts'

/** Counters that are looked at and never moved: what would be spent is told, and nothing is taken. */
export function peekingAt({ read }: Pick<UseCounters, 'read'>): UseCounters {
  return {
    read,
    async reserve(lines) {
      const used = await read(lines.map(({ link }) => link))
      const spent = lines
        .map(({ link, limit }) => ({ link, limit, used: used.get(link) ?? 0 }))
        .filter((line) => line.used >= line.limit)
      if (spent.length > 0) return { ok: false, spent }
      return { ok: true, reservation: { links: lines.map(({ link }) => link) } }
    },
    giveBack: async () => {},
  }
}
