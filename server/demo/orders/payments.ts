// A tool that no agent may have. It is part of the demo because "it is not there" must hold at every door: it is never
// listed, and a call to it is answered like a call to a tool that does not exist.
import { z } from 'zod'
import type { Contract } from '../../tools/contract.ts'
import { defineTool } from '../../tools/define-tool.ts'
import { customer } from './shapes.ts'

/** `payments.read_card_token`, forbidden. */
export const paymentTools = (): readonly Contract[] => [
  defineTool({
    name: 'payments.read_card_token',
    title: 'Read a stored card token',
    description: "The token of a customer's stored payment card.",
    operation: 'read',
    risk: 'forbidden',
    permissions: ['payments:read'],
    input: z.strictObject({ customer }),
    output: z.object({ token: z.string() }),
    failures: { not_for_agents: { effect: 'none', guidance: 'There is no way to do this here.', retryable: 'no' } },
    // The gate never lets a call come this far; should it ever, there is still nothing to read.
    run: (_input, ctx) => ctx.fail('not_for_agents', 'No card token is kept here.'),
  }),
]
