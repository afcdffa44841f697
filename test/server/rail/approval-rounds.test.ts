// Whoever decides starts the call at once, and the same process looks for approved calls once a second. Both may meet
// one approval in the same moment.
import { expect, test } from 'vitest'
import { createApprovalRounds } from '../../../server/rail/apply/approval-rounds.ts'
import { voter } from '../operators/approvals/voters.ts'
import { caller } from '../../kit/calls.ts'
import { createStage, noteTool } from './rail-fixture.ts'

test('who decides hears that the call was applied, also where the look of the same moment was faster', async () => {
  let ran = 0
  const stage = await createStage([
    noteTool([], {
      risk: 'high',
      basis: () => 'one',
      run: (input) => {
        ran++
        return { id: 'N-1', text: input.text }
      },
    }),
  ])
  Object.assign(stage.engine, { approvals: stage.store.approvals })
  const rounds = createApprovalRounds(stage.engine)
  const asked = await stage.ask('notes_write', { text: 'milk' }, caller({ cards: 'no' }))
  const decided = await stage.store.approvals.decide(asked.approval?.id ?? '', {
    decision: 'approved',
    by: voter('Eve'),
  })
  if (decided.kind !== 'decided') throw new Error(decided.kind)
  await rounds.look()
  expect(await rounds.run(decided.approval)).toMatchObject({ outcome: 'applied' })
  expect(ran).toBe(1)
})
