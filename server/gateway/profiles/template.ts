// Words with arguments in them. The words are ours and the arguments are the agent's, so whoever reads must see where one
// ends: a value that is more than one plain word stands in quotation marks, and what would be invisible is made visible.
import { pathOf } from '../rules/condition.ts'
import { showInvisible } from '../../cards/invisible-characters.ts'
import { unmarked } from '../../cards/unmarked.ts'
import { valueAt } from '../../errors/pointer.ts'
import { humanLabel } from '../../tools/human-label.ts'

/** The longest that one value may be in a title, in characters; what is cut off stands in full below. */
const longest = 120

type Part =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'value'; readonly place: string; readonly form: Form; readonly noun?: Noun }
  | { readonly kind: 'optional'; readonly parts: readonly Part[] }

type Form = 'plain' | 'count' | 'base'
/** What is counted: one of it, and more. */
type Noun = readonly [one: string, many: string]
const forms: readonly string[] = ['plain', 'count', 'base'] satisfies readonly Form[]

/** A template that cannot be read: where, and why. */
export class BadTemplate extends Error {}

/**
 * Reads a template: `{place}` is an argument (a name, or a JSON Pointer), `{place|count}` how many members it has,
 * with `{place|count|record|records}` as the number of something; `{place|base}` the last part of a path; `[ in {place}]` is left out where one of its arguments is. `{{` and `}}` are braces.
 * @throws BadTemplate
 */
export function parseTemplate(text: string): readonly Part[] {
  let at = 0
  const read = (until: string | undefined): readonly Part[] => {
    const parts: Part[] = []
    let words = ''
    const flush = (): void => {
      if (words !== '') parts.push({ kind: 'words', text: words })
      words = ''
    }
    for (; at < text.length; at++) {
      const sign = text[at]
      if (sign === until) return (flush(), parts)
      if ((sign === '{' || sign === '}') && text[at + 1] === sign) {
        words += sign
        at++
      } else if (sign === '{') {
        flush()
        const end = text.indexOf('}', at)
        if (end < 0) throw new BadTemplate(`"{" at ${at + 1} is not closed`)
        parts.push(valueOf(text.slice(at + 1, end)))
        at = end
      } else if (sign === '[' && until === undefined) {
        flush()
        at++
        const inner = read(']')
        if (text[at] !== ']') throw new BadTemplate('"[" is not closed')
        if (!inner.some(({ kind }) => kind === 'value')) throw new BadTemplate('"[ ]" holds no argument')
        parts.push({ kind: 'optional', parts: inner })
      } else if (sign === '}' || sign === ']' || sign === '[') {
        throw new BadTemplate(`"${sign}" at ${at + 1} is not expected`)
      } else {
        words += sign
      }
    }
    flush()
    return parts
  }
  return read(undefined)
}

function valueOf(inner: string): Part {
  const [place = '', form = 'plain', ...noun] = inner.split('|')
  const [one = '', many = ''] = noun
  const isNoun = noun.length === 0 || (form === 'count' && noun.length === 2 && one !== '' && many !== '')
  if (place === '' || !isNoun || !forms.includes(form))
    throw new BadTemplate(
      `"{${inner}}" is no argument: write {name}, {/path/in/it}, {name|count}, {name|count|record|records} or {name|base}`,
    )
  return { kind: 'value', place, form: form as Form, ...(noun.length === 0 ? {} : { noun: [one, many] }) }
}

/** The arguments that a template names. */
export function placesOf(template: string): readonly string[] {
  const inside = (parts: readonly Part[]): readonly string[] =>
    parts.flatMap((part) => (part.kind === 'value' ? [part.place] : part.kind === 'optional' ? inside(part.parts) : []))
  return inside(parseTemplate(template))
}

/** The templates among the arguments of a call, each with its keys. */
export function templatesIn(
  given: unknown,
  path: readonly string[] = [],
): readonly { readonly path: readonly string[]; readonly template: string }[] {
  if (typeof given === 'string') return [{ path, template: given }]
  if (Array.isArray(given)) return given.flatMap((each) => templatesIn(each, path))
  if (typeof given !== 'object' || given === null) return []
  return Object.entries(given).flatMap(([key, value]) => templatesIn(value, [...path, key]))
}

/** The words with the values of one call. An argument that is not given is said to be none. */
export function fillTemplate(template: string, args: unknown): string {
  const fill = (parts: readonly Part[]): string =>
    parts
      .map((part) => {
        if (part.kind === 'words') return part.text
        if (part.kind === 'optional') return part.parts.every((each) => isGiven(each, args)) ? fill(part.parts) : ''
        const value = valueAt(args, pathOf(part.place))
        if (value !== undefined && value !== null) return shown(value, part)
        return part.noun === undefined ? `(no ${wordsIn(part.place)})` : `no ${part.noun[1]}`
      })
      .join('')
  return fill(parseTemplate(template)).trim()
}

/** The exact value where the template is one argument and nothing else; the filled words otherwise. */
export function fillValue(template: unknown, args: unknown): unknown {
  if (Array.isArray(template)) return template.map((each) => fillValue(each, args))
  if (typeof template === 'object' && template !== null)
    return fillArguments(template as Readonly<Record<string, unknown>>, args)
  if (typeof template !== 'string') return template
  const parts = parseTemplate(template)
  const [only] = parts
  if (parts.length === 1 && only?.kind === 'value' && only.form === 'plain') return valueAt(args, pathOf(only.place))
  return parts
    .map((part) => {
      if (part.kind === 'words') return part.text
      if (part.kind === 'optional') return ''
      const value = valueAt(args, pathOf(part.place))
      return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    })
    .join('')
}

/** Arguments of a call; what is not known is left out. */
export const fillArguments = (
  templates: Readonly<Record<string, unknown>>,
  known: unknown,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(templates)
      .map(([name, template]) => [name, fillValue(template, known)])
      .filter(([, value]) => value !== undefined),
  )

const isGiven = (part: Part, args: unknown): boolean => {
  if (part.kind !== 'value') return true
  const value = valueAt(args, pathOf(part.place))
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
}

/** The name of an argument as words: "save path" of `/parameters/savePath`. */
const wordsIn = (place: string): string => humanLabel(pathOf(place).at(-1) ?? place).toLowerCase()

function shown(value: unknown, { form, noun }: Extract<Part, { kind: 'value' }>): string {
  // Of a text its letters would be counted.
  if (form === 'count' && typeof value === 'object') {
    const count = Array.isArray(value) ? value.length : Object.keys(Object(value)).length
    const words = count.toLocaleString('en')
    return noun === undefined ? words : `${words} ${noun[count === 1 ? 0 : 1]}`
  }
  if (typeof value === 'string')
    return quoted(form === 'base' ? (value.split(/[/\\]/).findLast(Boolean) ?? value) : value)
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
    const first = value.slice(0, 3).map((each) => quoted(String(each)))
    return value.length > 3 ? `${first.join(', ')} and ${value.length - 3} more` : first.join(', ')
  }
  return quoted(JSON.stringify(value))
}

/** One plain word stands as it is; anything else between marks that cannot stand in it. */
function quoted(value: string): string {
  if (/^[\p{L}\p{N}_.@/:#+=~-]{1,120}$/u.test(value)) return value
  const visible = unmarked(showInvisible(value)).replace(/[“”]/g, "'")
  return `“${visible.length > longest ? `${visible.slice(0, longest)}…` : visible}”`
}
