// Tools of a tracker, one for each way a call is agreed to: by the plan's id, by a card's ticket, by a recorded click, by
// an operator with a second factor, and not at all.
import { z } from 'zod'
import { defineTool } from '../../../server/tools/define-tool.ts'
import type { Contract, WriteContract } from '../../../server/tools/contract.ts'

const failures = {
  no_such_issue: { effect: 'none', guidance: 'Use the id of an issue: ISS-1.' },
} as const

/** Contracts over issues of their own, all open at first. */
export function issueTools(): { readonly tools: readonly Contract[]; readonly issues: Map<string, string> } {
  const issues = new Map([
    ['ISS-1', 'open'],
    ['ISS-2', 'open'],
  ])
  const change = (
    verb: string,
    risk: 'medium' | 'high' | 'critical',
    more: Partial<WriteContract<{ id: string }, { state: string }, typeof failures>> = {},
  ): Contract =>
    defineTool({
      name: `issues.${verb}`,
      title: `${verb} an issue`,
      noun: 'the issue',
      description: `Changes an issue: ${verb}.`,
      operation: 'destructive',
      risk,
      idempotency: 'natural',
      input: z.strictObject({ id: z.string() }),
      output: z.strictObject({ state: z.string() }),
      failures,
      sideEffects: [{ what: 'The issue changes.', onRepeat: 'Nothing more.' }],
      basis: ({ id }) => issues.get(id) ?? 'none',
      preview: ({ id }, ctx) => {
        const before = issues.get(id)
        if (before === undefined) return ctx.fail('no_such_issue', `There is no issue ${id}.`)
        return {
          title: `${verb} ${id}`,
          summary: `${verb}s ${id}.`,
          confirmLabel: verb,
          changes: [
            {
              pointer: '/state',
              label: 'State',
              before: { kind: 'text', text: before },
              after: { kind: 'text', text: verb },
            },
          ],
          effects: ['Its watchers are told.'],
          warnings: [{ title: 'It has comments.' }],
          ...(before === 'locked' ? { blocked: { title: 'It is locked.', text: 'Unlock it first.' } } : {}),
        }
      },
      run: ({ id }) => {
        issues.set(id, verb)
        return { state: verb }
      },
      ...more,
    })
  const find = defineTool({
    name: 'issues.find',
    title: 'Find an issue',
    description: 'Finds an issue.',
    operation: 'read',
    risk: 'low',
    input: z.strictObject({ id: z.string() }),
    output: z.strictObject({ status: z.string() }),
    failures,
    run: ({ id }, ctx) => {
      const state = issues.get(id)
      return state === undefined ? ctx.fail('no_such_issue', `There is no issue ${id}.`) : { status: state }
    },
  })
  const tools = [
    change('label', 'medium'),
    change('close', 'high'),
    change('delete', 'critical'),
    change('move', 'high', { stepUp: 'always' }),
    find,
  ]
  return { tools, issues }
}
