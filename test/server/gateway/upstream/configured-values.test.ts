// Which values of a server's entry are hidden in its words, and in which of its words.
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { shownAddress } from '../../../../server/gateway/upstream/settings/configured-secrets.ts'
import { hidingOf, type Hiding } from '../../../../server/gateway/upstream/settings/configured-values.ts'
import { readGatewayText } from '../read-text.ts'

async function hiding(entry: object, env: Readonly<Record<string, string>> = {}): Promise<Hiding> {
  const config = await readGatewayText(JSON.stringify({ mcpServers: { it: entry } }), env)
  if (!config.ok) throw new Error(config.failure.message)
  const [server] = Object.values(config.value.servers)
  if (server === undefined) throw new Error('There is no server.')
  return hidingOf(server)
}

const stdio = await hiding({
  command: 'node',
  env: {
    DB_PASSWORD: 'mondschein',
    DATABASE_URL: 'postgres://ada:stern%40zelt@db/shop',
    REGION: 'vienna',
    PORT: '8080',
  },
})
const remote = await hiding({
  url: 'https://mcp.example.com/mcp?key=regen-bogen7',
  headers: { Authorization: `Basic ${Buffer.from('ada:abendrot').toString('base64')}`, 'X-Api-Key': 'silberstreif' },
})

test('what the file names as a secret is hidden although it looks like any word', async () => {
  const entry = { command: 'node', args: ['--as', '${secret:who}'], env: { MODE: 'sommer', TEAM: '$${secret:how}' } }
  const { text } = await hiding(entry, { 'secret:who': 'winter', 'secret:how': 'herbst' })
  expect(text('neither winter nor sommer nor herbst')).toBe('neither [redacted] nor sommer nor herbst')
  const remote = await hiding({ url: 'https://${secret:who}.example/mcp' }, { 'secret:who': 'winter' })
  expect(remote.text('winter is over')).toBe('[redacted] is over')
})

test('an address is shown without user, parameters and what looks made up in its path', () => {
  expect(shownAddress('https://ada:stern@mcp.example/s/ZmE3NjM4ZTktMWQ4Zi00/mcp?key=1#x')).toBe(
    'https://mcp.example/s/…/mcp',
  )
  expect(shownAddress('https://mcp.example/v1/mcp')).toBe('https://mcp.example/v1/mcp')
})

test.each([
  ['a word that is called a password', stdio, 'no entry for mondschein'],
  ['the password of an address', stdio, 'cannot log in with stern@zelt'],
  ['the same as the address writes it', stdio, 'cannot log in with stern%40zelt'],
  ['a parameter of the address', remote, 'regen-bogen7 is unknown'],
  ['the value of a header', remote, 'silberstreif is unknown'],
  ['the password within a Basic header', remote, 'abendrot is wrong'],
])('%s is hidden', (_, server, words) => {
  expect(server.text(words)).toContain('[redacted]')
  expect(server.text(words)).not.toMatch(/mondschein|zelt|bogen|streif|abendrot/)
})

test('short values and plain words that are no secrets stay', () => {
  expect(stdio.text('vienna does not answer on 8080')).toBe('vienna does not answer on 8080')
})

test.each([
  'true',
  '1',
  '8080',
  'production',
  '/usr/bin:/usr/local/bin',
  'C:\\Programs\\node',
  'eu-central-1',
  'Europe/Vienna',
  'en_US.UTF-8',
  'db.example.com:5432',
  'https://example.com/api',
  'application/json',
  '60s',
])('%s in a variable with a harmless name stays', async (value) => {
  expect((await hiding({ command: 'node', env: { SETTING: value } })).text(`with ${value}`)).toBe(`with ${value}`)
})

test.each([
  ['a short one', { DB_PASSWORD: 'abc' }, 'abc'],
  ['a figure', { DOOR_PIN: '4711' }, '4711'],
  ['a word', { API_TOKEN: 'vienna' }, 'vienna'],
  ['a made up one under any name', { THING: 'k7Q!x92-mW' }, 'k7Q!x92-mW'],
])('%s in a variable is hidden', async (_, env, value) => {
  expect((await hiding({ command: 'node', env })).text(`no: ${value}!`)).toBe('no: [redacted]!')
})

test('a switch is none, even where its name says so', async () => {
  const server = await hiding({ command: 'node', env: { API_KEY: 'true', PASSWORD: '1' } })
  expect(server.text('true is not 1')).toBe('true is not 1')
})

