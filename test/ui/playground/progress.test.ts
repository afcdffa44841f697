// Where a person stands with the first steps is read from the conversation alone.
import { expect, test } from 'vitest'
import { stepsOver, stepTaken } from '../../../ui/playground/chat/progress.ts'
import type { Guide, Suggestion } from '../../../ui/playground/chat/suggestions.ts'
import type { CallEntry, Entry } from '../../../ui/playground/chat/transcript.ts'

const step = (until: Guide['until']): Suggestion => ({
  label: until,
  hint: '',
  tool: 'orders_modify',
  args: { rationale: `for ${until}` },
  guide: { todo: '', seen: '', until },
})
const steps = (['applied', 'revised', 'stale', 'approval'] as const).map(step)

let made = 0
const call = (of: Guide['until'], why: CallEntry['why'], answer?: Readonly<Record<string, unknown>>): Entry => ({
  kind: 'call',
  id: String((made += 1)),
  at: 0,
  why,
  tool: 'orders_modify',
  args: { rationale: `for ${of}` },
  end:
    answer === undefined
      ? { kind: 'running' }
      : { kind: 'answered', result: { content: [], structuredContent: answer } },
})
const preview = (of: Guide['until']) => call(of, 'asked', { status: 'preview' })

test.each<[Guide['until'], Entry]>([
  ['applied', call('applied', 'applies', { status: 'applied' })],
  ['revised', call('revised', 'previews', { status: 'preview' })],
  ['stale', call('stale', 'applies', { status: 'stale' })],
  ['approval', call('approval', 'repeats', { requires_human_approval: true })],
])('a step until %s is over with the call that ends so, and not before', (until, last) => {
  expect(stepsOver(steps, [preview(until)])).toEqual([])
  expect(stepsOver(steps, [preview(until), last])).toEqual([until])
})

test('the step that was taken last is open, over, or left with its card', () => {
  const stands = (...entries: readonly Entry[]) => stepTaken(steps, entries)?.stands
  const cancelled: Entry = { kind: 'person', id: 'p', at: 0, from: 'card', text: 'Cancel: do not apply it (pl_1).' }
  expect(stands()).toBeUndefined()
  expect(stands(call('applied', 'asked'))).toBe('open')
  expect(stands(preview('applied'), cancelled)).toBe('left')
  expect(stands(preview('applied'), call('applied', 'applies', { status: 'applied' }))).toBe('over')
  const other: Entry = { ...preview('applied'), args: { rationale: 'Something else.' } } as Entry
  expect(stands(preview('applied'), other)).toBeUndefined()
})

test('an approval is led to where its address is one of the web', () => {
  const waits = (url: string) =>
    stepTaken(steps, [
      preview('approval'),
      call('approval', 'repeats', { requires_human_approval: true, approval_id: 'ap_1', approval_url: url }),
    ])?.approval
  expect(waits('http://127.0.0.1:3323/admin/approvals/ap_1')?.id).toBe('ap_1')
  expect(waits('javascript:alert(1)')).toBeUndefined()
})
