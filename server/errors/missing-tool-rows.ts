// A name that leads to no tool is wrong, or early: of a server behind us that has not listed its tools, or is down. The first
// is put right by another name, the second by waiting, and an agent must not take the one for the other.
import type { Failure } from './failure.ts'
import { show, tellOperators, waitFor, type Row } from './row.ts'

type Of<Kind extends Failure['kind']> = Extract<Failure, { readonly kind: Kind }>

/** In seconds: when servers that are starting may have come. */
const soon = 5

/** No tool has this name, as far as is known. */
export const unknownTool = ({ tool, near, unlisted = [], leftOut }: Of<'unknown-tool'>): Row => ({
  error_type: 'unknown_tool',
  category: 'arguments',
  rule: 'catalog.find',
  ...(leftOut !== undefined
    ? keptByOperator(tool, leftOut)
    : unlisted.length > 0
      ? {
          message: `${show(tool)} is not among the tools that are known so far.`,
          cause: `Not every server has listed its tools yet. ${unlisted.join(' ')}`,
          actionable_guidance: [
            ...(near.length > 0 ? [`Did you mean ${near.join(' or ')}?`] : []),
            `If it is a tool of such a server, wait ${soon} seconds and call it with the server's name in front: server:tool. That call waits for the server.`,
            tellOperators,
          ],
          ...waitFor(soon, 'More servers may have listed their tools by then.'),
        }
      : {
          message: `There is no tool named ${show(tool)} here.`,
          cause: "The name is not in this server's list of tools.",
          actionable_guidance: [
            near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'List the tools and use a name from there.',
            tellOperators,
          ],
          retryable: 'after_change',
        }),
})

const keptByOperator = (tool: string, setting: string): Omit<Row, 'error_type' | 'category' | 'rule'> => ({
  message: `${show(tool)} is left out by ${setting} in the settings. Nothing was sent.`,
  cause: 'The operator of this server does not offer this tool.',
  actionable_guidance: ['Do without it, and tell the person if that is not possible.', tellOperators],
  retryable: 'no',
})

/** The server of the tool is not there, or does not say what its tools are. */
export const serverAway = ({ tool, server, state, retryAfterSeconds }: Of<'server-away'>): Row => ({
  error_type: 'upstream_unavailable',
  category: 'upstream',
  message: `${tool} was not called: its server, ${server}, is not available.`,
  cause: `${server} is ${state}.`,
  actionable_guidance: [
    `Wait ${retryAfterSeconds === 1 ? '1 second' : `${retryAfterSeconds} seconds`}, then repeat this call unchanged. Nothing was sent, and a confirmation that the call brings stays valid.`,
    `If that fails too, tell the person how ${server} stands; \`countersign doctor\` shows an operator what it said last.`,
  ],
  ...waitFor(retryAfterSeconds, 'The server may be up by then.'),
  rule: 'upstream.listed',
})
