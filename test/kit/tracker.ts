// A tracker of issues whose writes are declared by their plans.
import { z } from 'zod'
import { defineWrite, patched } from '../../server/tools/planned/define-write.ts'

export const issue = z.strictObject({ id: z.string(), title: z.string(), state: z.enum(['open', 'closed']) })
export type Issue = z.infer<typeof issue>
const id = z.string()

/** A tracker with one issue. */
export function tracker() {
  const issues = new Map<string, Issue>([['ISS-1', { id: 'ISS-1', title: 'Launch', state: 'open' }]])
  const change = defineWrite({
    name: 'issues.change',
    description: 'Changes an issue. What is left out stays.',
    risk: 'high',
    input: issue.partial().required({ id: true }),
    record: issue,
    failures: { not_found: 'Take an id from issues_list.', locked: { effect: 'none', guidance: 'Ask its owner.' } },
    plan: ({ id, ...wanted }, ctx) => {
      const before = issues.get(id)
      if (before === undefined) return ctx.fail('not_found', `There is no issue ${id}.`)
      if (wanted.title === 'locked')
        return { before, after: before, blocked: { code: 'locked', title: 'It is locked', text: 'Ada has it.' } }
      return { before, after: patched(before, wanted) }
    },
    apply: ({ after }) => void issues.set(after.id, after),
  })
  const create = defineWrite({
    name: 'issues.create',
    description: 'Opens an issue.',
    operation: 'write',
    risk: 'medium',
    input: z.strictObject({ title: z.string() }),
    plan: ({ title }) => ({ after: { title, state: 'open' as const } }),
    apply: ({ after }) => {
      const made = { ...after, id: `ISS-${issues.size + 1}` }
      issues.set(made.id, made)
      return made
    },
    undo: ({ result }) => ({ tool: 'issues_delete', arguments: { id: result.after?.id }, label: 'Delete it again' }),
  })
  const remove = defineWrite({
    name: 'issues.delete',
    description: 'Deletes an issue.',
    risk: 'high',
    input: z.strictObject({ id }),
    output: z.strictObject({ left: z.int() }),
    failures: { not_found: 'Take an id from issues_list.' },
    plan: ({ id }, ctx) => {
      const before = issues.get(id)
      return before === undefined ? ctx.fail('not_found', `There is no issue ${id}.`) : { before }
    },
    apply: ({ before }) => {
      issues.delete(before.id)
      return { left: issues.size }
    },
  })
  return { issues, tools: [change, create, remove], change, create, remove }
}

/** The least that a write says. */
export const sound = {
  name: 'notes.add',
  description: 'Adds a note.',
  risk: 'medium',
  input: z.strictObject({}),
  plan: () => ({ effects: ['x'] }),
  apply: () => undefined,
} as const
