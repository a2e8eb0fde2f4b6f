import type { VerbEntry, VerbGroup } from './verb.ts'

/** Every verb, in the order of the help. Loading one is left to its use, so that `--help` is fast. */
export const VERBS: readonly (VerbEntry | VerbGroup)[] = [
  {
    usage: 'demo',
    summary: 'see the whole job done on this machine, without network',
    load: async () => (await import('./verbs/demo.ts')).demo,
  },
  {
    usage: 'serve',
    summary: 'start the gateway',
    load: async () => (await import('./verbs/serve.ts')).serve,
  },
  {
    usage: 'run',
    summary: 'run a command behind the gateway with a token of its own',
    load: async () => (await import('./verbs/run.ts')).run,
  },
  {
    usage: 'env',
    summary: 'print the variables that put a program behind the gateway',
    load: async () => (await import('./verbs/env.ts')).env,
  },
  {
    usage: 'mcp',
    summary: 'join an MCP client on standard input and output to the gateway',
    load: async () => (await import('./verbs/mcp.ts')).mcp,
  },
  {
    usage: 'grant',
    summary: 'make, narrow, explain, check, leash and revoke tokens',
    verbs: [
      {
        usage: 'mint',
        summary: 'make a token',
        load: async () => (await import('./verbs/grant/mint.ts')).mint,
      },
      {
        usage: 'narrow <token> <caveats..>',
        summary: 'make a narrower token from one, offline',
        load: async () => (await import('./verbs/grant/narrow.ts')).narrow,
      },
      {
        usage: 'show <token>',
        summary: 'explain each line of a token in plain words',
        load: async () => (await import('./verbs/grant/show.ts')).show,
      },
      {
        usage: 'verify',
        summary: 'judge tokens from stdin, one JSON string per line',
        load: async () => (await import('./verbs/grant/verify.ts')).verify,
      },
      {
        usage: 'revoke <grant>',
        summary: 'end a grant, or everything made from one link on',
        load: async () => (await import('./verbs/grant/revoke.ts')).revoke,
      },
      {
        usage: 'leash <grant> <caveats..>',
        summary: 'put lines on a grant that was handed out',
        load: async () => (await import('./verbs/grant/leash.ts')).leash,
      },
      {
        usage: 'list',
        summary: 'list the grants that were minted here',
        load: async () => (await import('./verbs/grant/list.ts')).list,
      },
    ],
  },
  {
    usage: 'why <token> <method> <url> [body]',
    summary: 'say what would become of a call, line by line, without making it',
    load: async () => (await import('./verbs/why.ts')).why,
  },
  {
    usage: 'policy',
    summary: 'try another policy on calls that were made',
    verbs: [
      {
        usage: 'test <fixtures>',
        summary: 'replay recorded receipts against a changed policy',
        load: async () => (await import('./verbs/policy/test.ts')).test,
      },
    ],
  },
  {
    usage: 'find <question..>',
    summary: 'find the tools that a question in plain words means',
    load: async () => (await import('./verbs/find.ts')).find,
  },
  {
    usage: 'call <tool> [args..]',
    aliases: ['misc'],
    summary: 'call a tool by its name at a running gateway',
    load: async () => (await import('./verbs/call.ts')).call,
  },
  {
    usage: 'catalog',
    summary: 'make rows of API documents, and say how each is called',
    verbs: [
      {
        usage: 'import <document>',
        summary: 'make the rows of an OpenAPI document',
        load: async () => (await import('./verbs/catalog/import.ts')).importDocument,
      },
      {
        usage: 'ways <tool> [args..]',
        summary: 'print the texts by which a tool is called',
        load: async () => (await import('./verbs/catalog/ways.ts')).ways,
      },
    ],
  },
  {
    usage: 'ledger',
    summary: 'read and verify the receipts',
    verbs: [
      {
        usage: 'list',
        summary: 'list receipts, the latest first',
        load: async () => (await import('./verbs/ledger/list.ts')).list,
      },
      {
        usage: 'show <id>',
        summary: 'print one receipt whole',
        load: async () => (await import('./verbs/ledger/show.ts')).show,
      },
      {
        usage: 'tail',
        summary: 'follow receipts as they come',
        load: async () => (await import('./verbs/ledger/tail.ts')).tail,
      },
      {
        usage: 'query <view> [terms..]',
        summary: 'ask a view of the ledger: rows, figures, groups',
        load: async () => (await import('./verbs/ledger/query.ts')).query,
      },
      {
        usage: 'ask <question..>',
        summary: 'ask the ledger in plain words',
        load: async () => (await import('./verbs/ledger/ask.ts')).ask,
      },
      {
        usage: 'export',
        summary: 'write receipts and events to a file',
        load: async () => (await import('./verbs/ledger/export.ts')).exportVerb,
      },
      {
        usage: 'key',
        summary: 'print the key that others check the ledger’s signatures with',
        load: async () => (await import('./verbs/ledger/key.ts')).key,
      },
      {
        usage: 'retain',
        summary: 'erase kept bodies by age; the receipts stay',
        load: async () => (await import('./verbs/ledger/retain.ts')).retain,
      },
      {
        usage: 'verify [folder]',
        summary: 'check every hash of the log',
        load: async () => (await import('./verbs/ledger/verify.ts')).verify,
      },
    ],
  },
  {
    usage: 'ca',
    summary: 'show the certificate authority, or make this system trust it',
    verbs: [
      {
        usage: 'show',
        summary: 'print where the CA is, its fingerprint and validity',
        load: async () => (await import('./verbs/ca/show.ts')).show,
      },
      {
        usage: 'install',
        summary: 'put the CA into the system store',
        load: async () => (await import('./verbs/ca/install.ts')).install,
      },
    ],
  },
  {
    usage: 'check',
    summary: 'check the configuration without starting',
    load: async () => (await import('./verbs/check.ts')).check,
  },
  {
    usage: 'doctor',
    summary: 'check this machine and this state, each finding with its repair',
    load: async () => (await import('./verbs/doctor.ts')).doctor,
  },
  {
    usage: 'version',
    summary: 'print the version',
    load: async () => (await import('./verbs/version.ts')).version,
  },
]
