// A card crosses two protocols and a host before it gets here, and a frame that draws half of a broken one is worse
// than one that says so. The frame carries no validator, so this is the least that keeps drawing safe: every member that
// the view touches has the type it expects, written down as a table. It is laxer than `card.schema.ts` (unknown members
// and block kinds pass), and never stricter; a test holds the two against each other.
import { isRecord } from '../bridge/record.ts'
import type { Card, CardBlock, CardPageRow } from '../../server/model/card.ts'

/** JSON Pointer of the first fault, or nothing. */
type Check = (value: unknown, at: string, depth: number) => string | undefined

const MAX_DEPTH = 40

const when =
  (isFine: (value: unknown) => boolean): Check =>
  (value, at) =>
    isFine(value) ? undefined : at

const matching = (pattern: RegExp): Check => when((value) => typeof value === 'string' && pattern.test(value))

const each =
  (check: Check): Check =>
  (value, at, depth) => {
    if (!Array.isArray(value)) return at
    for (const [index, item] of value.entries()) {
      const fault = check(item, `${at}/${index}`, depth + 1)
      if (fault !== undefined) return fault
    }
    return undefined
  }

/** `name:type`, `name?:type` where it may be missing, `type*` for a list of them, `a|b` for one of those words. */
const shape = (spec: string): Check => {
  const members = spec.split(' ').map((member) => /^(\w+)(\??):([^*]+)(\*?)$/.exec(member) ?? [])
  return (value, at, depth) => {
    if (!isRecord(value) || depth > MAX_DEPTH) return at
    for (const [, name = '', optional, type = '', list] of members) {
      const given = value[name]
      if (optional && given === undefined) continue
      const check = types[type] ?? matching(new RegExp(`^(${type})$`))
      const fault = (list ? each(check) : check)(given, `${at}/${name}`, depth + 1)
      if (fault !== undefined) return fault
    }
    return undefined
  }
}

/** A shape for each tag; what `others` says of tags that nobody here knows. */
const tagged = (tag: string, specs: Readonly<Record<string, string>>, others?: string): Check => {
  const shapes = new Map(Object.entries(specs).map(([name, spec]) => [name, shape(spec)]))
  const rest = others === undefined ? undefined : shape(others)
  return (value, at, depth) => {
    const name = isRecord(value) ? value[tag] : undefined
    if (typeof name !== 'string') return `${at}/${tag}`
    const check = shapes.get(name) ?? rest
    return check ? check(value, at, depth) : at
  }
}

const state =
  'ready|pending|sent|cancelled|expired|superseded|stale|applying|applied|partial|failed|unknown|refused|blocked|info'

