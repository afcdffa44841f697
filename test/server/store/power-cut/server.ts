// A server whose writes are recorded, and the agents and operators that keep it busy. Its one argument is the JSON of a list
// of `Busy`: as often it starts, and ends.
import { randomBytes } from 'node:crypto'
import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { compose } from '../../../../server/compose/compose.ts'
import { newGrantId } from '../../../../server/confirm/secret.ts'
import { adminTokenPerson } from '../../../../server/policy/may-approve.ts'
import { call } from '../../../../server/rail/call.ts'
import type { Answer } from '../../../../server/rail/answers/outcome.ts'
import { anchorPlace, appendAnchors } from '../../../../server/store/store.ts'
import { caller, requestOf } from '../../../kit/calls.ts'
import { keptMarks, marksFile, markTools, refusedText, type Mark } from './marks.ts'

export interface Busy {
  /** Where the marks are written. */
  readonly folder: string
  /** The database. */
  readonly file: string
  readonly secret?: string
  /** Where heads are anchored; beside the database when absent. */
  readonly anchor?: string
  readonly leaseMs: number
  /** Sets what is done here apart from what other servers do. */
  readonly name: string
  /** So many agents, one after the other … */
  readonly agents: number
  /** … or so many at a time. */
  readonly atOnce: number
}

async function live(busy: Busy): Promise<void> {
  const marks = openSync(join(busy.folder, marksFile), 'a')
  const tell = (mark: Mark): void => void writeSync(marks, `${JSON.stringify(mark)}\n`)

  const composed = await compose({
    file: busy.file,
    secret: busy.secret,
    activity: { anchor: busy.anchor },
    tools: markTools((what) => tell({ is: 'ran', ...what })),
    toolsets: [keptMarks],
    settings: { leaseMs: busy.leaseMs, planTtlMs: 6 * 3_600_000 },
    logLevel: 'error',
  })
  if (!composed.ok) throw new Error(composed.failure.message)
  const { parts, store, runApproved } = composed.value
  const { engine } = parts
  const operator = { name: 'grace', person: adminTokenPerson, via: 'admin-token' } as const

  const ask = (tool: string, args: object, cards: 'yes' | 'no' = 'yes'): Promise<Answer> =>
    call(engine, requestOf(tool, { rationale: 'The person asked for it.', ...args }, caller({ cards })))
  const told = ({ planId, outcome, result }: Answer): void => {
    if (planId !== undefined)
      tell({ is: 'told', plan: planId, outcome, ...(result === undefined ? {} : { result: JSON.stringify(result) }) })
  }
  const preview = async (tool: string, text: string): Promise<string> => {
    const { planId, text: said } = await ask(tool, { text })
    if (planId === undefined) throw new Error(said)
    tell({ is: 'previewed', plan: planId, tool, text })
    return planId
  }
  const apply = async (text: string, plan: string, tool = 'marks_add'): Promise<void> =>
    told(await ask(tool, { text, ticket: plan, preview: false }))

  /** What agents do, one after the other. */
  const habits: readonly ((text: string) => Promise<void>)[] = [
    async (text) => apply(text, await preview('marks_add', text)),
    async (text) => {
      await ask('marks_list', {})
      await apply(text, await preview('marks_add', text))
    },
    // In the transaction of the plan, twice at the same time, and without an effect.
    async (text) => {
      const fails = `${refusedText} ${text}`
      const [plan, failing] = [await preview('marks_keep', text), await preview('marks_keep', fails)]
      const twice = [apply(text, plan, 'marks_keep'), apply(text, plan, 'marks_keep')]
      await Promise.all([...twice, apply(fails, failing, 'marks_keep')])
    },
    // Twice at the same time.
    async (text) => {
      const plan = await preview('marks_add', text)
      await Promise.all([apply(text, plan), apply(text, plan)])
    },
    // Without an effect.
    async (text) => {
      const fails = `${refusedText} ${text}`
      await apply(fails, await preview('marks_add', fails))
    },
    // Once more, so that the first preview is superseded; and nobody applies it.
    async (text) => {
      await preview('marks_add', text)
      await preview('marks_add', text)
    },
    async (text) => {
      const plan = await preview('marks_add', text)
      const { state } = (await engine.plans.cancel(plan)) ?? {}
      if (state === 'cancelled') tell({ is: 'cancelled', plan })
    },
    async (text) => {
      const { approval } = await ask('marks_publish', { text, preview: false }, 'no')
      if (approval === undefined) throw new Error('There is no approval.')
      const decided = await store.approvals.decide(approval.id, { decision: 'approved', by: operator })
      if (decided.kind !== 'decided') throw new Error(`The approval is ${decided.kind}.`)
      tell({ is: 'approved', approval: approval.id })
      const answer = await runApproved(decided.approval)
      if (answer !== undefined) told(answer)
    },
    // By a grant, without a preview.
    async (text) => told(await ask('marks_post', { text, preview: false })),
  ]

  const definition = engine.catalog.find('marks_post')?.definition ?? ''
  const { id: grant } = await store.grants.create({
    id: newGrantId(randomBytes),
    tenant: 'default',
    subject: 'ada',
    tool: 'marks_post',
    definition,
    risk: 'high',
    condition: 'true',
    note: undefined,
    times: 1000,
    per: 'total',
    until: Date.now() + 86_400_000,
    createdBy: 'grace',
    giver: undefined,
    approvalId: undefined,
  })
  tell({ is: 'granted', grant })

  const anchorFile = anchorPlace(busy.anchor, busy.file) ?? ''
  for (let begun = 0; begun < busy.agents; begun += busy.atOnce) {
    const some = Array.from({ length: Math.min(busy.atOnce, busy.agents - begun) }, (_, at) => begun + at)
    await Promise.all(some.map(async (each) => habits[each % habits.length]?.(`${busy.name} ${each}`)))
    // What a server does once an hour.
    if (Math.floor(begun / 8) % 2 === 0) await appendAnchors(anchorFile, await store.activity.heads())
  }
  await store.switches.freeze({ tenant: `of ${busy.name}`, reason: 'Something went wrong.', by: 'grace' })
  tell({ is: 'frozen', tenant: `of ${busy.name}` })
  // Empties the write-ahead log.
  await store.activity.erase({ tenant: 'default', subject: 'somebody else' })
  await composed.value.close()
}

for (const busy of JSON.parse(process.argv[2] ?? '[]') as readonly Busy[]) await live(busy)
