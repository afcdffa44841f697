// What editors complete from, and what an operator begins with.
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { configJsonSchema, effective, starter } from '../../../server/compose/settings/config-schema-json.ts'
import { readConfigText } from '../../../server/config/file.ts'
import { parseConfigText } from '../../../server/config/text.ts'
import { webhookEvents } from '../../../server/config/config.schema.ts'
import { variables } from '../../../server/config/variables.ts'

type Json = { readonly [key: string]: unknown }

const validate = new Ajv2020({ strict: false }).compile(configJsonSchema())

describe('the JSON Schema', () => {
  test('is the one that is shipped; `countersign config schema > countersign.schema.json` brings it up to date', () => {
    const shipped = new URL('../../../countersign.schema.json', import.meta.url)
    expect(JSON.parse(readFileSync(shipped, 'utf8'))).toEqual(configJsonSchema())
  })

  test('explains every key', () => {
    const bare: string[] = []
    const walk = (schema: Json, path: string): void => {
      for (const [key, value] of Object.entries((schema['properties'] ?? {}) as Record<string, Json>)) {
        if (typeof value['description'] !== 'string') bare.push(`${path}.${key}`)
        walk(value, `${path}.${key}`)
      }
      for (const inner of ['items', 'additionalProperties'])
        if (typeof schema[inner] === 'object') walk(schema[inner] as Json, `${path}.*`)
      for (const option of (schema['anyOf'] ?? []) as readonly Json[]) walk(option, path)
    }
    walk(configJsonSchema(), '')
    expect(bare).toEqual([])
  })

  const whole = {
    name: 'Desk',
    db: 'x.db',
    secret: '${COUNTERSIGN_SECRET}',
    languages: ['de'],
    http: { port: 1, host: '0.0.0.0', public_url: 'https://x.example', allowed_hosts: ['y:1'], playground: false },
    access: { mode: 'jwt', jwt: { issuer: 'https://i.example', audience: 'a', tenant_claim: 't' } },
    operators: {
      session_hours: 8,
      oidc: {
        issuer: 'https://i.example',
        client_id: 'c',
        client_secret: '${COUNTERSIGN_SECRET}',
        roles_claim: 'groups',
        roles: { a: ['viewer', { kind: 'approver', tools: ['x_*'], max_amount: { value: '5', currency: 'EUR' } }] },
      },
    },
    policy: { proof: { high: 'recorded' }, approvals: [{ tools: ['*'], risk: ['critical'], approvers: 2 }] },
    rationale: 'grace',
    limits: { calls_per_minute: 60, writes_per_minute: 6 },
    tenants: { acme: { auto_approve_high_risk: true, risk: { x: 'high' }, webhooks: [{ url: 'https://h.example' }] } },
    activity: { days: 90 },
    log: { level: 'warn' },
    metrics: { token: '${COUNTERSIGN_SECRET}' },
    mcpServers: { files: { command: 'x', default_risk: 'high' }, far: { url: 'https://f.example' } },
    confirmation: 'rail',
    intent_declaration: { shape: 'flat' },
  }

  test('takes what the server takes', () => {
    expect(validate(whole)).toBe(true)
    const env = { COUNTERSIGN_SECRET: 'a secret of some length' }
    expect(readConfigText(JSON.stringify(whole), 'x', env)).toMatchObject({ ok: true })
  })

  test.each([
    ['a misspelt key', { ...whole, htpp: {} }],
    ['a misspelt key within', { ...whole, http: { prot: 1 } }],
    ['a wrong type', { ...whole, http: { port: '1' } }],
    ['an unknown key of a server', { mcpServers: { a: { command: 'x', riks: 'low' } } }],
  ])('refuses %s', (_, value) => expect(validate(value)).toBe(false))
})

describe('a file to begin with', () => {
  test('can be used as it is, and fits the schema', () => {
    const parsed = parseConfigText(starter, 'countersign.json')
    if (!parsed.ok) throw new Error(parsed.failure[0]?.message)
    expect(validate(parsed.value.value)).toBe(true)
    expect(readConfigText(starter, 'countersign.json', {})).toMatchObject({ ok: true })
  })
})

describe('the guide', () => {
  const guide = readFileSync(new URL('../../../docs/guides/configuration.md', import.meta.url), 'utf8')
  const examples = [...guide.matchAll(/```jsonc\n([\s\S]*?)```/g)].map(([, text = '']) => text)

  test('has examples', () => expect(examples.length).toBeGreaterThan(3))

  test.each(examples)('shows settings that can be used: %s', (example) => {
    expect(readConfigText(example, 'countersign.json', { DB_PASSWORD: 'x', SMTP_URL: 'smtp://x' })).toMatchObject({
      ok: true,
    })
  })

  test('names every variable', () => {
    for (const name of Object.keys(variables))
      expect(guide).toContain(name.replace(/^COUNTERSIGN_ACTIVITY(?=_[RB])/, ''))
  })
})

describe('what is in force', () => {
  test('is shown with where it comes from, and without a secret', () => {
    const secret = 'a secret of some length'
    const text = JSON.stringify({
      secret: '${COUNTERSIGN_SECRET}',
      db: 'postgres://u:${PW}@h/d',
      metrics: { token: 'plain hunter2' },
      webhooks: [{ url: 'https://hooks.example/hunter2', secret: 'hunter2', events: [webhookEvents[0]] }],
      name: '${PW}',
      tenants: { acme: { webhooks: [{ url: 'https://h.example/${PW}' }] } },
    })
    const env = { COUNTERSIGN_SECRET: secret, PW: 'hunter', COUNTERSIGN_ADMIN_TOKEN: 'hunter2hunter2hunter2' }
    const config = readConfigText(text, 'c.json', env)
    if (!config.ok) throw new Error(config.failure.message)
    const rows = effective(config.value)
    expect(JSON.stringify(rows)).not.toMatch(/hunter|a secret/)
    expect(rows).toContainEqual({ path: 'operators.admin_token', shown: '(set)', from: 'COUNTERSIGN_ADMIN_TOKEN' })
    expect(rows).toContainEqual({
      path: 'metrics.token',
      shown: '(set)',
      from: expect.stringMatching(/^c\.json:1:/) as string,
    })
    expect(rows).toContainEqual({ path: 'access.mode', shown: 'open', from: 'default' })
  })

  test('shows every variable that the server reads', () => {
    for (const [name, { path }] of Object.entries(variables)) {
      const value = name.includes('URL') ? 'https://x.example' : /LEVEL/.test(name) ? 'warn' : '12345678901234567890'
      const given = /PORT|DAYS|ROWS|BYTES/.test(name) ? '12' : name.includes('LANGUAGES') ? 'de' : value
      const config = readConfigText('{}', 'c.json', { [name]: given })
      if (!config.ok) throw new Error(config.failure.message)
      expect(effective(config.value).find(({ path: shown }) => shown === path.join('.'))?.from).toBe(name)
    }
  })
})
