// The gateway's file: what hosts write is understood, and every mistake is named by its place.
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readGatewayText } from './read-text.ts'

const read = (value: unknown, env: Record<string, string> = {}) =>
  readGatewayText(typeof value === 'string' ? value : JSON.stringify(value), env)

const server = (more: Record<string, unknown>) => ({ mcpServers: { files: { command: 'node', ...more } } })

test('takes what hosts write, and fills in the rest', async () => {
  const config = await read({
    mcpServers: {
      files: { command: 'npx', args: ['-y', 'server', '/data'], env: { A: 'b' }, type: 'stdio' },
      remote: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer x' } },
    },
  })
  expect(config).toMatchObject({
    ok: true,
    value: {
      confirmation: 'rail',
      intent: { shape: 'nested', strict_server_validation: true },
      servers: {
        files: {
          command: 'npx',
          args: ['-y', 'server', '/data'],
          timeout_ms: 60_000,
          concurrency: 16,
          trusted_host: false,
        },
        remote: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer x' } },
      },
    },
  })
})

test('takes everything that an operator can say of a tool', async () => {
  const tools = {
    upsert: {
      risk: 'medium',
      operation: 'write',
      when: [{ if: { '/options/overwrite': { equals: true } }, risk: 'critical', operation: 'destructive' }],
      autonomous: true,
      dry_run: { parameter: 'check', value: true },
      permissions: ['files.write'],
      error_effect: 'none',
    },
  }
  expect(await read(server({ tools, default_risk: 'high', cheatsheet: 'files.md' }))).toMatchObject({
    ok: true,
    value: { servers: { files: { tools, default_risk: 'high', cheatsheet: resolve('files.md') } } },
  })
})

test('puts environment variables where they are named, and leaves what is escaped', async () => {
  const env = { TOKEN: 't0k', HOST: 'example.com' }
  expect(
    await read(
      {
        mcpServers: {
          a: { command: 'run', args: ['--token=${TOKEN}', '$${TOKEN}', '${MISSING:-none}', '${env:TOKEN}'] },
          b: { url: 'https://${HOST}/mcp', headers: { 'x-key': '${TOKEN}' } },
        },
      },
      env,
    ),
  ).toMatchObject({
    ok: true,
    value: {
      servers: {
        a: { args: ['--token=t0k', '${TOKEN}', 'none', 't0k'] },
        b: { url: 'https://example.com/mcp', headers: { 'x-key': 't0k' } },
      },
    },
  })
})

test('a server that is switched off may name variables that are not set', async () => {
  expect(await read(server({ enabled: false, env: { KEY: '${NOT_SET}' } }))).toMatchObject({
    ok: true,
    value: { servers: {}, disabled: ['files'] },
  })
})

test.each(['', '$KEY', '${KEY}', '${env:KEY}', '{env:KEY}'])(
  'a variable that a host handed on as %j, because it does not have it itself, is not set',
  async (value) => {
    const of = (reference: string) =>
      readGatewayText(JSON.stringify({ mcpServers: { mail: { command: 'x', env: { KEY: reference } } } }), {
        KEY: value,
      })
    expect(await of('${KEY}')).toMatchObject({
      value: { servers: { mail: { unstartable: 'it needs the environment variable KEY, which is not set' } } },
    })
    expect(await of('${KEY:-}')).toMatchObject({ value: { unstartable: [], servers: { mail: { env: { KEY: '' } } } } })
  },
)

test('a server whose variable is not set does not start, with its place and what to do, and the others do', async () => {
  const mcpServers = {
    mail: { command: 'mail', args: ['--key=${NOT_SET}'], env: { URL: '${ALSO_NOT_SET}' } },
    files: { command: 'files', env: { KEY: '${KEY}' } },
    docs: { url: 'https://docs.example/mcp', headers: { 'x-key': '${secret:docs.x-key}' } },
  }
  expect(await read({ mcpServers }, { KEY: 'k', 'secret:files': 's' })).toMatchObject({
    ok: true,
    value: {
      servers: {
        mail: { unstartable: 'it needs the environment variable NOT_SET, which is not set' },
        files: { env: { KEY: 'k' } },
        docs: { unstartable: 'it needs the secret docs.x-key, which is not kept on this machine' },
      },
      unstartable: [
        {
          message: 'gateway.json:1:23: mcpServers.mail needs the environment variable NOT_SET, which is not set.',
          next: 'Set NOT_SET, write a default as ${NOT_SET:-…}, or switch the server off with "enabled": false.',
        },
        { next: expect.stringContaining('`countersign secrets set docs.x-key`') },
      ],
    },
  })
  const whole = await read({ mcpServers }, { NOT_SET: 'n', ALSO_NOT_SET: 'a', KEY: 'k', 'secret:docs.x-key': 's3cret' })
  expect(whole).toMatchObject({
    value: { unstartable: [], servers: { docs: { headers: { 'x-key': 's3cret' } } } },
  })
})