test.each([
  ['what follows an option', ['--api-key', 'regen'], 'regen'],
  ['what stands behind its equals sign', ['--password=nebel'], 'nebel'],
  ['the password of an address', ['postgresql://ada:hagel@db/shop'], 'hagel'],
  ['a header', ['https://example.com/mcp', '--header', 'X-Workspace: tau-wind'], 'tau-wind'],
  ['a variable that a container gets', ['run', '-e', 'SECRET_KEY=reif', 'image'], 'reif'],
  [
    'a token that is known by its look',
    [['ghp', 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zC1234'].join('_')],
    'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zC1234',
  ],
])('%s of a command line is hidden', async (_, args, value) => {
  expect((await hiding({ command: 'npx', args })).text(`cannot use ${args.join(' ')}`)).not.toContain(value)
})

test('paths, options and words of a command line stay', async () => {
  const words = 'cannot read /srv/data with -y @scope/server --port 3000 --mode production'
  const args = ['-y', '@scope/server', '--port', '3000', '--mode', 'production', '/srv/data']
  expect((await hiding({ command: 'npx', args })).text(words)).toBe(words)
})

test('every header is hidden whatever its name, but not what is accepted', async () => {
  const server = await hiding({
    url: 'https://example.com/mcp',
    headers: { 'X-Workspace': 'morgenrot', Accept: 'application/json' },
  })
  expect(server.text('no morgenrot as application/json')).toBe('no [redacted] as application/json')
})

test('an answer that went well is passed on without what is surely secret', async () => {
  const server = await hiding({
    command: 'node',
    env: { API_KEY: 'k7x92-mw', PASSWORD: 'postgres', THING: 'k7Q!x92-mW' },
  })
  const answer = (text: string) => ({ content: [{ type: 'text', text }], structuredContent: { env: [text] } })
  expect(server.inAnswer(answer('API_KEY=k7x92-mw at postgres, k7Q!x92-mW'))).toEqual(
    answer('API_KEY=[redacted] at postgres, k7Q!x92-mW'),
  )
})

test('they are hidden at every depth of an error, in keys too, and its code stays', () => {
  const error = stdio.inError(new McpError(-32603, 'mondschein', { a: [{ mondschein: 'x mondschein' }] }))
  expect(error).toMatchObject({ code: -32603, data: { a: [{ '[redacted]': 'x [redacted]' }] } })
  expect(String(error)).not.toContain('mondschein')
  const address = new McpError(ErrorCode.UrlElicitationRequired, 'open', { elicitations: [{ url: 'x://mondschein' }] })
  expect(stdio.inError(address)).toBe(address)
})

test('a failed answer is hidden in, and one that went well is passed on as it came', () => {
  const answer = (isError: boolean) => ({ isError, content: [{ type: 'text', text: 'mondschein' }] })
  expect(stdio.inAnswer(answer(true))).toEqual({ isError: true, content: [{ type: 'text', text: '[redacted]' }] })
  expect(stdio.inAnswer(answer(false))).toEqual(answer(false))
  expect(stdio.inProgress({ progress: 1, message: 'with mondschein' })).toEqual({
    progress: 1,
    message: 'with [redacted]',
  })
})

const folderName = fc.stringMatching(/^[A-Za-z0-9_. -]{1,20}$/)
const folderOf = (prefix: string, joint: string) =>
  fc.array(folderName, { minLength: 1, maxLength: 6 }).map((names) => prefix + names.join(joint))
const anyFolder = fc.oneof(folderOf('/', '/'), folderOf('C:\\', '\\'))

test('where the shell of its user stands stays in every answer, whatever the folder is called', async () => {
  await fc.assert(
    fc.asyncProperty(anyFolder, fc.constantFrom('PWD', 'OLDPWD'), async (folder, name) => {
      const server = await hiding({ command: 'node', env: { [name]: folder.replaceAll('$', '') } })
      const answer = { content: [{ type: 'text', text: `a:1:one\n${folder}\n` }] }
      expect(server.inAnswer(structuredClone(answer))).toEqual(answer)
      expect(server.text(`cannot read ${folder}`)).toBe(`cannot read ${folder}`)
    }),
  )
})

test.each([
  ['SSH_ASKPASS', '/usr/bin/ksshaskpass'],
  ['GIT_ASKPASS', '/usr/share/code/resources/app/extensions/git/dist/askpass.sh'],
  ['GOOGLE_APPLICATION_CREDENTIALS', '/home/ada/keys/shop-prod-1.json'],
  ['GOOGLE_APPLICATION_CREDENTIALS', 'C:\\Users\\Ada Lovelace\\keys\\shop.json'],
  ['DB_PASSWORD', '/run/secrets/db_password'],
  ['SSH_AUTH_SOCK', '/private/tmp/com.apple.launchd.X1y2Z3/Listeners'],
])('%s, which says where something lies (%s), stays', async (name, value) => {
  const server = await hiding({ command: 'node', env: { [name]: value } })
  expect(server.text(`with ${value}`)).toBe(`with ${value}`)
})

test('a secret in base64 is hidden, also where it looks like a path', async () => {
  const secret = fc.uint8Array({ minLength: 18, maxLength: 48 }).map((bytes) => Buffer.from(bytes).toString('base64'))
  await fc.assert(
    fc.asyncProperty(secret, fc.boolean(), async (value, isRooted) => {
      const made = isRooted ? `/${value.slice(1)}` : value
      const server = await hiding({ command: 'node', env: { API_SECRET: made } })
      expect(server.text(`no: ${made}!`)).toBe('no: [redacted]!')
    }),
  )
})
