// A card crosses two protocols and a host before it gets here, and a frame that draws half of a broken one is worse
// than one that says so. The frame carries no validator, so this is the least that keeps drawing safe: every member that
// the view touches has the type it expects. It is laxer than `card.schema.ts` (unknown members and block kinds pass),
// and never stricter; a test holds the two against each other.
import { isRecord } from '../bridge/record.ts'
import type { Card } from '../../server/cards/card.ts'

/** JSON Pointer of the first fault, or nothing. */
type Check = (value: unknown, at: string) => string | undefined

const MAX_DEPTH = 16

const text: Check = (value, at) => (typeof value === 'string' ? undefined : at)
const flag: Check = (value, at) => (typeof value === 'boolean' ? undefined : at)
const amount: Check = (value, at) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? undefined : at
const filled: Check = (value, at) => (typeof value === 'string' && value !== '' ? undefined : at)
const webUrl: Check = (value, at) => (typeof value === 'string' && /^https?:\/\//i.test(value) ? undefined : at)
/** Only the three messages that a card may put into a person's mouth. */
const message: Check = (value, at) =>
  typeof value === 'string' && /^(Apply|Cancel|Preview): /.test(value) ? undefined : at

const oneOf =
  (...allowed: readonly string[]): Check =>
  (value, at) =>
    typeof value === 'string' && allowed.includes(value) ? undefined : at

const maybe =
  (check: Check): Check =>
  (value, at) =>
    value === undefined ? undefined : check(value, at)

const each =
  (check: Check): Check =>
  (value, at) => {
    if (!Array.isArray(value)) return at
    for (const [index, item] of value.entries()) {
      const fault = check(item, `${at}/${index}`)
      if (fault !== undefined) return fault
    }
    return undefined
  }

const members =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, at) => {
    if (!isRecord(value)) return at
    for (const [name, check] of Object.entries(checks)) {
      const fault = check(value[name], `${at}/${name}`)
      if (fault !== undefined) return fault
    }
    return undefined
  }

/** Checks by the tag in `tag`; what `others` says about tags that nobody here knows. */
const tagged =
  (tag: string, checks: Readonly<Record<string, Check>>, others: Check): Check =>
  (value, at) => {
    const name = isRecord(value) ? value[tag] : undefined
    if (typeof name !== 'string') return `${at}/${tag}`
    return (Object.hasOwn(checks, name) ? (checks[name] ?? others) : others)(value, at)
  }

const never: Check = (_, at) => at

const valueUnder =
  (depth: number): Check =>
  (value, at) =>
    depth > MAX_DEPTH
      ? at
      : tagged(
          'kind',
          {
            text: members({ text }),
            code: members({ text }),
            number: members({ value: text, unit: maybe(text) }),
            money: members({ amount: text, currency: text }),
            date: members({ iso: text, precision: oneOf('day', 'minute') }),
            boolean: members({ value: flag }),
            list: members({ items: each(valueUnder(depth + 1)) }),
            unset: members({}),
            unknown: members({}),
          },
          never,
        )(value, at)

const value = valueUnder(0)
const labelled = members({ label: text, value })

const change = members({ pointer: text, label: text, before: value, after: value, saw: maybe(value) })

/** True when a value can be drawn as one row of a diff. */
export const isChange = (given: unknown): boolean => change(given, '') === undefined

const block = tagged(
  'kind',
  {
    text: members({ text }),
    effects: members({ effects: each(text) }),
    fields: members({ fields: each(labelled) }),
    diff: members({ changes: each(change), unchanged: maybe(each(labelled)) }),
    lines: members({
      columns: each(members({ label: text, align: maybe(oneOf('start', 'end')) })),
      itemLabel: text,
      items: each(members({ id: maybe(text), label: text, cells: each(value) })),
      totals: maybe(each(labelled)),
    }),
    alert: members({ severity: oneOf('info', 'warning', 'danger', 'block'), title: text, text: maybe(text) }),
    code: members({ text, language: maybe(text), label: maybe(text) }),
    links: members({ links: each(members({ label: text, url: webUrl })) }),
    details: members({ summary: text, fields: each(labelled) }),
  },
  // A newer server's block: its fallback is shown, or a note.
  members({ fallback: maybe(text) }),
)

const states =
  'ready pending sent cancelled expired superseded stale applying applied failed unknown refused blocked info'
const state = oneOf(...states.split(' '))

const step = tagged(
  'do',
  {
    SetState: members({ state }),
    SendMessage: members({ text: message }),
    OpenLink: members({ url: webUrl }),
    CopyText: members({ text }),
    ShowToast: members({ text }),
  },
  never,
)

const card = members({
  version: (given, at) => (given === 1 ? undefined : at),
  kind: oneOf('preview', 'success', 'error', 'approval', 'info'),
  title: filled,
  subtitle: maybe(text),
  tool: text,
  source: text,
  risk: maybe(oneOf('low', 'medium', 'high', 'critical')),
  claim: maybe(text),
  blocks: each(block),
  actions: each(
    members({
      role: oneOf('confirm', 'cancel', 'other'),
      label: filled,
      tone: oneOf('go', 'stop', 'plain'),
      steps: each(step),
    }),
  ),
  state,
  plan: maybe(members({ id: filled, ticket: filled, expires_in_ms: amount })),
  plan_id: maybe(text),
  code: maybe(text),
  at: maybe(text),
})

export type CardReading =
  { readonly kind: 'card'; readonly card: Card } | { readonly kind: 'malformed'; readonly at: string }

/** Reads what came as `_meta["countersign/card"]`. */
export const readCard = (given: unknown): CardReading => {
  const fault = card(given, '')
  return fault === undefined ? { kind: 'card', card: given as Card } : { kind: 'malformed', at: fault || '/' }
}
