// What an approver reads and what their approval rests on must be one state. A tool whose state moves whenever it has
// been described shows every place where one is described twice.
import { expect, test } from 'vitest'
import type { Approval } from '../../../server/model/approvals.ts'
import type { Answer } from '../../../server/rail/answers/outcome.ts'
import { runApproved } from '../../../server/rail/apply/run-approved.ts'
import { voter } from '../operators/approvals/voters.ts'
import { caller } from '../../kit/calls.ts'
import { createStage, noteTool, type Stage } from './rail-fixture.ts'

interface Moving {
  readonly stage: Stage
  /** The state that the tool finds now. */
  state: string
  /** What the state becomes after each description; it stays where nothing is left. */
  readonly next: string[]
  /** The states in which it ran. */
  readonly ran: string[]
}

const moving = async (state: string, ...next: readonly string[]): Promise<Moving> => {
  const ran: string[] = []
  const stage = await createStage([
    noteTool([], {
      risk: 'high',
      basis: () => tool.state,
      preview: () => {
        const title = `Write over ${tool.state}`
        tool.state = tool.next.shift() ?? tool.state
        return { title, summary: title, confirmLabel: 'Write' }
      },
      run: (input) => {
        tool.ran.push(tool.state)
        return { id: 'N-1', text: input.text }
      },
    }),
  ])
  Object.assign(stage.engine, { approvals: stage.store.approvals })
  const tool: Moving = { stage, state, next: [...next], ran }
  return tool
}

const approvalOf = async ({ stage }: Moving, answer: Answer): Promise<Approval> => {
  const found = await stage.store.approvals.find(answer.approval?.id ?? '')
  if (found === undefined) throw new Error(`no approval in "${answer.outcome}": ${answer.text}`)
  return found
}

/** The state that the approver reads, and the one that the plan of the approval rests on. */
const shownAndBasis = async ({ stage }: Moving, approval: Approval): Promise<readonly unknown[]> => {
  const plan = await stage.store.plans.find({ by: 'id', id: approval.planId })
  return [/Write over (\w+)/.exec(approval.card)?.[1], plan?.basis]
}

const approve = async ({ stage }: Moving, approval: Approval): Promise<Answer | undefined> => {
  const decided = await stage.store.approvals.decide(approval.id, { decision: 'approved', by: voter('Eve') })
  if (decided.kind !== 'decided') throw new Error(`not decided: ${decided.kind}`)
  return await runApproved(stage.engine, decided.approval)
}

const cardless = caller({ cards: 'no' })
const args = { text: 'x' }

test('a call that waits at once: the card and the basis of its approval are of one read, and what moved since is stale', async () => {
  const tool = await moving('blue', 'red')
  const approval = await approvalOf(tool, await tool.stage.ask('notes_write', args, cardless))
  expect(await shownAndBasis(tool, approval)).toStrictEqual(['blue', 'blue'])
  expect(await approve(tool, approval)).toMatchObject({ outcome: 'stale' })
  expect(tool.ran).toStrictEqual([])
})

test('a preview whose proof is too weak: where the state has moved since, the approval rests on what the approver reads', async () => {
  const tool = await moving('blue', 'red', 'blue')
  const previewed = await tool.stage.ask('notes_write', args)
  const asked = { ...args, ticket: previewed.planId, preview: false }
  const approval = await approvalOf(tool, await tool.stage.ask('notes_write', asked))
  expect(await shownAndBasis(tool, approval)).toStrictEqual(['red', 'red'])
  // The state is back at what the plan of the card rested on, which is not what the approver has read.
  expect(await approve(tool, approval)).toMatchObject({ outcome: 'stale' })
  expect(tool.ran).toStrictEqual([])
})

test('a preview whose proof is too weak: where nothing has moved, the approval rests on the same plan', async () => {
  const tool = await moving('blue')
  const previewed = await tool.stage.ask('notes_write', args)
  const asked = { ...args, ticket: previewed.planId, preview: false }
  const approval = await approvalOf(tool, await tool.stage.ask('notes_write', asked))
  expect(approval.planId).toBe(previewed.planId)
  expect(await approve(tool, approval)).toMatchObject({ outcome: 'applied' })
  expect(tool.ran).toStrictEqual(['blue'])
})

test('asked again after the state has moved: the second approval, too, is of one read', async () => {
  const tool = await moving('blue')
  const first = await approvalOf(tool, await tool.stage.ask('notes_write', args, cardless))
  tool.state = 'red'
  tool.next.push('red', 'green')
  expect(await approve(tool, first)).toMatchObject({ outcome: 'stale' })
  const waiting = await tool.stage.store.approvals.list({ state: 'pending', limit: 10 })
  expect(waiting).toHaveLength(1)
  const again = await approvalOf(tool, { approval: { id: waiting[0]?.id } } as Answer)
  const [shown, basis] = await shownAndBasis(tool, again)
  expect(shown).toBe(basis)
})
