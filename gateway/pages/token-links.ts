/** An address under which a token can be used, with the token in it. */
export interface TokenLink {
  readonly name: string
  readonly says: string
  readonly url: string
}

/** The three links that every token is given out with; `base` is where holders reach the gateway. */
export function tokenLinks(base: string, token: string): readonly TokenLink[] {
  const own = `${base}/g/${token}`
  return [
    { name: 'Link', says: 'for a person: what the token allows', url: own },
    { name: 'REST', says: 'for a program: runs a tool', url: `${own}/run` },
    { name: 'MCP', says: 'for a model: its tools', url: `${own}/mcp` },
  ]
}
