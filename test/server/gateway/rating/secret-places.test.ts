// Reads of places in which secrets are kept: what a tool answers then goes to the agent, so a person is asked.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { shippedProfile } from '../../../../server/compose/profiles/profiles.ts'
import { assess, possibleAssessments } from '../../../../server/gateway/rating/assess.ts'
import type { RatedTool } from '../../../../server/gateway/rating/evidence.ts'
import { isSecretPlace } from '../../../../server/gateway/rating/secret-places.ts'

test.each([
  '.env',
  '/srv/shop/.env.local',
  'C:\\shop\\.ENV',
  'deploy/prod.env',
  '~/.ssh/id_rsa',
  '~/.ssh',
  '~/.ssh/work_key',
  '/home/ada/.ssh/../.ssh/id_ed25519',
  '~/.aws/credentials',
  '~/.config/gh/hosts.yml',
  '~/.kube/config',
  '~/.docker/config.json',
  '/Users/ada/Library/Keychains/login.keychain-db',
  '/etc/shadow',
  '/proc/1/environ',
  '/run/secrets/db',
  'server.key',
  'cert/private.pem',
  'app-credentials.json',
  'config/secrets.yml',
  'service-account-prod.json',
  'terraform.tfstate',
  '.git-credentials',
  '~/.bash_history',
  'countersign.db.key',
  'file:///srv/%2Eenv',
  '.e*',
  '*.pem',
  '~/.claude/.credentials.json',
  '~/.codex/auth.json',
  'config/secrets.dev.yaml',
  'id_ed25519_work',
  '.env~',
  'Certificates.p12',
  'prod-cert-key.pem',
  '/proc/self/../self/environ',
  '/proc/self/task/*/environ',
  'x/../.aws/credentials',
  '*env',
  '.env-prod',
  '.git/config',
  '/srv/shop/.git/modules/ui/config',
  '~/.claude.json',
  'Library/Application Support/Claude/claude_desktop_config.json',
  '~/.mcp-auth/mcp-remote-0.1.29/5b_tokens.json',
  'token.json',
  'prod*.pem',
  '.env:1-20',
  '.env::$DATA',
  'C:.env',
  '.env. ',
  'HEAD:.env',
  'src/.env#L1-L5',
  'file:///srv/.env?raw=1',
  'file:.env',
  'sample-app.env',
  'example.com.env',
  'template-prod.env.local',
  'tokens.json',
  '/app/tokens.json',
  '/app/oauth_tokens.json',
  '~/.cli/theme/tokens.json',
  '.git/conf*',
  '.git/confi?',
  '.git/*',
  '/srv/.git/modules/ui/conf*',
  `${'./'.repeat(2100)}.env`,
])('%s is kept as a secret', (path) => {
  expect(isSecretPlace(path)).toBe(true)
})

test.each([
  '.env.example',
  'src/env.ts',
  '.eslintrc.json',
  '.gitignore',
  'README.md',
  'notes/secrets.md',
  'src/credentials.ts',
  'keys.ts',
  '~/.ssh/config',
  '~/.ssh/id_rsa.pub',
  '~/.ssh/known_hosts',
  'ca.pem',
  'server.crt',
  'fullchain.pem',
  'public.key',
  '*.ts',
  'src/*',
  '.config/nvim/init.lua',
  'environment.yml',
  'example.env',
  'sample.env',
  'template.env',
  '.env-example',
  '.env.template',
  'prod.env.example',
  'src/theme/tokens.json',
  'styles/dark/tokens.json',
  'design-tokens/tokens.json',
  'src/design-tokens.json',
  '.gitconfig.example',
  's*.ts',
  'c*.json',
  '*.*',
  '.git/HEAD',
  '.git/refs/*',
  '.git/*.lock',
  '/proc/self/task/*/status',
  '/proc/sys/vm/*',
  '',
  '/',
])('%s is not', (path) => {
  expect(isSecretPlace(path)).toBe(false)
})

test('how a path is written makes no difference', () => {
  const folder = fc.stringMatching(/^[a-z]{1,8}$/)
  const secret = fc.constantFrom('.env', 'id_rsa', '.netrc', 'server.key')
  const written = fc.constantFrom<(path: string) => string>(
    (path) => path,
    (path) => path.replaceAll('/', '\\'),
    (path) => path.replaceAll('/', '//'),
    (path) => path.replaceAll('/', '/./'),
    (path) => `file://${path}`,
    (path) => path.toUpperCase(),
  )
  fc.assert(
    fc.property(fc.array(folder, { maxLength: 4 }), secret, written, (folders, name, write) => {
      expect(isSecretPlace(write(['', ...folders, name].join('/')))).toBe(true)
    }),
  )
})

test('any text has an answer', () => {
  fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => void isSecretPlace(text)))
})

const tool = (name: string, argument: string, schema: object = { type: 'string' }, flag = 'deep'): RatedTool => ({
  name,
  description: 'Reads a file.',
  annotations: { readOnlyHint: true },
  inputSchema: {
    type: 'object',
    properties: { [argument]: schema, [flag]: { type: 'boolean' } },
    required: [argument],
  },
})

const rated = (of: RatedTool, args: unknown, tools: object = {}) =>
  assess({ tool: of, variant: 'call_tool_read', server: { tools } as never }, args)

