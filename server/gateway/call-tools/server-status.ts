// A host that was told "no tools" at the start may never ask again, and its agent cannot know that the server behind is only
// slow. So behind `wrap` one tool is there while the server is not: it says how the server stands, and waits a little for it.
import { z } from 'zod'
import type { Contract } from '../../tools/contract.ts'
import { defineOwnTool } from '../../tools/define-tool.ts'
import { hasFailedOften, secondsUntilTry, statusSentence } from '../upstream/status.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** Its name on the wire. */
export const statusToolName = 'countersign_status'

/** In milliseconds: hosts give a call a minute. */
const patienceMs = 20_000

/** `countersign_status` in front of one server. `told`: what that server tells a model, once it is known. */
export const statusTool = (upstream: Upstream, told: () => string | undefined): Contract =>
  defineOwnTool({
    name: 'countersign.status',
    title: `How ${upstream.name} stands`,
    category: 'gateway',
    operation: 'read',
    risk: 'low',
    description: [
      `Says how the server behind this one, ${upstream.name}, stands: up, starting, or down, with since when and why. It was not there when this connection began. Waits up to ${patienceMs / 1000} seconds for one that is starting; once it is up, list the tools again.`,
      ...heard(told()),
    ].join('\n\n'),
    input: z.strictObject({}),
    output: z.strictObject({
      server: z.string(),
      is_up: z.boolean(),
      status: z.string(),
      next: z.string(),
      instructions: z.string().optional().describe('What the server tells a model, in its own words.'),
      retry_after_seconds: z.int().optional(),
    }),
    failures: {},
    cards: {
      result: (_, { server, status, next, instructions }) => ({
        title: `How ${server} stands`,
        blocks: [
          { kind: 'text', text: `${status} ${next}` },
          ...heard(instructions).map((text) => ({ kind: 'text', text }) as const),
        ],
      }),
    },
    run: async (_, ctx) => {
      const left = new Promise<void>((resolve) => ctx.signal.addEventListener('abort', () => resolve(), { once: true }))
      await Promise.race([upstream.listed(patienceMs), left])
      const state = upstream.state()
      const isUp = state.kind === 'ready'
      const words = isUp ? told() : undefined
      const seconds = secondsUntilTry(state, ctx.now())
      return {
        server: upstream.name,
        is_up: isUp,
        status: statusSentence(upstream, ctx.now()),
        next: isUp
          ? 'List the tools again, and call them.'
          : state.remedy !== undefined || hasFailedOften(state)
            ? 'Tell the person: waiting alone is unlikely to help. `countersign doctor` shows an operator what the server said last.'
            : `Ask again in ${seconds} s, or tell the person; \`countersign doctor\` shows an operator what the server said last.`,
        // A host that does not list the tools again shows no new description either.
        ...(words === undefined ? {} : { instructions: words }),
        ...(isUp ? {} : { retry_after_seconds: seconds }),
      }
    },
  })

const heard = (words: string | undefined): readonly string[] => (words === undefined ? [] : [words])
