// A tracker of issues: two reads, and three writes that a person signs. Each write says what the record is and what it would be;
// the preview, the check that nothing has moved since, the cards and the undo follow from that.
import { createCountersign, defineRead, defineWrite, patched } from 'countersign'
import { z } from 'zod'

const issue = z.strictObject({
  id: z.string(),
  title: z.string().min(1).max(200),
  state: z.enum(['open', 'closed']),
  priority: z.enum(['low', 'normal', 'urgent']),
  assignee: z.string().nullable(),
  due: z.iso.date().nullable(),
  labels: z.array(z.string()),
})
type Issue = z.infer<typeof issue>

const issues = new Map<string, Issue>()
const keep = (one: Issue): Issue => {
  issues.set(one.id, one)
  return one
}
let last = 2
const defaults = { state: 'open', priority: 'normal', assignee: null, due: null } as const
keep({ ...defaults, id: 'ISS-1', title: 'Sign-in fails after an update', priority: 'urgent', labels: ['bug'] })
keep({ ...defaults, id: 'ISS-2', title: 'Write the release notes', assignee: 'ada', due: '2026-12-01', labels: [] })

const id = z.string().describe('The id of the issue, like ISS-1')
const not_found = 'Take an id from issues_list.'

const list = defineRead({
  name: 'issues.list',
  description: 'Lists the issues, those of one state where it is given.',
  input: z.strictObject({ state: issue.shape.state.optional() }),
  output: z.strictObject({ issues: z.array(issue) }),
  run: ({ state }) => ({ issues: [...issues.values()].filter((one) => state === undefined || one.state === state) }),
})

const show = defineRead({
  name: 'issues.get',
  description: 'Answers one issue.',
  input: z.strictObject({ id }),
  output: z.strictObject({ issue }),
  failures: { not_found },
  run: ({ id }, ctx) => {
    const found = issues.get(id)
    return found === undefined ? ctx.fail('not_found', `There is no issue ${id}.`) : { issue: found }
  },
})

const create = defineWrite({
  name: 'issues.create',
  description: 'Opens a new issue.',
  operation: 'write',
  risk: 'medium',
  input: z.strictObject({
    title: issue.shape.title,
    priority: issue.shape.priority.default('normal'),
    assignee: issue.shape.assignee.default(null),
    due: issue.shape.due.default(null),
    labels: issue.shape.labels.default([]),
  }),
  record: issue,
  plan: (input) => ({ after: { ...input, state: 'open' as const }, effects: ['Nobody is told'] }),
  apply: ({ after }) => keep({ ...after, id: `ISS-${(last += 1)}` }),
  undo: ({ result }) => ({ tool: 'issues_delete', arguments: { id: result.after?.id } }),
})

const change = defineWrite({
  name: 'issues.change',
  description: 'Changes an issue. Give only what is to change; null clears assignee or due.',
  risk: 'medium',
  input: issue.partial().required({ id: true }),
  record: issue,
  failures: { not_found, no_assignee: 'Give it an assignee in the same call.' },
  revise: true,
  plan: ({ id, ...wanted }, ctx) => {
    const before = issues.get(id)
    if (before === undefined) return ctx.fail('not_found', `There is no issue ${id}.`)
    const after = patched(before, wanted)
    if (after.state === 'closed' && after.assignee === null) return ctx.fail('no_assignee', `Nobody has ${id}.`)
    return { before, after, effects: after.state === before.state ? [] : [`It counts as ${after.state} in reports`] }
  },
  apply: ({ after }) => keep(after),
})

const remove = defineWrite({
  name: 'issues.delete',
  description: 'Deletes an issue for good.',
  risk: 'high',
  input: z.strictObject({ id }),
  failures: { not_found },
  plan: ({ id }, ctx) => {
    const before = issues.get(id)
    if (before === undefined) return ctx.fail('not_found', `There is no issue ${id}.`)
    return { before, effects: ['Links to it lead nowhere'] }
  },
  apply: ({ before }) => void issues.delete(before.id),
})

const server = createCountersign({ name: 'Tracker', tools: [list, show, create, change, remove], store: ':memory:' })
await server.stdio()