test('secrets that cannot be opened keep only those servers from starting that need one, and say so', async () => {
  const mcpServers = {
    files: { command: 'files', env: { KEY: '${KEY}' } },
    docs: { url: 'https://docs.example/mcp', headers: { 'x-key': '${secret:docs.x-key}' } },
    mail: { command: 'mail', args: ['${NOT_SET}'] },
  }
  const unread = {
    message: 'The secrets in /home/ada/secrets.json cannot be opened: it is no JSON.',
    next: 'Put it back.',
  }
  const text = JSON.stringify({ mcpServers })
  expect(await readGatewayText(text, { KEY: 'k' }, unread)).toMatchObject({
    ok: true,
    value: {
      servers: {
        files: { env: { KEY: 'k' } },
        // Agents read this one: it names no file.
        docs: {
          unstartable:
            'it needs the secret docs.x-key, and the secrets on this machine cannot be opened; `countersign secrets list` says why',
        },
        mail: { unstartable: 'it needs the environment variable NOT_SET, which is not set' },
      },
      unstartable: [
        {
          message: `gateway.json:1:74: mcpServers.docs needs the secret docs.x-key. ${unread.message}`,
          next: 'Put it back.',
        },
        { message: expect.stringContaining('NOT_SET, which is not set') },
      ],
    },
  })
})

test.each([
  ['${secret:docs.key:-x}', /headers\.x-key gives a secret a default/],
  ['${secret:}', /headers\.x-key .*cannot be its name/],
  ['${secret:__proto__}', /cannot be its name/],
])('refuses %s, also where the server is switched off', async (value, message) => {
  for (const enabled of [true, false]) {
    const docs = { url: 'https://docs.example/mcp', headers: { 'x-key': value }, enabled }
    expect(await read({ mcpServers: { docs } })).toMatchObject({
      ok: false,
      failure: { message: expect.stringMatching(message), next: expect.stringContaining('"${secret:NAME}"') },
    })
  }
})

