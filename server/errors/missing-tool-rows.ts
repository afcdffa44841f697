// A name that leads to no tool is wrong, or early: of a server behind us that has not listed its tools, or is down. The first
// is put right by another name, the second by waiting, and an agent must not take the one for the other.
import type { Failure, UnlistedServer } from './failure.ts'
import { show, tellOperators, waitFor, type Row } from './row.ts'

type Of<Kind extends Failure['kind']> = Extract<Failure, { readonly kind: Kind }>

/** So many servers are named; the others are counted. */
const mostNamed = 3

type Words = Omit<Row, 'error_type' | 'category' | 'rule'>

/** No tool has this name, as far as is known. */
export const unknownTool = ({ tool, near, unlisted = [], leftOut }: Of<'unknown-tool'>): Row => ({
  error_type: 'unknown_tool',
  category: 'arguments',
  rule: 'catalog.find',
  ...(leftOut !== undefined
    ? keptByOperator(tool, leftOut)
    : unlisted.length > 0
      ? maybeUnlisted(tool, near, unlisted)
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

const keptByOperator = (tool: string, setting: string): Words => ({
  message: `${show(tool)} is left out by ${setting} in the settings. Nothing was sent.`,
  cause: 'The operator of this server does not offer this tool.',
  actionable_guidance: ['Do without it, and tell the person if that is not possible.', tellOperators],
  retryable: 'no',
})

const maybeUnlisted = (tool: string, near: readonly string[], unlisted: readonly UnlistedServer[]): Words => ({
  message: `${show(tool)} is not among the tools that are known so far.`,
  cause: ['Not every server has listed its tools yet.', ...standings(unlisted)].join(' '),
  actionable_guidance: [
    ...(near.length > 0 ? [`Did you mean ${near.join(' or ')}?`] : []),
    `If it is a tool of ${unlisted.length === 1 ? 'that server' : 'one of those servers'}, call it by its whole name, ${qualified(tool, unlisted).join(' or ')}: such a call waits for its server.`,
    tellOperators,
  ],
  ...waitFor(
    Math.min(...unlisted.map(({ retryAfterSeconds }) => retryAfterSeconds)),
    'More servers may have listed their tools by then.',
  ),
})

const standings = (unlisted: readonly UnlistedServer[]): readonly string[] => [
  ...unlisted.slice(0, mostNamed).map(({ standing }) => standing),
  ...(unlisted.length > mostNamed ? [`${unlisted.length - mostNamed} more servers have not listed theirs.`] : []),
]

/** The name as it is called behind a gateway. */
const qualified = (tool: string, unlisted: readonly UnlistedServer[]): readonly string[] =>
  tool.includes(':') || tool.length > 100
    ? ['server:tool']
    : unlisted.slice(0, mostNamed).map(({ server }) => `${server}:${tool}`)

/** The server of the tool is not there, or does not say what its tools are. */
export const serverUnavailable = ({
  tool,
  server,
  state,
  retryAfterSeconds,
  needsPerson,
}: Of<'server-unavailable'>): Row => ({
  error_type: 'upstream_unavailable',
  category: 'upstream',
  message: `${tool} was not called: its server, ${server}, is not available.`,
  cause: `${server} is ${state}.`,
  actionable_guidance:
    needsPerson === true
      ? [
          `Tell the person how ${server} stands: waiting alone is unlikely to help. \`countersign doctor\` shows an operator what it said last.`,
          'When they say that it is put right, repeat this call unchanged. Nothing was sent, and a confirmation that the call brings stays valid.',
        ]
      : [
          `Wait ${retryAfterSeconds === 1 ? '1 second' : `${retryAfterSeconds} seconds`}, then repeat this call unchanged. Nothing was sent, and a confirmation that the call brings stays valid.`,
          `If that fails too, tell the person how ${server} stands; \`countersign doctor\` shows an operator what it said last.`,
        ],
  ...waitFor(retryAfterSeconds, 'The server may be up by then.'),
  rule: 'upstream.listed',
})
