// What only writes a few rows of mail runs in the transaction of its plan. These calls go through the rail, as those of agents
// do: a tool that used the database by another way would wait for itself.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseApply } from '../../../../server/confirm/message.ts'
import type { Answer } from '../../../../server/rail/answers/outcome.ts'
import { call } from '../../../../server/rail/call.ts'
import { isWriteTool } from '../../../../server/tools/catalog.ts'
import { requestOf } from '../../../kit/calls.ts'
import { confirmed, createEngine } from '../../rail/rail-fixture.ts'
import { openDesk } from './mail-fixture.ts'

const made = z.object({
  contact: z.object({ contactId: z.string() }).optional(),
  template: z.object({ templateId: z.string() }).optional(),
  draft: z.object({ draftId: z.string() }).optional(),
})
type Made = z.infer<typeof made>

const rationale = 'The person asked for it.'

async function openAgent() {
  const desk = await openDesk({ url: 'smtp://127.0.0.1:1' })
  const engine = {
    ...createEngine({ tools: desk.set.tools, ledger: desk.store.plans, now: desk.store.now }),
    activityLog: desk.store.activityLog,
  }
  const send = (name: string, args: unknown): Promise<Answer> => call(engine, requestOf(name, args))
  const preview = (name: string, args: Readonly<Record<string, unknown>>) => send(name, { ...args, rationale })
  const apply = (shown: Answer): Promise<Answer> => {
    const parsed = parseApply(confirmed(shown))
    if (!parsed.ok || parsed.value.kind !== 'apply') throw new Error('It is no Apply message.')
    return send(parsed.value.tool, parsed.value.args)
  }
  const signed = async (name: string, args: Readonly<Record<string, unknown>>): Promise<Made> => {
    const shown = await preview(name, args)
    // What has no risk runs without being asked for.
    const answer = shown.outcome === 'applied' ? shown : await apply(shown)
    expect(answer, answer.text).toMatchObject({ outcome: 'applied' })
    return made.parse(answer.result)
  }
  const transactional = engine.catalog.tools.filter((tool) => isWriteTool(tool) && tool.contract.transactional === true)
  return { ...desk, preview, apply, signed, transactional: transactional.map(({ wireName }) => wireName) }
}

test('each of these tools is applied with its plan', async () => {
  const { db, signed, transactional } = await openAgent()
  const tried = new Set<string>()
  const does = (name: string, args: Readonly<Record<string, unknown>>) => {
    tried.add(name)
    return signed(name, args)
  }
  const { contact } = await does('contacts_create', { address: 'ann@lee.example', name: 'Ann Lee' })
  await does('contacts_update', { contactId: contact?.contactId, name: 'Ann B. Lee' })
  const { template } = await does('templates_create', { name: 'Hello', subject: 'Hello', body: 'Good day.' })
  await does('templates_update', { templateId: template?.templateId, subject: 'Hello again' })
  const { draft } = await does('emails_create_draft', { to: ['ann@lee.example'], subject: 'Hi', body: 'Hello.' })
  await does('emails_update_draft', { draftId: draft?.draftId, subject: 'Hi again' })
  await does('emails_delete_draft', { draftId: draft?.draftId })
  expect([...transactional].filter((name) => !tried.has(name))).toStrictEqual([
    'emails_cancel_scheduled',
    'emails_record_bounce',
  ])
  expect(await db.selectFrom('mail_contacts').select(['name']).execute()).toEqual([{ name: 'Ann B. Lee' }])
  expect(await db.selectFrom('mail_runs').selectAll().execute()).toStrictEqual([])
})

test('of two that add the same contact at once one is applied, and the other hears that it is taken', async () => {
  const { preview, apply, db } = await openAgent()
  const one = await preview('contacts_create', { address: 'ann@lee.example', name: 'Ann' })
  const other = await preview('contacts_create', { address: 'ANN@lee.example', name: 'Ann Lee' })
  const answers = await Promise.all([apply(one), apply(other)])
  expect(answers.map(({ outcome }) => outcome).toSorted()).toStrictEqual(['applied', 'failed'])
  expect(answers.flatMap(({ guidance }) => guidance?.error_type ?? [])).toStrictEqual(['contact_exists'])
  expect(await db.selectFrom('mail_contacts').select('id').execute()).toHaveLength(1)
})