const broken: readonly (readonly [string, unknown, RegExp, RegExp])[] = [
  [
    'a syntax error',
    '{\n  "mcpServers": {\n    "a": {"command": "x",,}\n  }\n}',
    /^gateway\.json:3:2\d: is not JSON/,
    /Correct it/,
  ],
  ['an unfinished file', '{"mcpServers": {', /^gateway\.json:1:17: is not JSON: a closing brace/, /Correct it/],
  ['an empty file', '', /^gateway\.json:1:1: is not JSON/, /Correct it/],
  [
    'an unknown key at the top',
    { mcpServers: {}, confirmaton: 'host' },
    /"confirmaton" is an unknown key/,
    /Did you mean "confirmation"/,
  ],
  [
    'an unknown key of a server',
    server({ timeout: 5 }),
    /mcpServers\.files has an unknown key "timeout"/,
    /Known are|Did you mean/,
  ],
  [
    'an unknown key of a tool',
    server({ tools: { x: { rsk: 'low' } } }),
    /mcpServers\.files\.tools\.x has an unknown key "rsk"/,
    /Did you mean "risk"/,
  ],
  [
    'an unknown key of the intent',
    { mcpServers: {}, intent_declaration: { shap: 'flat' } },
    /intent_declaration has an unknown key "shap"/,
    /Did you mean "shape"/,
  ],
  [
    'an unknown key of a condition',
    server({ tools: { x: { when: [{ if: { a: { equal: 1 } }, risk: 'low' }] } } }),
    /unknown key "equal"/,
    /Did you mean "equals"/,
  ],
  [
    'an unknown risk',
    server({ default_risk: 'hihg' }),
    /mcpServers\.files\.default_risk cannot be "hihg": it must be "low" or/,
    /Correct/,
  ],
  ['neither command nor url', { mcpServers: { a: {} } }, /mcpServers\.a has neither command nor url/, /Give `command`/],
  [
    'both command and url',
    { mcpServers: { a: { command: 'x', url: 'http://x' } } },
    /has both command and url/,
    /Give `command`/,
  ],
  ['a server that is no object', { mcpServers: { a: 'npx server' } }, /mcpServers\.a is not an object/, /Write/],
  [
    'a name with a colon',
    { mcpServers: { 'a:b': { command: 'x' } } },
    /"a:b" cannot be the name of a server/,
    /Use letters/,
  ],
  [
    'an address that is none',
    { mcpServers: { a: { url: 'example.com' } } },
    /mcpServers\.a\.url is not an http or https address/,
    /https:/,
  ],
  [
    'another protocol',
    { mcpServers: { a: { url: 'file:///etc/passwd' } } },
    /is not an http or https address/,
    /https:/,
  ],
  ['no servers at all', {}, /mcpServers is missing/, /Correct/],
  ['a list instead of an object', [], /^gateway\.json:1:1: is no object/, /Write \{ … \}/],
  [
    'a pattern that is none',
    server({ tools: { x: { when: [{ if: { a: { matches: '(' } }, risk: 'low' }] } } }),
    /must be a regular expression/,
    /Correct/,
  ],
  [
    'a pattern that cannot be run in linear time',
    server({ tools: { x: { when: [{ if: { a: { matches: '^(?!/etc)' } }, risk: 'low' }] } } }),
    /must be a regular expression of RE2: .*no lookaround/,
    /Correct/,
  ],
  [
    'a condition without a consequence',
    server({ tools: { x: { when: [{ if: { a: { equals: 1 } } }] } } }),
    /must set risk or operation/,
    /Correct/,
  ],
  ['a timeout of nothing', server({ timeout_ms: 0 }), /mcpServers\.files\.timeout_ms cannot be 0/, /Correct/],
]

test.each(broken)('refuses %s', async (_, value, message, next) => {
  const config = await read(value)
  expect(config.ok).toBe(false)
  if (config.ok) return
  expect(config.failure.message).toMatch(message)
  expect(config.failure.next).toMatch(next)
})

test('a message never repeats what stands in a header', async () => {
  const config = await read({
    mcpServers: { a: { url: 'https://x.y', headers: { Authorization: { secret: 'hunter2' } } } },
  })
  expect(config.ok).toBe(false)
  expect(JSON.stringify(config)).not.toContain('hunter2')
})

test('takes how a person logs in at a remote server, whose secret stands there as a reference', async () => {
  const remote = (oauth: object, url = 'https://example.com/mcp') => ({ mcpServers: { tracker: { url, oauth } } })
  const oauth = { client_id: 'ours', client_secret: '${CLIENT_SECRET}', scopes: ['issues:read'] }
  expect(await read(remote(oauth), { CLIENT_SECRET: 'hidden' })).toMatchObject({
    ok: true,
    value: { servers: { tracker: { oauth: { client_secret: 'hidden', private_network: false } } } },
  })
  const why = async (value: unknown): Promise<string> => {
    const config = await read(value)
    return config.ok ? 'it is taken' : `${config.failure.message} ${config.failure.next}`
  }
  const plain = await why(remote({ client_id: 'ours', client_secret: 'abendrot-7' }))
  expect(plain).toContain('oauth.client_secret must be a reference, not the secret itself')
  expect(plain).not.toContain('abendrot')
  expect(await why(remote({}, 'http://example.com/mcp'))).toContain('its address is not https')
  expect(await why(remote({}, 'http://127.0.0.1:8000/mcp'))).toBe('it is taken')
  expect(await why(remote({ issuer: 'http://example.com' }))).toContain('must be an https address')
  expect(await why(remote({ scopes: ['$(id)'] }))).toContain('must be one scope')
  expect(await why(remote({ clientid: 'ours' }))).toContain('client_id')
  expect(await why({ mcpServers: { files: { command: 'node', oauth: {} } } })).toContain('oauth')
})
