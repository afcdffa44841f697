// Bundles where the server is set up otherwise: by reference, with the host's prompts, unasked, frozen, forbidden.
import { describe, expect, test } from 'vitest'
import { call } from '../../../../server/rail/call.ts'
import { parseApply } from '../../../../server/confirm/message.ts'
import { caller, requestOf } from '../../../kit/calls.ts'
import { applyMessage, confirmed, createStage, why, type Stage } from '../rail-fixture.ts'
import type { Answer } from '../../../../server/rail/answers/outcome.ts'
import { newShelf, shelfTools } from './shelf.ts'

const put = (name: string) => ({ tool: 'shelf_put', arguments: { name, count: 1 } })
const args = { plans: [put('a'), put('b')], title: 'Fill', rationale: why }

const openShelf = async (settings: NonNullable<Parameters<typeof createStage>[1]>['settings'] = {}) => {
  const shelf = newShelf()
  return { shelf, stage: await createStage(shelfTools(shelf), { settings }) }
}

const applied = (stage: Stage, preview: Answer): Promise<Answer> => stage.repeat(confirmed(preview))

describe('a bundle', () => {
  test('that is confirmed by reference runs what was stored, and comes back as a new preview where that has moved', async () => {
    const { shelf, stage } = await openShelf({ apply: 'reference' })
    const shown = await stage.send('apply_bundle', args)
    expect(applyMessage(shown)).toMatch(/^Apply: call apply_plan\(tool="apply_bundle", title="2 changes: “Fill”"/)
    expect((await applied(stage, shown)).outcome).toBe('applied')
    expect([...shelf.things.keys()]).toEqual(['a', 'b'])
    const set = (count: number) => ({ tool: 'shelf_set', arguments: { name: 'a', count } })
    const moved = await stage.send('apply_bundle', { ...args, plans: [set(5), put('c')] })
    shelf.things.set('a', 4)
    const stale = await applied(stage, moved)
    expect(stale.outcome).toBe('stale')
    expect((await applied(stage, stale)).outcome).toBe('applied')
    expect(shelf.things.get('a')).toBe(5)
  })

  test('is not confirmed by the host’s own prompt, which shows its plans by their ids', async () => {
    const { shelf, stage } = await openShelf({ confirmation: 'host' })
    const at = await stage.send('apply_bundle', { ...args, preview: false })
    expect(at.outcome).toBe('previewed')
    const plan = await stage.send('apply_bundle', { ...args, preview: false, ticket: at.planId })
    expect(plan.outcome).toBe('refused')
    expect(shelf.ran).toEqual([])
    expect((await applied(stage, at)).outcome).toBe('applied')
  })

  test('runs unasked only where its tenant lets calls of its risk run so', async () => {
    const { shelf, stage } = await openShelf({ autoApproveHigh: ['default'] })
    shelf.things.set('box', 1)
    const high = [{ tool: 'shelf_set', arguments: { name: 'box', count: 2 } }, put('a')]
    expect((await stage.send('apply_bundle', { ...args, plans: high, preview: false })).outcome).toBe('applied')
    const critical = [{ tool: 'shelf_drop', arguments: { name: 'box' } }, put('c')]
    expect((await stage.send('apply_bundle', { ...args, plans: critical, preview: false })).outcome).toBe('previewed')
    expect(shelf.things.has('box')).toBe(true)
  })

  test('is of no lower risk than its steps, whatever an operator says of it', async () => {
    const { stage } = await openShelf({
      riskOf: (_, tool, declared) => (tool === 'apply_bundle' ? 'medium' : declared),
    })
    await applied(stage, await stage.send('apply_bundle', args))
    const drop = { tool: 'shelf_drop', arguments: { name: 'a' } }
    const shown = await stage.send('apply_bundle', { ...args, plans: [drop, put('c')] })
    expect(shown.card?.risk).toBe('critical')
    expect((await applied(stage, shown)).outcome).toBe('refused')
  })

  test('is unknown where the operator forbids it, and names the freeze where changes are stopped, and looks at nothing', async () => {
    const { stage } = await openShelf({
      riskOf: (_, tool, declared) => (tool === 'apply_bundle' ? 'forbidden' : declared),
    })
    const unknown = await stage.send('apply_bundle', { ...args, plans: [put('a'), { tool: 'nothing', arguments: {} }] })
    expect(unknown.guidance?.error_type).toBe('unknown_tool')
    const other = await openShelf()
    await other.stage.store.switches.freeze({ tenant: undefined, reason: 'We look into it.', by: 'max' })
    const engine = { ...other.stage.engine, switches: other.stage.store.switches }
    const frozen = await call(engine, requestOf('apply_bundle', args))
    expect(frozen.text).toContain('We look into it.')
  })

  test('of two processes is run by the one that serves its steps', async () => {
    const { shelf, stage } = await openShelf()
    const shown = await stage.send('apply_bundle', args)
    const message = parseApply(confirmed(shown))
    if (!message.ok || message.value.kind !== 'apply') throw new Error('no Apply message')
    const elsewhere = await createStage(shelfTools(shelf).slice(1))
    const engine = { ...elsewhere.engine, plans: stage.store.plans }
    const there = await call(engine, requestOf('apply_bundle', message.value.args, caller()))
    expect(there.guidance?.message).toBe('Step 1 has another definition by now, or its tool is not there.')
    expect((await applied(stage, shown)).outcome).toBe('applied')
  })
})
