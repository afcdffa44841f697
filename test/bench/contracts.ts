// The note tool as Countersign serves it: once on the rail, and once as a call that runs at once, so that the engine's own
// price and the rail's can be told apart.
import { z } from 'zod'
import type { Contract } from '../../server/index.ts'
import { defineTool } from '../../server/index.ts'
import { noteInput, noteOutput, type Notes } from './notes.ts'

const input = z.strictObject(noteInput)
const output = z.strictObject(noteOutput)

/** `notes.edit` goes preview → apply at high risk; `notes.touch` is the same handler as a low-risk call. */
export const noteContracts = (notes: Notes): readonly Contract[] => [
  defineTool({
    name: 'notes.edit',
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
    basis: async ({ id }) => String((await notes.find(id)).version),
    preview: async ({ id, text }) => {
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
          },
        ],
        effects: ['The text of the note is replaced.'],
        confirmLabel: 'Edit note',
      }
    },
    run: async (given, ctx) => (await notes.edit(given, Number(ctx.basis))) ?? ctx.stale(),
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
