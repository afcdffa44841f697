// What operators read of tools and settings: everything that a contract promises, also of what no agent finds; the rules
// in force; and nothing that is a secret or another tenant's.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { configSchema } from '../../../../server/config/config.schema.ts'
import { defineTool } from '../../../../server/index.ts'
import { openFront } from '../auth/serve-accounts.ts'
import { place } from '../../store/store-fixture.ts'
import { readTool, writeTool } from '../../../kit/tools.ts'
import { openOffice } from './serve-operators.ts'

const shape = z.strictObject({ id: z.string().max(50) })

const forbidden = readTool({
  name: 'vault.open',
  title: 'Open the vault',
  description: 'Opens the vault.',
  risk: 'forbidden',
  input: shape,
  output: shape,
  run: ({ id }) => ({ id }),
})

const careful = defineTool({
  name: 'notes.publish',
  title: 'Publish a note',
  noun: 'the note',
  description: 'Publishes a note.',
  operation: 'write',
  risk: { atMost: 'critical', of: ({ id }: z.infer<typeof shape>) => (id === 'draft' ? 'medium' : 'critical') },
  permissions: ['notes:publish'],
  input: shape,
  output: shape,
  failures: {
    locked: { effect: 'none', guidance: 'Unlock it first.', retryable: 'after_wait', retryAfterSeconds: 30 },
    torn: { effect: 'partial', guidance: 'Look what is out already.' },
  },
  sideEffects: [{ what: 'Readers are told.', onRepeat: 'They are told again.' }],
  idempotency: 'plan',
  external: true,
  dryRunRequired: true,
  confirmation: 'type-name',
  stepUp: 'always',
  auditEvent: 'note.published',
  budget: { unit: 'mails', limit: 100, consumed: () => 1 },
  preview: ({ id }) => ({
    title: `Publish ${id}`,
    summary: `Publishes ${id}.`,
    confirmLabel: 'Publish',
    confirmPhrase: id,
  }),
  basis: () => '1',
  run: ({ id }) => ({ id }),
})

const tools = [forbidden, careful]

describe('contracts', () => {
  test('are listed with the forbidden ones marked, which no agent finds', async () => {
    const office = await openOffice({ tools })
    const { body } = await office.admin('GET', '/contracts')
    expect(body['contracts']).toMatchObject([
      { wire_name: 'vault_open', risk: 'forbidden', forbidden: true },
      { wire_name: 'notes_publish', risk: 'critical', risk_depends_on_input: true, forbidden: false, rated: null },
      { wire_name: 'apply_bundle', risk: 'critical', risk_depends_on_input: true },
      { wire_name: 'submit_feedback', forbidden: false },
    ])
    expect((await office.call('vault_open', { id: 'x' })).status).toBe(404)
  })

  test('say all of themselves, and what the gate asks at each risk', async () => {
    const office = await openOffice({ tools })
    const { body } = await office.admin('GET', '/contracts/notes_publish')
    expect(body).toMatchObject({
      contract: {
        name: 'notes.publish',
        operation: 'write',
        noun: 'the note',
        permissions: ['notes:publish'],
        external: true,
        dry_run_required: true,
        confirmation: { required: true, by: 'approval', form: 'type-name' },
        step_up: 'always',
        idempotency: 'plan',
        audit_event: 'note.published',
        budget: { unit: 'mails', limit: 100 },
        side_effects: [{ what: 'Readers are told.', on_repeat: 'They are told again.' }],
        failures: [
          {
            code: 'locked',
            effect: 'none',
            guidance: 'Unlock it first.',
            retryable: 'after_wait',
            retry_after_seconds: 30,
          },
          { code: 'torn', effect: 'partial', guidance: 'Look what is out already.', retryable: 'after_change' },
        ],
        reserved: ['rationale', 'preview', 'ticket'],
        annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
        description: expect.stringContaining('Publishes a note.'),
        input_schema: { properties: { id: { maxLength: 50 }, ticket: {}, dryRun: { type: 'boolean' } } },
        output_schema: { properties: { status: {}, result: { properties: { id: { maxLength: 50 } } } } },
        server_failures: expect.arrayContaining([
          {
            code: 'plan_stale',
            status: 'stale',
            effect: 'none',
            guidance: expect.stringContaining('fresh preview'),
            retryable: 'after_change',
          },
          expect.objectContaining({ code: 'outcome_unknown', effect: 'unknown' }),
          expect.objectContaining({ code: 'confirmation_mismatch', status: 'mismatch' }),
          expect.objectContaining({ code: 'permission_denied', status: 'refused' }),
        ]),
      },
      gate: { proof: { low: 'none', medium: 'plan', high: 'ticket', critical: 'recorded' }, confirmation: 'rail' },
    })
  })

  test('say who asks the person where the hosts do', async () => {
    const post = writeTool({ name: 'notes.post', input: shape, output: shape, run: ({ id }) => ({ id }) })
    const office = await openOffice({ tools: [post], settings: { confirmation: 'host' } })
    const { body } = await office.admin('GET', '/contracts/notes_post')
    expect(body).toMatchObject({
      contract: {
        confirmation: { required: true, by: 'host' },
        description: expect.stringContaining("the host's own prompt"),
      },
    })
  })

  test('that are not there are refused with the next step', async () => {
    const office = await openOffice()
    const { status, body } = await office.admin('GET', '/contracts/nothing')
    expect([status, body]).toMatchObject([404, { error: { code: 'unknown-tool' } }])
  })

  test('show the rating of the operator’s own tenant', async () => {
    const config = join(place(), 'countersign.json')
    writeFileSync(config, JSON.stringify({ tenants: { acme: { risk: { notes_publish: 'forbidden' } }, globex: {} } }))
    const front = await openFront({ tools, config })
    const rated = async (name: string, tenant: string) => {
      const { body } = await (await front.desk(name, { tenant })).send('GET', '/api/v1/contracts/notes_publish')
      return (body['contract'] as { rated: string | null }).rated
    }
    expect(await rated('Ada', 'acme')).toBe('forbidden')
    expect(await rated('Bob', 'globex')).toBe(null)
  })
})

