// One call's whole story through the web door: its rows, and what people did about it.
import { describe, expect, test } from 'vitest'
import { createActivityApi } from '../../../../server/http/activity/activity-api.ts'
import type { Story } from '../../../../server/http/activity/story-api.ts'
import type { Store } from '../../../../server/store/store.ts'
import { letViewerIn } from '../operators/let-in.ts'
import { openOffice } from '../operators/serve-operators.ts'
import { opened } from '../../store/store-fixture.ts'
import { record } from '../../store/activity/rows.ts'

const apiFor = (store: Store, tenant: string | undefined) => {
  const api = createActivityApi({
    ...store,
    find: () => undefined,
    guard: letViewerIn(tenant),
  })
  return (path: string) => api.request(path)
}

describe('a story', () => {
  test('of an approval has who asked, who decided and what came of it, by the id of any of them', async () => {
    const { ask, admin } = await openOffice()
    const approval = await ask('notes_drop', { id: 'n1' })
    await admin('POST', `/approvals/${approval}/approve`, {}, { 'x-countersign-approver': 'Eve' })
    const { body } = await admin('GET', `/activity/${approval}/story`)
    const story = body as unknown as Story
    expect(story.approvals).toMatchObject([
      { id: approval, state: 'approved', decided_by: 'Eve', votes: [{ name: 'Eve' }] },
    ])
    expect(story.plans).toMatchObject([{ state: 'applied', click: null }])
    const agents = story.story.filter(({ source }) => source !== 'operator')
    expect(agents.map(({ status }) => status)).toStrictEqual(['awaiting_approval', 'applied'])
    for (const id of [story.plans[0]?.id, agents[0]?.id])
      expect((await admin('GET', `/activity/${id}/story`)).body['approvals']).toStrictEqual(story.approvals)
  })

  test('of a rejection has the reason', async () => {
    const { ask, admin } = await openOffice()
    const approval = await ask('notes_drop', { id: 'n1' })
    await admin('POST', `/approvals/${approval}/reject`, { reason: 'It is still needed.' })
    const { approvals } = (await admin('GET', `/activity/${approval}/story`)).body as unknown as Story
    expect(approvals).toMatchObject([{ state: 'rejected', reason: 'It is still needed.' }])
  })

  test('that is not there is a 404 with the next step', async () => {
    const { admin } = await openOffice()
    expect(await admin('GET', '/activity/ac_none/story')).toMatchObject({
      status: 404,
      body: { error: { code: 'not-found', next: expect.stringContaining('retention') } },
    })
  })
})

describe('an operator of one tenant', () => {
  test('finds of another one’s record what there is of a record that does not exist', async () => {
    const store = await opened({ file: ':memory:' })
    const theirs = await record(store, { principal: { tenant: 'two', subject: 'eve' } }, { planId: 'pl_two' })
    await record(store, { principal: { tenant: 'one', subject: 'ada' } })
    const ask = apiFor(store, 'one')
    for (const path of ['', '/story'])
      for (const id of [theirs, 'pl_two']) {
        const [hidden, absent] = [await ask(`/${id}${path}`), await ask(`/ac_none${path}`)]
        expect(hidden.status).toBe(404)
        expect((await hidden.text()).replace(id, '')).toBe((await absent.text()).replace('ac_none', ''))
      }
    for (const query of ['?tenant=two', '?tenant=nobody', '?plan=pl_two', '?subject=eve'])
      expect(await (await ask(`/${query}`)).json()).toStrictEqual({ activity: [], next_cursor: null })
    expect(await (await ask('/?tenant=one,two')).json()).toMatchObject({ activity: [{ tenant: 'one' }] })
    expect(await (await ask('/export')).text()).not.toContain('"two"')
    const chain = async (tenant: string) =>
      JSON.stringify(((await (await ask(`/chain?tenant=${tenant}`)).json()) as { chains: unknown }).chains)
    expect((await chain('two')).replace('two', '')).toBe((await chain('xyz')).replace('xyz', ''))
    expect(await chain('two')).toContain('"entries":0')
    expect(await (await ask('/chain')).json()).toMatchObject({
      chains: [{ tenant: 'one', state: 'not_anchored', entries: 2 }],
    })
  })
})
