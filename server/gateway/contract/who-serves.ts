// Who serves a tool, as its card says it. What the operator's settings say is a fact. A name that only the server gives itself
// is told as that: any server can take any name, and with it the words that a profile has for the calls of another (ADR 41).
import { showInvisible } from '../../cards/invisible-characters.ts'
import { unmarked } from '../../cards/unmarked.ts'
import type { CardBlock } from '../../model/card.ts'
import { shownIcon } from '../looks/server-icon.ts'
import { originWords } from '../upstream/settings/origin-words.ts'
import type { UpstreamTool } from './upstream-contracts.ts'

type Served = Pick<UpstreamTool, 'upstream' | 'known' | 'profile' | 'definition'>

/** Whether the operator's own settings lead to what is known of the server. */
export const isProven = ({ known }: Pick<Served, 'known'>): boolean => known?.lowers === true

/** What of the subtitle says who serves the tool. `named`: the card says elsewhere what the settings call the server. */
export function whoServes({ upstream, known }: Served, named: boolean): string | undefined {
  const own = named ? undefined : upstream.name
  if (known?.lowers === true) {
    const kind = isSameName(known.profile.title, upstream.name) ? undefined : unmarked(known.profile.title)
    return own === undefined || kind === undefined ? (own ?? kind) : `${own} (${kind})`
  }
  const identity = upstream.identity()
  // Where it calls itself as the settings do, the claim adds nothing.
  const claim =
    identity === undefined || isSameName(identity.title ?? identity.name, upstream.name)
      ? undefined
      : `its server calls itself ${selfNameOf(upstream)}`
  return own === undefined || claim === undefined ? (own ?? claim) : `${own}, ${claim}`
}

/** Said first where the words of a card are those of a profile that only a claimed name has found. */
export const unprovenBlock = ({ known, profile }: Served): readonly CardBlock[] =>
  profile === undefined || known === undefined || known.lowers
    ? []
    : [
        {
          kind: 'alert',
          severity: 'warning',
          title: `It is not proven that this is ${unmarked(known.profile.title)}.`,
          text: `Only the server says so. This card says what ${unmarked(known.profile.title)} would do; another server may do something else with what is sent.`,
        },
      ]

/** The server's own icon, or that of its tool; none of a server that only says who it is. */
export const iconOf = (tool: Served): string | undefined =>
  isProven(tool) ? (shownIcon(tool.upstream.identity()?.icons) ?? shownIcon(tool.definition.raw['icons'])) : undefined

/** What is known of the server, and how, for whoever looks closer. */
export const serverFields = ({ upstream, known }: Served): readonly (readonly [label: string, text: string])[] => [
  ['Server', upstream.name],
  ['Known as', knownAs(known)],
  ['Calls itself', selfNameOf(upstream)],
  ['Started from', originWords(upstream.config)],
  ['Reached by', upstream.identity()?.transport ?? 'nothing yet'],
]

function knownAs(known: Served['known']): string {
  if (known === undefined) return 'not known'
  const { title, name } = known.profile
  return known.lowers
    ? `${title}, by ${known.by}`
    : `not known: only the server says that it is ${title}, so no icon of it is shown. "profile": "${name}" in its entry of the settings says it, too`
}

/** Its name and version as it gave them, in marks that cannot stand in them. */
function selfNameOf({ identity }: Served['upstream']): string {
  const given = identity()
  if (given === undefined) return 'nothing yet'
  const shown = unmarked(showInvisible(`${given.title ?? given.name} ${given.version}`.trim())).replace(/[“”]/g, "'")
  return `“${shown.length > longest ? `${shown.slice(0, longest)}…` : shown}”`
}

/** Characters of a name that a server gives itself. */
const longest = 80

/** Whether two names are the same to a reader: “SQLite” and “sqlite”. */
const isSameName = (one: string, other: string): boolean => lettersOf(one) === lettersOf(other)

const lettersOf = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