describe('settings', () => {
  const settings = (body: unknown) => (body as { settings: Readonly<Record<string, unknown>> }).settings

  test('are those in force, for the tenant that is asked for', async () => {
    const config = join(place(), 'countersign.json')
    const file = {
      name: 'Note desk',
      policy: {
        approval_ttl_minutes: 90,
        approvals: [{ tools: ['notes_*'], risk: ['critical'], approvers: 2 }],
      },
      limits: { writes_per_minute: 12 },
      tenants: { acme: { auto_approve_high_risk: true, risk: { notes_send: 'critical' } } },
    }
    writeFileSync(config, JSON.stringify(file))
    const office = await openOffice({ config })
    const all = await office.admin('GET', '/settings')
    expect(all.body).toMatchObject({
      settings: {
        tenant: null,
        server: { name: 'Note desk' },
        policy: {
          approval_ttl_minutes: 90,
          auto_approve_high_risk: false,
          approvals: [{ tools: ['notes_*'], risk: ['critical'], approvers: 2, four_eyes: true }],
        },
        limits: { calls_per_minute: null, writes_per_minute: 12 },
        risk: {},
      },
      tenants: ['acme'],
    })
    const { body } = await office.admin('GET', '/settings?tenant=acme')
    expect(settings(body)).toMatchObject({
      tenant: 'acme',
      policy: { auto_approve_high_risk: true },
      risk: { notes_send: 'critical' },
    })
  })

  test('have every rule of policy and guidance', async () => {
    const config = join(place(), 'countersign.json')
    const guidance = { errors: false, budget: false, sample: 0.5 }
    writeFileSync(config, JSON.stringify({ policy: { apply: 'reference' }, guidance }))
    const office = await openOffice({ config })
    const told = settings((await office.admin('GET', '/settings')).body)
    const rules = configSchema.shape.policy.unwrap().shape
    expect(Object.keys(told['policy'] as object)).toEqual(expect.arrayContaining(Object.keys(rules)))
    expect(told).toMatchObject({ policy: { apply: 'reference' }, guidance })
    expect(Object.keys(guidance)).toStrictEqual(Object.keys(configSchema.shape.guidance.unwrap().shape))
  })

  test('of another tenant look to an operator of one as those of a tenant that has none', async () => {
    const config = join(place(), 'countersign.json')
    const tenants = { acme: {}, globex: { auto_approve_high_risk: true, risk: { notes_send: 'low' } } }
    writeFileSync(config, JSON.stringify({ tenants }))
    const front = await openFront({ config })
    const ada = await front.desk('Ada', { tenant: 'acme' })
    const asked = async (tenant: string) => (await ada.send('GET', `/api/v1/settings?tenant=${tenant}`)).body
    expect(settings(await asked('globex'))).toStrictEqual({ ...settings(await asked('nowhere')), tenant: 'globex' })
    expect(await asked('acme')).toMatchObject({ tenants: [] })
  })

  test('hold no secret: not the token, not the address of the database, not a webhook', async () => {
    const config = join(place(), 'countersign.json')
    const hook = { url: 'https://hooks.example/T0/B0/hush-hush', secret: 'sign-me-softly', events: ['feedback.high'] }
    writeFileSync(config, JSON.stringify({ webhooks: [hook], metrics: { token: 'metrics-only-token' } }))
    const office = await openOffice({ config })
    const { text } = await office.admin('GET', '/settings')
    for (const secret of [
      'the-token-of-the-operators',
      'hush-hush',
      'sign-me-softly',
      'metrics-only-token',
      office.file,
    ])
      expect(text).not.toContain(secret)
  })

  test('refuse a filter that they do not know', async () => {
    const office = await openOffice()
    expect((await office.admin('GET', '/settings?tennant=acme')).status).toBe(400)
  })
})

describe('changed definitions', () => {
  test('are accepted by admins of all tenants only, and only the one that was read', async () => {
    const front = await openFront()
    const accept = async (name: string, person: Parameters<typeof front.desk>[1], digest = 'a'.repeat(64)) => {
      const desk = await front.desk(name, person)
      const { status, body } = await desk.send('POST', '/api/v1/definitions/files/read/accept', { digest })
      return [status, (body['error'] as { code: string }).code]
    }
    expect(await accept('Vic', { roles: [{ kind: 'viewer' }] })).toStrictEqual([403, 'forbidden'])
    expect(await accept('Ada', { tenant: 'acme' })).toStrictEqual([403, 'forbidden'])
    expect(await accept('Eve', {})).toStrictEqual([409, 'not-waiting'])
    expect(await accept('Eve', {}, 'not a digest')).toStrictEqual([400, 'bad-body'])
    expect((await front.admin('GET', '/definitions')).body).toStrictEqual({ changes: [] })
  })
})
