// The Apply message is a line of chat that a person signs and an agent must repeat exactly. It is therefore a grammar,
// not prose: whatever user data it carries, it stays one line, has one reading, and cannot end the call or start
// another. `formatX` and `parseX` are each other's inverse (docs/DESIGN.md, section 2). No imports: the playground's scripted
// agent reads the same grammar in a browser.
//
//   Apply: call orders_create(customer="ACME", rationale="…", ticket="cs1_…", preview=False)
//   Preview: call orders_create(customer="ACME", rationale="…")
//   Cancel: do not apply the sales order (pl_…).

/** What a message of a card says. */
export type Message =
  | { readonly kind: 'apply'; readonly tool: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly kind: 'preview'; readonly tool: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly kind: 'cancel'; readonly noun: string; readonly planId: string }

/** A message as it was read, or why it is none. */
export type Parsed =
  | { readonly ok: true; readonly value: Message }
  | { readonly ok: false; readonly failure: { readonly message: string; readonly at: number } }

/** An argument in the order in which it is written. */
export type Argument = readonly [name: string, value: unknown]

const toolName = /^[A-Za-z0-9_./:-]{1,128}$/
const bareName = /^[A-Za-z_][A-Za-z0-9_]*$/

/** The only names that may carry the literal `False`: what ends an Apply message. */
const previewNames: readonly string[] = ['preview', 'countersign_preview']

/**
 * Characters that a chat, a terminal or a model may drop, reorder or turn into something else: controls, bidi marks,
 * zero-width and other default-ignorable code points, line separators, and every space but U+0020.
 */
const treacherous = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]|(?! )\p{Zs}/gu

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** JSON as RFC 8259 on one line, with every treacherous character escaped. Throws on what JSON cannot carry. */
export function formatValue(value: unknown): string {
  const json = JSON.stringify(value)
  if (json === undefined) throw new TypeError(`A ${typeof value} cannot be written into an Apply message.`)
  return json.replace(treacherous, (found) =>
    Array.from({ length: found.length }, (_, i) => escapeUnit(found[i] ?? '')).join(''),
  )
}

const formatName = (name: string): string => (bareName.test(name) ? name : formatValue(name))

/** Writes a call as every message does: `name=<JSON>`, in the order given, and `end` last. */
export const formatCall = (tool: string, args: readonly Argument[], end: readonly string[] = []): string => {
  if (!toolName.test(tool)) throw new TypeError(`"${tool}" is not a tool name that a message can carry.`)
  return `${tool}(${[...args.map(([name, value]) => `${formatName(name)}=${formatValue(value)}`), ...end].join(', ')})`
}

/**
 * Writes the message that applies a plan. `args` come in the order of the schema, then rationale and ticket;
 * `preview=False` is put last. `previewName` is `countersign_preview` in front of a tool that has a `preview` itself.
 */
export function formatApply(tool: string, args: readonly Argument[], previewName = 'preview'): string {
  if (!previewNames.includes(previewName)) throw new TypeError(`"${previewName}" cannot end an Apply message.`)
  return `Apply: call ${formatCall(tool, args, [`${formatName(previewName)}=False`])}`
}

/** Writes the message that asks for a preview: Undo and "Preview again". */
export function formatPreview(tool: string, args: readonly Argument[]): string {
  return `Preview: call ${formatCall(tool, args)}`
}

const cancelForm = /^Cancel: do not apply (.+) \((pl_[A-Za-z0-9]+)\)\.$/u

/** Writes the message that takes a preview back. `noun` is a contract's static noun phrase, never data. */
export function formatCancel(noun: string, planId: string): string {
  const phrase = noun.replace(treacherous, ' ').replace(/ +/g, ' ').trim()
  return `Cancel: do not apply ${phrase} (${planId}).`
}

/** Reads any of the three messages. Strict: what `formatX` would not have written is refused, with the place. */
export function parseMessage(text: string): Parsed {
  const cancel = cancelForm.exec(text)
  if (cancel !== null) return { ok: true, value: { kind: 'cancel', noun: cancel[1] ?? '', planId: cancel[2] ?? '' } }
  if (text.startsWith('Apply: call ')) return parseCall(text, 'apply', 12)
  if (text.startsWith('Preview: call ')) return parseCall(text, 'preview', 14)
  return refuse('A message starts with "Apply: call ", "Preview: call " or "Cancel: do not apply "', 0)
}

