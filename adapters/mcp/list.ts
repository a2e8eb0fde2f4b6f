const MOST_PAGES = 1_000
const MOST_TOOLS = 10_000
const MOST_CHARACTERS = 33_554_432

/** Asks for page after page. Rejects for a page that is none, and for a list that goes on without an end. */
export async function listAll(
  page: (cursor: string | undefined) => Promise<unknown>,
): Promise<readonly unknown[]> {
  const tools: unknown[] = []
  const seen = new Set<string>()
  let characters = 0
  let cursor: string | undefined
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const read = readPage(await page(cursor))
    characters += JSON.stringify(read.tools).length
    tools.push(...read.tools)
    if (tools.length > MOST_TOOLS) throw new Error(`it lists more than ${MOST_TOOLS} tools`)
    if (characters > MOST_CHARACTERS)
      throw new Error(`its list has more than ${MOST_CHARACTERS} characters`)
    cursor = read.next
    if (cursor === undefined) return tools
    if (seen.has(cursor)) throw new Error('its list comes back to a page that it had')
    seen.add(cursor)
  }
  throw new Error(`its list has more than ${MOST_PAGES} pages`)
}

function readPage(page: unknown): { tools: readonly unknown[]; next: string | undefined } {
  if (typeof page === 'object' && page !== null && 'tools' in page && Array.isArray(page.tools)) {
    const next = 'nextCursor' in page ? page.nextCursor : undefined
    return { tools: page.tools, next: typeof next === 'string' ? next : undefined }
  }
  throw new Error('it does not list its tools')
}