test.each([
  [tool('read_file', 'path'), { path: '/srv/.env' }],
  [tool('read_files', 'paths', { type: 'array', items: { type: 'string' } }), { paths: ['a.txt', '/srv/.env'] }],
  [tool('open', 'filePath'), { filePath: '~/.ssh/id_rsa' }],
  [tool('fetch_resource', 'uri'), { uri: 'file:///srv/.env' }],
  [tool('fetch', 'url'), { url: 'file:///srv/.env' }],
  [tool('read_file_with_metadata', 'path'), { path: '.env' }],
  [tool('read_tree', 'dir'), { dir: '~/.ssh/id_rsa' }],
  [tool('get_file_list_contents', 'location'), { location: 'src/.env' }],
  [tool('list_directory', 'path', { type: 'string' }, 'includeContents'), { path: '.env', includeContents: true }],
  [tool('grep', 'glob'), { glob: '**/.env*' }],
  [tool('pack_codebase', 'includePatterns'), { includePatterns: 'src/**,*.{ts,env}' }],
  [tool('start_search', 'filePattern'), { filePattern: '.env' }],
  [tool('read_many', 'files'), { files: '["a.txt", "/srv/.env"]' }],
  [tool('read_file', 'name'), { name: '.env' }],
  [tool('load', 'what', { type: 'string', description: 'Path to the file.' }), { what: '.env' }],
  [tool('git_show', 'revision'), { revision: 'HEAD~1:.env' }],
  [tool('git_show', 'revision'), { revision: ':.env' }],
  [tool('git_show', 'revision'), { revision: ':0:.env' }],
  [tool('git_show', 'rev'), { rev: 'HEAD:.env' }],
])('%j asks for %j, and the reason names the place', (of, args) => {
  expect(rated(of, args)).toMatchObject({ risk: 'high', operation: 'write', onlyAnswers: true })
  expect(rated(of, args).reasons.join(' ')).toMatch(/\.env|id_rsa/)
})

test.each([
  [tool('read_file', 'path'), { path: '/srv/notes.txt' }],
  [tool('get_file_info', 'path'), { path: '/srv/.env' }],
  [tool('list_directory', 'path'), { path: '/home/ada/.ssh' }],
  [tool('search_notes', 'query'), { query: '.env' }],
  [tool('get_file_metadata', 'path'), { path: '.env' }],
  [tool('directory_tree', 'path'), { path: '~/.aws' }],
  [tool('grep', 'pattern'), { pattern: 'process.env' }],
  [tool('pack_codebase', 'ignorePatterns'), { ignorePatterns: '.env' }],
  [tool('crawl', 'select_paths', { type: 'array', items: { type: 'string' } }), { select_paths: ['/docs/.*'] }],
  [tool('fetch', 'url'), { url: 'https://docs.example/api/credentials' }],
  [tool('get_file_contents', 'repo'), { repo: 'acme/secrets' }],
  [tool('git_diff', 'target'), { target: 'feature/credentials' }],
  [tool('git_show', 'rev'), { rev: ':0:README.md' }],
  [tool('get_page', 'location'), { location: 'Berlin' }],
])('%j runs unasked for %j', (of, args) => {
  expect(rated(of, args)).toMatchObject({ risk: 'low', operation: 'read' })
})

test('the operator has the last word', () => {
  const read = tool('read_file', 'path')
  const trusted = { read_file: { when: [{ if: { path: { matches: '^/srv/demo/' } }, risk: 'low' }] } }
  expect(rated(read, { path: '/srv/demo/.env' }, trusted)).toMatchObject({ risk: 'low', operation: 'read' })
  expect(rated(read, { path: '/srv/.env' }, trusted).risk).toBe('high')
})

test('what an operator says of a whole server asks for a place of secrets at each door, and for nothing else', () => {
  const { annotations: _, ...silent } = tool('read_file', 'path')
  for (const variant of ['call_tool_read', 'call_tool_write', 'call_tool_destructive'] as const) {
    const ask = { tool: silent, variant, server: { default_risk: 'low', tools: {} } } as const
    expect(assess(ask, { path: '.env' })).toMatchObject({ risk: 'high', onlyAnswers: true })
    expect(assess(ask, { path: 'notes.txt' }).risk).toBe('low')
    expect(possibleAssessments(ask).map(({ risk }) => risk)).toEqual(['low', 'high'])
    const write = { ...silent, name: 'write_file', description: 'Writes a file.' }
    const written = (path: string) => assess({ ...ask, tool: write }, { path })
    expect(written('.env')).toEqual(written('notes.txt'))
  }
})

test('a tool stays one that reads, and the rating of a secret is among those that it can have', () => {
  const [worst, ...others] = possibleAssessments({
    tool: tool('read_file', 'path'),
    variant: 'call_tool_read',
    server: { tools: {} },
  })
  expect(worst).toMatchObject({ risk: 'low', operation: 'read' })
  expect(others).toMatchObject([{ risk: 'high', operation: 'write', onlyAnswers: true }])
})

test.each(['filesystem', 'desktop-commander'])('what the profile %s calls a read asks as well', async (name) => {
  const profile = await shippedProfile(name)
  const profiled = profile.tools['read_file']
  if (profiled === undefined) throw new Error('The profile has lost the tool.')
  const question = {
    tool: tool('read_file', 'path'),
    variant: 'call_tool_read',
    server: { tools: {} },
    profile: { ...profiled, server: profile.title, lowers: true },
  } as const
  expect(assess(question, { path: 'notes.txt' }).risk).toBe('low')
  expect(assess(question, { path: '.env' }).risk).toBe('high')
})
