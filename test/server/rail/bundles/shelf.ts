// A shelf with counted things, and what bundles of its changes need: each run writes down that it ran.
import { z } from 'zod'
import type { Contract } from '../../../../server/tools/contract.ts'
import { defineTool } from '../../../../server/tools/define-tool.ts'
import { bundlesFor } from '../../../../server/rail/bundles/bundle-contract.ts'

export interface Shelf {
  readonly things: Map<string, number>
  /** What ran, in its order: the tool, the thing and the plan. */
  readonly ran: { readonly tool: string; readonly name: string; readonly plan: string }[]
  /** What the next run of a thing does instead: throws, or fails. */
  readonly trouble: Map<string, 'throws' | 'full'>
}

export const newShelf = (): Shelf => ({ things: new Map(), ran: [], trouble: new Map() })

const input = z.strictObject({ name: z.string().min(1), count: z.int().min(1).max(1000) })
type Things = z.infer<typeof input>
const output = z.strictObject({ name: z.string(), count: z.int() })
const failures = {
  full: { effect: 'none', guidance: 'Empty the shelf first.' },
  absent: { effect: 'none', guidance: 'Put it there first.' },
} as const

/** `shelf.put` (medium, can be undone), `shelf.set` (high) and `shelf.drop` (critical, its name is typed). */
export function shelfTools({ things, ran, trouble }: Shelf, more: Partial<Contract> = {}): readonly Contract[] {
  const noted = (tool: string, name: string, plan: string): 'full' | undefined => {
    ran.push({ tool, name, plan })
    const what = trouble.get(name)
    if (what === 'throws') throw new Error('the shelf broke')
    return what
  }
  const basis = ({ name }: { readonly name: string }): string => `${things.get(name) ?? 'none'}`
  const shared = { failures, idempotency: 'plan' as const, sideEffects: [{ what: 'It changes.', onRepeat: 'Again.' }] }
  const tools = [
    defineTool({
      ...shared,
      name: 'shelf.put',
      title: 'Put things on the shelf',
      noun: 'the things',
      description: 'Puts new things on the shelf.',
      operation: 'write',
      risk: 'medium',
      input,
      output,
      basis,
      preview: ({ name, count }: Things, ctx) =>
        things.has(name)
          ? ctx.fail('full', `${name} is there already.`)
          : {
              title: `Put ${count} ${name}`,
              summary: 'Puts things there.',
              changes: [
                {
                  pointer: '/count',
                  label: 'Count',
                  before: { kind: 'unset' },
                  after: { kind: 'number', value: `${count}` },
                },
              ],
              effects: [`There are ${count} ${name}.`],
              confirmLabel: 'Put',
            },
      run: ({ name, count }: Things, ctx) => {
        if (noted('shelf_put', name, ctx.idempotencyKey) === 'full') return ctx.fail('full', 'The shelf is full.')
        things.set(name, count)
        return { name, count }
      },
      undo: ({ name }) => ({ tool: 'shelf_drop', arguments: { name }, label: 'Undo' }),
      cards: {
        success: (_, { name, count }) => ({
          title: `${count} ${name} put`,
          blocks: [{ kind: 'text', text: 'All there.' }],
        }),
      },
    }),
    defineTool({
      ...shared,
      name: 'shelf.set',
      title: 'Change the count of a thing',
      noun: 'the count',
      description: 'Changes how many there are.',
      operation: 'destructive',
      risk: 'high',
      input,
      output,
      basis,
      preview: ({ name, count }: Things, ctx) =>
        things.has(name)
          ? {
              title: `Set ${name} to ${count}`,
              summary: 'Sets a count.',
              warnings: [{ title: `${name} is counted by hand.` }],
              confirmLabel: 'Set',
            }
          : ctx.fail('absent', `There is no ${name}.`),
      run: ({ name, count }: Things, ctx) => {
        if (noted('shelf_set', name, ctx.idempotencyKey) === 'full') return ctx.fail('full', 'The shelf is full.')
        things.set(name, count)
        return { name, count }
      },
    }),
    defineTool({
      ...shared,
      name: 'shelf.drop',
      title: 'Throw a thing away',
      noun: 'the thing',
      description: 'Throws a thing away.',
      operation: 'destructive',
      risk: 'critical',
      input: z.strictObject({ name: z.string() }),
      output: z.strictObject({ name: z.string() }),
      basis,
      preview: ({ name }, ctx) =>
        things.has(name)
          ? {
              title: `Throw ${name} away`,
              summary: 'Throws a thing away.',
              effects: [`${name} is gone for good.`],
              confirmPhrase: name,
              confirmLabel: 'Throw away',
            }
          : ctx.fail('absent', `There is no ${name}.`),
      run: ({ name }, ctx) => {
        noted('shelf_drop', name, ctx.idempotencyKey)
        things.delete(name)
        return { name }
      },
    }),
  ].map((tool) => ({ ...tool, ...more })) as readonly Contract[]
  return [...tools, ...bundlesFor(tools, false)]
}