/** s text, f filled text, b flag, n amount, u address, i picture, m message; and the parts of a card by their names. */
const types: Readonly<Record<string, Check>> = {
  s: when((value) => typeof value === 'string'),
  f: matching(/./s),
  b: when((value) => typeof value === 'boolean'),
  n: when((value) => typeof value === 'number' && Number.isFinite(value) && value >= 0),
  i: matching(/^data:image\/(png|jpeg|webp|gif);base64,[\w+/=]+$/),
  u: matching(/^https?:\/\//i),
  /** Only the three messages that a card may put into a person's mouth, on one line that hides nothing. */
  m: matching(/^((Apply|Preview): call [\w./:-]+\(|Cancel: do not apply )[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*\)\.?$/u),
  v: tagged('kind', {
    text: 'text:s',
    code: 'text:s',
    number: 'value:s unit?:s',
    money: 'amount:s currency:s',
    date: 'iso:s precision:day|minute',
    boolean: 'value:b',
    list: 'items:v*',
    unset: 'kind:s',
    unknown: 'kind:s',
  }),
  fact: shape('label:s value:v'),
  change: shape('pointer:s label:s before:v after:v saw?:v'),
  record: shape('change:added|changed|removed label:s id?:s fields?:fact* changes?:change*'),
  column: shape('label:s align?:start|end'),
  item: shape('id?:s label:s cells:v*'),
  row: (value, at, depth) => each(types['v'] as Check)(value, at, depth),
  keyed: shape('key:s cells:v*'),
  person: shape('name:s address?:s isNew?:b'),
  domain: shape('name:s count:n'),
  done: shape('label:s state:planned|applied|verified|failed|not-run|unknown note?:s'),
  metric: shape('label:s value:v before?:v'),
  link: shape('label:s url:u'),
  span: shape('from:n to:n as:s'),
  block: tagged(
    'kind',
    {
      text: 'text:s',
      effects: 'effects:s*',
      fields: 'fields:fact*',
      diff: 'changes:change* unchanged?:fact* records?:record* unchangedRecords?:n',
      lines: 'columns:column* itemLabel:s items:item* totals?:fact*',
      table: 'label:s columns:column* rows:row* totals?:fact*',
      pages: 'list:s label:s total:n columns:column* rows:keyed* next?:s opens?:b rest?:s',
      people: 'label:s count:n sample:person* domains?:domain* newCount?:n',
      steps: 'steps:done*',
      progress: 'label:s done:n total:n marks?:n*',
      metrics: 'metrics:metric*',
      alert: 'severity:info|warning|danger|block title:s text?:s',
      code: 'text:s language?:s label?:s spans?:span*',
      picture: 'label:s alt:s data:i width:n height:n',
      links: 'links:link*',
      details: 'summary:s fields:fact* text?:s spans?:span* applied?:b blocks?:block*',
    },
    // A newer server's block: its fallback is shown, or a note.
    'fallback?:s',
  ),
  step: tagged('do', {
    SetState: `state:${state}`,
    SendMessage: 'text:m',
    OpenLink: 'url:u',
    CopyText: 'text:s',
    ShowToast: 'text:s',
  }),
  action: shape('role:confirm|cancel|other label:f tone:go|stop|plain steps:step*'),
  plan: shape('id:f ticket:f expires_in_ms:n'),
  edit: shape('at:f label:s as:text|long|number|date|choice|switch value?:s choices?:s* currency?:s optional?:b'),
  member: shape('at:f label:s fields:edit*'),
  list: shape('label:s removable?:b members:member*'),
  edits: shape('fields:edit* lists:list*'),
  fault: shape('at:s text:s'),
  one: when((value) => value === 1),
}

const card = shape(
  `version:one language?:s kind:preview|success|error|approval|info title:f subtitle?:s icon?:i tool:s source:s risk?:low|medium|high|critical claim?:s blocks:block* actions:action* confirm_phrase?:f state:${state} plan?:plan edits?:edits signed?:s plan_id?:s follow?:b code?:s at?:s`,
)

/** True when a value can be drawn as one row of a diff. */
export const isChange = (given: unknown): boolean => types['change']?.(given, '', 0) === undefined

const read = shape('rows?:keyed* next?:s blocks?:block*')

/** What an open card was told of a list: a page of it, or one row in full. */
export interface CardListRead {
  readonly rows?: readonly CardPageRow[]
  readonly next?: string
  readonly blocks?: readonly CardBlock[]
}

/** True when a value can be drawn as more of a list. */
export const isListRead = (given: unknown): given is CardListRead => read(given, '', 0) === undefined

const revised = shape('message?:m faults?:fault*')

/** What the server makes of changed values: the message that asks for their preview, or what is wrong with them. */
export interface Revised {
  readonly message?: string
  readonly faults?: readonly { readonly at: string; readonly text: string }[]
}

/** True when a value can be sent, or shown beside the fields: it only ever asks for a preview. */
export const isRevised = (given: unknown): given is Revised =>
  revised(given, '', 0) === undefined && ((given as Revised).message ?? 'Preview').startsWith('Preview')

export type CardReading =
  | { readonly kind: 'card'; readonly card: Card }
  | { readonly kind: 'malformed'; readonly at: string }

/** Reads what came as `_meta["countersign/card"]`. */
export const readCard = (given: unknown): CardReading => {
  const fault = card(given, '', 0)
  return fault === undefined ? { kind: 'card', card: given as Card } : { kind: 'malformed', at: fault || '/' }
}
