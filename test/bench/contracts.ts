// The note tool as Countersign serves it: once on the rail, and once as a call that runs at once, so that the engine's own
// price and the rail's can be told apart.
import { z } from 'zod'
import type { Contract } from '../../server/index.ts'
import type { RunContext } from '../../server/tools/contract.ts'
import { defineTool } from '../../server/index.ts'
import { noteInput, noteOutput, type Notes } from './notes.ts'

const input = z.strictObject(noteInput)
const output = z.strictObject(noteOutput)

type Given = z.infer<typeof input>

/** A tool on the rail that replaces the text of a note, but for its `run`. */
const edits = (notes: Notes, name: string) =>
  ({
    name,
    title: 'Edit note',
    noun: 'the new text of a note',
    description: 'Replaces the text of a note.',
    operation: 'destructive',
    risk: 'high',
    input,
    output,
    sideEffects: [{ what: 'The text of the note is replaced.', onRepeat: 'It is replaced once more.' }],
    idempotency: 'plan',
    failures: { no_note: { effect: 'none', guidance: 'Name a note that exists.' } },
    basis: async ({ id }: Given) => String((await notes.find(id)).version),
    preview: async ({ id, text }: Given) => {
      const note = await notes.find(id)
      return {
        title: `Edit note ${id}`,
        summary: `The text of ${id} is replaced.`,
        changes: [
          {
            pointer: '/text',
            label: 'Text',
            before: { kind: 'text', text: note.text },
            after: { kind: 'text', text },
          } as const,
        ],
        effects: ['The text of the note is replaced.'],
        confirmLabel: 'Edit note',
      }
    },
  }) as const

/**
 * `notes.edit` goes preview → apply at high risk, in a transaction of its own, `notes.keep` in that of its plan; `notes.touch`
 * is the same handler as a low-risk call.
 */
export const noteContracts = (notes: Notes): readonly Contract[] => [
  defineTool({
    ...edits(notes, 'notes.edit'),
    run: async (given: Given, ctx: RunContext) => (await notes.edit(given, Number(ctx.basis))) ?? ctx.stale(),
  }),
  defineTool({
    ...edits(notes, 'notes.keep'),
    transactional: true,
    run: async (given: Given, ctx: RunContext) =>
      (await notes.edit(given, Number(ctx.basis), ctx.transaction)) ?? ctx.stale(),
  }),
  defineTool({
    name: 'notes.touch',
    title: 'Touch note',
    // A contract in a product must not say `read` of this; here it shows what the engine costs without the rail.
    description: 'Replaces the text of a note at once.',
    operation: 'read',
    risk: 'low',
    input,
    output,
    failures: { no_note: { effect: 'none', guidance: 'Name a note that exists.' } },
    run: async (given, ctx) => (await notes.edit(given)) ?? ctx.fail('no_note', 'It was edited meanwhile.'),
  }),
]
