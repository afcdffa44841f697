// Plans on other settings than the desk's: short lives, and arguments that are too long for a chat message.
import { beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { applyCall, buttonText, confirm, ticketOf, type Agent } from '../agent.ts'
import { createDesk, type Desk } from '../fixture-server.ts'

let desk: Desk
let agent: Agent

/** One server for those that are content with its settings. */
beforeAll(async () => {
  desk = createDesk()
  agent = await desk.stdio()
})

const runsOf = (planId: string): readonly string[] => desk.runs().filter((id) => id === planId)

describe('a preview that nobody confirmed in time', () => {
  test('is expired: nothing runs, and a new preview is the way on', async () => {
    const desk = createDesk()
    const agent = await desk.stdio({ planTtlMs: 1 })
    const preview = await agent.call('marks_add', { text: 'late' })
    await eventually(async () => {
      const { structuredContent } = await agent.client.callTool({
        name: 'countersign_plan_status',
        arguments: { ticket: ticketOf(preview) },
      })
      expect(structuredContent).toMatchObject({ state: 'expired' })
    })
    const refused = await confirm(agent, preview)
    expect(refused).toMatchObject({ status: 'refused', isError: true, guidance: { retryable: 'after_change' } })
    expect(refused.text).toContain('The preview has expired before it was applied.')
    expect(refused.card).toMatchObject({ kind: 'error', state: 'refused', plan_id: preview.planId })
    expect(buttonText(refused, 'other')).toMatch(/^Preview: call marks_add\(text="late"/)
    expect(desk.runs()).toStrictEqual([])
  })

  test('lives longer, once, after a click in its card', async () => {
    const desk = createDesk()
    const agent = await desk.stdio({ planTtlMs: 60_000, clickExtendsMs: 600_000 })
    const preview = await agent.call('marks_add', { text: 'soon' })
    const click = async () =>
      (
        await agent.client.callTool({
          name: 'countersign_plan_confirm',
          arguments: { ticket: ticketOf(preview) },
        })
      ).structuredContent as { expires_in_ms: number }
    const extended = (await click()).expires_in_ms
    expect(extended).toBeGreaterThan(600_000)
    expect((await click()).expires_in_ms).toBeLessThanOrEqual(extended)
  })
})

describe('arguments too long for a chat message', () => {
  const long = { text: 'x'.repeat(9_000) }

  test('are named by their plan, and exactly the stored plan runs, once', async () => {
    const preview = await agent.call('marks_add', long)
    const message = buttonText(preview, 'confirm')
    expect(message.length).toBeLessThan(1_000)
    expect(message).toMatch(/^Apply: call apply_plan\(tool="marks_add", title="Mark x+", rationale="/)
    expect(applyCall(preview).args).toMatchObject({ ticket: ticketOf(preview), preview: false })
    expect(await confirm(agent, preview)).toMatchObject({
      status: 'applied',
      data: { tool: 'marks_add', result: long },
      planId: preview.planId,
    })
    expect((await confirm(agent, preview)).status).toBe('replayed')
    expect(runsOf(preview.planId)).toHaveLength(1)
  })

  test.each([
    ['plain letters', 'x', 1],
    ['letters of two bytes', 'é', 2],
    ['characters of four bytes', '😀', 4],
    ['characters that are written as an escape', '\u200b', 6],
  ])('begin where the whole message passes 8,192 bytes of UTF-8: %s', async (_, unit, bytes) => {
    const bare = Buffer.byteLength(buttonText(await agent.call('marks_add', { text: '' }), 'confirm'))
    const room = 8_192 - bare
    const longest = unit.repeat(Math.floor(room / bytes)) + 'x'.repeat(room % bytes)
    const inline = await agent.call('marks_add', { text: longest })
    expect(applyCall(inline)).toMatchObject({ tool: 'marks_add', args: { text: longest } })
    expect(Buffer.byteLength(buttonText(inline, 'confirm'))).toBe(8_192)
    expect((await confirm(agent, inline)).data).toMatchObject({ status: 'applied', result: { text: longest } })
    const next = await agent.call('marks_add', { text: `${longest}x` })
    expect(applyCall(next)).toMatchObject({ tool: 'apply_plan', args: { tool: 'marks_add' } })
    expect((await confirm(agent, next)).data).toMatchObject({ status: 'applied', result: { text: `${longest}x` } })
  })

  test('still can be repeated in full by an agent that does', async () => {
    const preview = await agent.call('marks_add', long)
    const applied = await agent.call('marks_add', { ...long, ticket: ticketOf(preview), preview: false })
    expect(applied.status).toBe('applied')
  })

  test('never run by their plan id, under another tool, with a foreign ticket or as a preview', async () => {
    const preview = await agent.call('marks_add', long)
    const { args } = applyCall(preview)
    const before = desk.runs()
    const attempts = [
      { ticket: preview.planId },
      { tool: 'marks_add_known' },
      { ticket: `cs1_${'0'.repeat(26)}` },
      { preview: true },
      { tool: 'no_such_tool' },
      { surplus: 1 },
    ]
    for (const change of attempts) {
      const reply = await agent.call('apply_plan', { ...args, ...change })
      expect([change, reply.isError]).toStrictEqual([change, true])
    }
    expect(desk.runs()).toStrictEqual(before)
    expect((await confirm(agent, preview)).status).toBe('applied')
  })

  test('the operator may have every message so, or none', async () => {
    const desk = createDesk()
    const always = await desk.stdio({ apply: 'reference' })
    const short = await always.call('marks_add', { text: 'short' })
    expect(buttonText(short, 'confirm')).toMatch(/^Apply: call apply_plan\(/)
    expect((await confirm(always, short)).status).toBe('applied')
    const never = await desk.stdio({ apply: 'inline' })
    expect(never.tools.map(({ name }) => name)).not.toContain('apply_plan')
    const full = await never.call('marks_add', long)
    expect(buttonText(full, 'confirm')).toContain(long.text)
    expect((await confirm(never, full)).status).toBe('applied')
  })
})

test('a success card that cannot be shown hides neither that it was applied nor the result', async () => {
  const preview = await agent.call('marks_add_proud', { text: 'one' })
  const done = { isError: false, planId: preview.planId, data: { result: { text: 'one' } } }
  expect(await confirm(agent, preview)).toMatchObject({ ...done, status: 'applied' })
  expect(await confirm(agent, preview)).toMatchObject({ ...done, status: 'replayed' })
  expect(runsOf(preview.planId)).toHaveLength(1)
})
