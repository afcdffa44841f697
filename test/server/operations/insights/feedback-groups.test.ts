// Feedback for those who work through it: by pages, in groups, and never beyond one's own tenant.
import { describe, expect, test } from 'vitest'
import { openOffice } from '../../http/operators/serve-operators.ts'

const stuck = {
  attempted_action: 'Delete a purchase order',
  expected_outcome: 'It is gone',
  actual_outcome: 'There is no tool that deletes purchase orders.',
  severity: 'low',
  rationale: 'The person waits for an answer of mine.',
}

interface Page {
  readonly feedback: readonly { readonly id: string }[]
  readonly next: string | null
}

interface Groups {
  readonly tenants: readonly {
    readonly tenant: string
    readonly texts: number
    readonly groups: readonly { readonly count: number; readonly members: readonly { readonly sentence: string }[] }[]
  }[]
}

describe('feedback is listed', () => {
  test('page by page, each piece once', async () => {
    const { call, admin } = await openOffice()
    for (let at = 0; at < 7; at++) await call('submit_feedback', { ...stuck, actual_outcome: `Nothing came of ${at}.` })
    const seen: string[] = []
    for (let next: string | null = ''; next !== null;) {
      const query: string = next === '' ? '' : `&before=${next}`
      const page = (await admin('GET', `/feedback?limit=3${query}`)).body as unknown as Page
      seen.push(...page.feedback.map(({ id }) => id))
      next = page.next
    }
    expect(new Set(seen).size).toBe(7)
    expect(seen).toHaveLength(7)
  })

  test('in groups of what says the same, each tenant by itself', async () => {
    const { call, admin } = await openOffice()
    await call('submit_feedback', stuck)
    await call('submit_feedback', { ...stuck, actual_outcome: 'I found no tool for deleting a purchase order.' })
    await call('submit_feedback', { ...stuck, attempted_action: 'x', actual_outcome: 'The address field is unknown.' })
    await call('submit_feedback', stuck, { 'x-tenant': 'other' })
    const { tenants } = (await admin('GET', '/feedback/groups')).body as unknown as Groups
    expect(tenants.map(({ tenant, texts, groups }) => [tenant, texts, groups.map(({ count }) => count)])).toStrictEqual(
      [
        ['default', 3, [2, 1]],
        ['other', 1, [1]],
      ],
    )
    expect(tenants[0]?.groups[0]?.members.map(({ sentence }) => sentence)).toContain(
      'I found no tool for deleting a purchase order.',
    )
    const high = (await admin('GET', '/feedback/groups?severity=high')).body as unknown as Groups
    expect(high.tenants).toStrictEqual([])
    expect((await admin('GET', '/feedback/groups?limit=3')).status).toBe(400)
  })

  test('of the tenant that was asked for', async () => {
    const { call, admin } = await openOffice()
    await call('submit_feedback', stuck)
    await call('submit_feedback', { ...stuck, actual_outcome: 'Of the other one.' }, { 'x-tenant': 'other' })
    const { text } = await admin('GET', '/feedback?tenant=other')
    expect(text).toContain('Of the other one.')
    expect(text).not.toContain('purchase orders.')
  })
})
