// What an agent that is stuck can say, and what operators can do with it.
import { describe, expect, test } from 'vitest'
import { instructionsFor } from '../../../../server/rail/answers/agent-instructions.ts'
import { everything } from '../../../postgres.ts'
import { openOffice } from '../../http/operators/serve-operators.ts'

const stuck = {
  attempted_action: 'Drop the note n1, as the user asked.',
  expected_outcome: 'A preview.',
  actual_outcome: 'A refusal that names no way on.',
  severity: 'high',
} as const

interface Item {
  readonly id: string
  readonly severity: string
  readonly state: string
}

describe('submit_feedback', () => {
  test('is kept at once, without a person, and operators read it', async () => {
    const { call, admin } = await openOffice()
    const sent = await call('submit_feedback', { ...stuck, tool_called: 'notes_drop', error_seen: 'refused' })
    expect(sent).toMatchObject({
      status: 200,
      body: { status: 'applied', result: { id: expect.stringMatching(/^fb_/) as string } },
    })
    expect((await admin('GET', '/feedback')).body).toMatchObject({
      feedback: [
        {
          ...stuck,
          id: (sent.body['result'] as Item).id,
          tool_called: 'notes_drop',
          error_seen: 'refused',
          state: 'new',
          from: { tenant: 'default', subject: 'ada' },
          rationale: 'The person asked for this.',
        },
      ],
    })
  })

  test('refuses what lacks a field or says too much', async () => {
    const { call, admin } = await openOffice()
    for (const change of [
      { attempted_action: undefined },
      { expected_outcome: '' },
      { actual_outcome: 'x'.repeat(2001) },
      { severity: 'fatal' },
      { severity: undefined },
      { rationale: undefined },
      { note: 'for operators' },
    ])
      expect(await call('submit_feedback', { ...stuck, ...change })).toMatchObject({
        status: 400,
        body: { error_guidance: { field_errors: [{ pointer: `/${Object.keys(change)[0]}` }] } },
      })
    expect((await admin('GET', '/feedback')).body).toStrictEqual({ feedback: [], next: null })
  })

  test('keeps no secret that an agent quotes, and nothing of it readable in the file', async () => {
    const { call, admin, file } = await openOffice()
    const secret = `ghp_${'a1B2'.repeat(9)}`
    await call('submit_feedback', { ...stuck, error_seen: `401 for ${secret}`, actual_outcome: 'canary-outcome' })
    const { text } = await admin('GET', '/feedback')
    expect(text).toContain('401 for [redacted]')
    expect(text).not.toContain(secret)
    expect(await everything(file)).not.toContain(secret)
  })

  test('is named in the instructions and wherever an agent is left blocked', async () => {
    let missing: readonly string[] = []
    const { call } = await openOffice({
      missingPermissions: (_, asked) => asked.filter((each) => missing.includes(each)),
    })
    expect(instructionsFor()).toContain('submit_feedback')
    expect((await call('notes_burn', {})).text).toContain('submit_feedback')
    expect((await call('notes_tidy', { id: 'n', ticket: 'pl_0000000000000000', preview: false })).text).toContain(
      'submit_feedback',
    )
    missing = ['notes:drop']
    expect((await call('notes_drop', { id: 'n1' })).text).toContain('submit_feedback')
  })
})

describe('operators', () => {
  test('filter by time, severity and state', async () => {
    const { call, admin } = await openOffice()
    for (const severity of ['low', 'med', 'high']) await call('submit_feedback', { ...stuck, severity })
    const found = async (query: string) =>
      ((await admin('GET', `/feedback${query}`)).body['feedback'] as readonly Item[]).map((item) => item.severity)
    expect(await found('')).toHaveLength(3)
    expect(await found('?severity=med')).toStrictEqual(['med'])
    expect(await found('?since=1h&severity=high')).toStrictEqual(['high'])
    expect(await found('?since=2020-01-01')).toHaveLength(3)
    expect(await found('?since=2999-01-01T00:00Z')).toStrictEqual([])
    expect(await found('?state=done')).toStrictEqual([])
    expect(await found('?limit=2')).toHaveLength(2)
  })

  test('are told which filter makes no sense', async () => {
    const { admin } = await openOffice()
    for (const [query, name] of [
      ['since=yesterday', 'since'],
      ['since=2026-13-01', 'since'],
      ['since=', 'since'],
      ['severity=fatal', 'severity'],
      ['state=open', 'state'],
      ['severty=high', 'severty'],
    ] as const)
      expect(await admin('GET', `/feedback?${query}`)).toMatchObject({
        status: 400,
        body: { error: { code: 'bad-filter', fields: [{ name }] } },
      })
  })

  test('mark an item and note something with it, by PATCH or POST', async () => {
    const { call, admin } = await openOffice()
    const { id } = (await call('submit_feedback', stuck)).body['result'] as Item
    const first = await admin(
      'PATCH',
      `/feedback/${id}`,
      { state: 'seen', note: 'Known.' },
      { 'x-countersign-approver': 'Eve' },
    )
    expect(first.body).toMatchObject({ id, state: 'seen', note: 'Known.', changed_by: 'Eve' })
    expect((await admin('POST', `/feedback/${id}`, { state: 'done' })).body).toMatchObject({
      state: 'done',
      note: 'Known.',
    })
    expect((await admin('GET', `/feedback/${id}`)).body).toMatchObject({ state: 'done', changed_by: 'admin' })
    for (const body of [{}, { state: 'open' }, { note: 7 }, { stat: 'done' }])
      expect((await admin('PATCH', `/feedback/${id}`, body)).status).toBe(400)
    expect((await admin('PATCH', '/feedback/fb_nowhere', { state: 'done' })).status).toBe(404)
  })
})
