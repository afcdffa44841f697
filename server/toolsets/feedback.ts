// An agent that is stuck either gives up or tries something worse, and nobody hears why. This tool is its way to tell
// the operators; it changes nothing that anyone works with, so it runs at once and asks no person.
import { z } from 'zod'
import type { Contract } from '../tools/contract.ts'
import { severities, type FeedbackBox } from '../model/feedback.ts'
import { defineOwnTool } from '../tools/define-tool.ts'

const text = z.string().min(1).max(2000)

const input = z.strictObject({
  attempted_action: text,
  expected_outcome: text,
  actual_outcome: text,
  tool_called: z.string().max(200).optional(),
  error_seen: text.optional(),
  severity: z.enum(severities).describe('high: you cannot go on; med: only by a detour; low: a remark.'),
})

/** One item for each plan, however often it is tried. */
const idOf = (idempotencyKey: string): string => `fb_${idempotencyKey.replace(/^pl_/, '')}`

/** `submit_feedback`, on every server. */
export function feedbackTool(box: FeedbackBox): Contract {
  return defineOwnTool({
    name: 'submit.feedback',
    title: 'Tell the operators',
    noun: 'the feedback',
    description:
      'Tells the operators of this server what blocked you or did not work as described. Not for the user’s own wishes. No passwords or personal data.',
    category: 'help',
    operation: 'write',
    risk: 'low',
    autonomous: true,
    input,
    output: z.strictObject({ id: z.string() }),
    failures: {
      not_kept: { effect: 'unknown', guidance: 'Go on without it; the server has trouble with its own database.' },
    },
    sideEffects: [{ what: 'The operators of this server can read it.', onRepeat: 'It is kept a second time.' }],
    idempotency: 'plan',
    auditEvent: 'feedback.submitted',
    preview: ({ attempted_action, severity }) => ({
      title: 'Send feedback to the operators',
      summary: `Sends feedback of severity ${severity}: ${attempted_action.slice(0, 200)}`,
      confirmLabel: 'Send feedback',
    }),
    run: async (given, ctx) => {
      const id = idOf(ctx.idempotencyKey)
      try {
        await box.add({
          id,
          principal: ctx.principal,
          severity: given.severity,
          attemptedAction: given.attempted_action,
          expectedOutcome: given.expected_outcome,
          actualOutcome: given.actual_outcome,
          toolCalled: given.tool_called,
          errorSeen: given.error_seen,
          rationale: ctx.rationale,
        })
        return { id }
      } catch {
        return ctx.fail('not_kept', 'The feedback could not be kept.')
      }
    },
    reconcile: async (_, ctx) => {
      const id = idOf(ctx.idempotencyKey)
      return (await box.find(id)) === undefined ? { kind: 'not-applied' } : { kind: 'applied', result: { id } }
    },
    cards: { success: (_, { id }) => ({ title: 'Feedback sent', subtitle: id }) },
  })
}
