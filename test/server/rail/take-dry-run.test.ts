// How a call asks for a dry run with its tool's own argument, and what is left of the call without it.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { takeDryRun } from '../../../server/rail/intake/take-dry-run.ts'
import { toTool } from '../../../server/tools/catalog.ts'
import { write } from '../tools/order-contracts.ts'

const toolWith = (input: z.ZodObject, value: unknown = true) =>
  toTool({ ...write, input, preview: write.preview, wire: 'edit', dryRun: { parameter: 'dryRun', value } }, 'edit')

test.each([
  ['may be left out: it is', z.object({ dryRun: z.boolean().optional() }), true, {}],
  [
    'is a dry run where it is left out: it says the opposite',
    z.object({ dryRun: z.boolean().default(true) }),
    true,
    { dryRun: false },
  ],
  ['runs where it is left out: it is', z.object({ dryRun: z.boolean().default(false) }), true, {}],
  ['must be there: it says the opposite', z.object({ dryRun: z.boolean() }), true, { dryRun: false }],
])('an argument that %s', (_, input, value, own) => {
  expect(takeDryRun(toolWith(input, value), { dryRun: value })).toEqual({ own, dryRun: true })
  expect(takeDryRun(toolWith(input, value), { dryRun: false })).toEqual({ own: { dryRun: false }, dryRun: false })
})

const modes = z.enum(['plan', 'run', 'force'])

test.each([
  ['must be there', z.object({ dryRun: modes })],
  ['asks for a dry run where it is left out', z.object({ dryRun: modes.default('plan') })],
])('an argument that %s and has no opposite is the tool’s own', (_, input) => {
  const tool = toolWith(input, 'plan')
  expect(takeDryRun(tool, { dryRun: 'plan' })).toEqual({ own: { dryRun: 'plan' }, dryRun: false })
})