/** Reads an Apply message; see `parseMessage`. */
export function parseApply(text: string): Parsed {
  const parsed = parseMessage(text)
  return parsed.ok && parsed.value.kind !== 'apply' ? refuse('This is not an Apply message', 0) : parsed
}

const refuse = (message: string, at: number): Parsed => ({
  ok: false,
  failure: { message: `${message} (at character ${at}).`, at },
})

function parseCall(text: string, kind: 'apply' | 'preview', start: number): Parsed {
  const open = text.indexOf('(', start)
  const tool = open < 0 ? '' : text.slice(start, open)
  if (!toolName.test(tool)) return refuse('Expected a tool name and "("', start)
  const args: [string, unknown][] = []
  const seen = new Set<string>()
  let at = open + 1
  let applied = false
  if (text[at] === ')' && kind === 'preview') return end(text, at, { kind, tool, args: {} })
  for (;;) {
    const name = readName(text, at)
    if (name === undefined) return refuse('Expected an argument name and "="', at)
    if (seen.has(name.value)) return refuse(`The argument ${JSON.stringify(name.value)} appears twice`, at)
    seen.add(name.value)
    at = name.end
    if (kind === 'apply' && previewNames.includes(name.value) && text.startsWith('False)', at)) {
      args.push([name.value, false])
      applied = true
      at += 5
    } else {
      const stop = skipValue(text, at)
      if (stop === undefined) return refuse(`Expected a JSON value for ${JSON.stringify(name.value)}`, at)
      const value = readJson(text.slice(at, stop))
      // Only the one spelling that `formatValue` writes: no blanks, no raw treacherous characters, no second reading.
      if (value === undefined || formatValue(value.json) !== text.slice(at, stop))
        return refuse(`The value of ${JSON.stringify(name.value)} is not written as this message writes JSON`, at)
      args.push([name.value, value.json])
      at = stop
    }
    if (text[at] === ')') break
    if (!text.startsWith(', ', at)) return refuse('Expected ", " or ")"', at)
    at += 2
  }
  if (kind === 'apply' && !applied) return refuse('An Apply message ends with preview=False', at)
  return end(text, at, { kind, tool, args: Object.fromEntries(args) })
}

const end = (text: string, at: number, value: Message): Parsed =>
  at + 1 === text.length ? { ok: true, value } : refuse('Nothing may follow the call', at + 1)

function readName(text: string, at: number): { value: string; end: number } | undefined {
  if (text[at] === '"') {
    const stop = skipString(text, at)
    if (stop === undefined || text[stop] !== '=') return undefined
    const name = readJson(text.slice(at, stop))
    if (name === undefined || typeof name.json !== 'string' || formatName(name.json) !== text.slice(at, stop))
      return undefined
    return { value: name.json, end: stop + 1 }
  }
  const stop = text.indexOf('=', at)
  const value = stop < 0 ? '' : text.slice(at, stop)
  return bareName.test(value) ? { value, end: stop + 1 } : undefined
}

function readJson(source: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(source) as unknown }
  } catch {
    return undefined
  }
}

function skipString(text: string, at: number): number | undefined {
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '"') return i + 1
  }
  return undefined
}

/** Finds where a JSON value ends; whether it is one is decided by `JSON.parse`. */
function skipValue(text: string, at: number): number | undefined {
  const first = text[at]
  if (first === '"') return skipString(text, at)
  if (first === '[' || first === '{') {
    let level = 0
    for (let i = at; i < text.length; i++) {
      const char = text[i]
      if (char === '"') {
        const stop = skipString(text, i)
        if (stop === undefined) return undefined
        i = stop - 1
      } else if (char === '[' || char === '{') level++
      else if (char === ']' || char === '}') {
        level--
        if (level === 0) return i + 1
      }
    }
    return undefined
  }
  const scalar = /^(?:-?\d[\d.eE+-]*|true|false|null)/.exec(text.slice(at, at + 400))
  return scalar === null ? undefined : at + scalar[0].length
}
