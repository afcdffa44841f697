// What must survive: each mark is one line that a server writes at the moment from which on somebody relies on something (an
// agent has its answer, a tool has had its effect somewhere else). The marks stand in the same journal as all other writes,
// so each is known to be before or after any cut.
import { setImmediate as turn } from 'node:timers/promises'
import { z } from 'zod'
import type { Change } from '../../../kit/power-cut/journal.ts'
import type { Outcome } from '../../../../server/model/outcome.ts'
import type { Contract } from '../../../../server/tools/contract.ts'
import type { Toolset } from '../../../../server/toolsets/toolset.ts'
import { readTool, writeTool } from '../../../kit/tools.ts'

/** A plan, and the call that applies it. */
export interface Planned {
  readonly plan: string
  /** Wire name. */
  readonly tool: string
  readonly text: string
}

export type Mark =
  | ({ readonly is: 'previewed' } & Planned)
  /** The tool had its effect. */
  | ({ readonly is: 'ran' } & Planned)
  | {
      readonly is: 'told'
      readonly plan: string
      readonly outcome: Outcome
      /** JSON. */
      readonly result?: string | undefined
    }
  | { readonly is: 'cancelled'; readonly plan: string }
  | { readonly is: 'approved'; readonly approval: string }
  | { readonly is: 'granted'; readonly grant: string }
  | { readonly is: 'frozen'; readonly tenant: string }

/** The file of marks in the folder of the database, which no power cut is asked about. */
export const marksFile = 'marks'

/** A text that begins so is refused by the tool, without an effect. */
export const refusedText = 'too much'

const input = z.strictObject({ text: z.string() })
const output = z.strictObject({ text: z.string(), plan: z.string() })

/**
 * Tools whose effects are somewhere else, where a power cut here takes nothing back: a write, one that needs an approval, one
 * that needs a grant, and a read.
 */
export function markTools(ran: (what: Planned) => void): readonly Contract[] {
  const write = (name: string, risk: 'medium' | 'high'): Contract =>
    writeTool({
      name: `marks.${name}`,
      risk,
      basis: () => 'one',
      input,
      output,
      run: async ({ text }, ctx) => {
        if (text.startsWith(refusedText)) return ctx.fail('locked', 'There are too many.')
        ran({ plan: ctx.idempotencyKey, tool: `marks_${name}`, text })
        // Others come between an effect and its ending.
        await turn()
        return { text, plan: ctx.idempotencyKey }
      },
    })
  return [
    write('add', 'medium'),
    write('publish', 'high'),
    write('post', 'high'),
    readTool({ name: 'marks.list', input: z.strictObject({}), output: z.strictObject({}), run: () => ({}) }),
  ]
}

export type KeptMarks = { kept_marks: { plan: string; text: string } }

/** A tool whose effect is here, in the transaction of its plan. Nothing keeps it from writing twice but the rail. */
export const keptMarks: Toolset = async ({ db }) => {
  await db.schema.createTable('kept_marks').ifNotExists().addColumn('plan', 'text').addColumn('text', 'text').execute()
  return {
    tools: [
      writeTool({
        name: 'marks.keep',
        risk: 'medium',
        basis: () => 'one',
        input,
        output,
        transactional: true,
        run: async ({ text }, ctx) => {
          const kept = { plan: ctx.idempotencyKey, text }
          await ctx.transaction?.$extendTables<KeptMarks>().insertInto('kept_marks').values(kept).execute()
          // Taken back with what it has written.
          return text.startsWith(refusedText) ? ctx.fail('locked', 'There are too many.') : kept
        },
      }),
    ],
  }
}

/** The marks of a journal, each with the number of the change that it is. */
export function marksIn(changes: readonly Change[]): readonly { readonly at: number; readonly mark: Mark }[] {
  const files = new Set<number>()
  return changes.flatMap((change, at) => {
    if (change.kind === 'created' && change.name === marksFile) files.add(change.file)
    if (change.kind !== 'written' || !files.has(change.file)) return []
    return change.bytes
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ at, mark: JSON.parse(line) as Mark }))
  })
}
