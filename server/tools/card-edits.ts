// What of a call the person may change on its card. A contract names the places (`revise`), and what can stand there, its schema
// says. Both what a card offers and what is accepted from it come from here.
import { fromPointer, toPointer, valueAt } from '../errors/pointer.ts'
import type { Limit } from '../errors/limit.ts'
import { fail, ok, type Result } from '../errors/result.ts'
import type { CardEdit, CardEditList, CardEdits } from '../model/card-edits.ts'
import type { WriteTool } from './catalog.ts'
import type { WriteContract } from './contract.ts'
import { humanLabel } from './human-label.ts'
import type { Schema } from './schemas/json-schema.ts'
import { choicesOf, membersOf, valueSchema, type ValueSchema } from './schemas/value-schema.ts'

/** Values, members and choices that are offered at most (`cardLimits.edits`); a list that has more is left to the chat. */
const most = 300

/** Choices of one value, of which there may be one for each member of a list; what has more is written as a text. */
const mostChoices = 40

/** Characters of what a member is called. */
const longestName = 80

/** Characters from which on a text has a field of several lines. */
const longText = 80

/** An argument that the person may change on the card: a JSON Pointer (RFC 6901) in which `*` is any member of a list. */
export type Revisable =
  | string
  | {
      readonly at: string
      /** Its name on the card, or that in each of the tool's languages; the words of the argument's own name when absent. */
      readonly label?: string | Readonly<Record<string, string>>
      /** It is an amount of money, in this currency (ISO 4217). */
      readonly currency?: string
    }

type Path = readonly (string | number)[]

/** One value that may be changed. */
export interface EditableValue {
  readonly edit: CardEdit
  /** What a text of its field is as the argument, `undefined` where that is left out; or what may stand there. */
  read(text: string): Result<unknown, Limit>
}

interface EditableMember {
  readonly at: string
  readonly label: string
  readonly values: readonly EditableValue[]
}

interface EditableList {
  readonly at: string
  readonly label: string
  readonly removable: boolean
  readonly members: readonly EditableMember[]
}

/** Everything of a call that may be changed. */
export interface Editable {
  readonly values: readonly EditableValue[]
  readonly lists: readonly EditableList[]
}

type Place = Exclude<Revisable, string>

/** What a contract says of a place; nothing where it may not be changed. In its own words `*` stands for an index. */
function placesOf(revise: NonNullable<WriteContract['revise']>): (path: Path) => Partial<Place> | undefined {
  if (revise === true) return () => ({})
  const named = new Map(revise.map((each) => (typeof each === 'string' ? [each, {}] : [each.at, each])))
  return (path) => named.get(toPointer(path.map((key) => (typeof key === 'number' ? '*' : key))))
}

function kindOf(known: ValueSchema, value: unknown): CardEdit['as'] | undefined {
  const { schema, type } = known
  if (Object.hasOwn(schema, 'const')) return undefined
  const choices = choicesOf(known).length
  if (choices > 0 && choices <= mostChoices) return 'choice'
  if (type === 'boolean') return 'switch'
  if (type === 'integer' || type === 'number') return 'number'
  if (type !== 'string') return undefined
  if (schema['format'] === 'date') return 'date'
  const longest = schema['maxLength']
  const isLong =
    typeof value === 'string' && value !== ''
      ? value.length > longText || value.includes('\n')
      : typeof longest === 'number' && longest > 4 * longText
  return isLong ? 'long' : 'text'
}

const decimal = /^[+-]?\d+(?:[.,]\d+)?$/

/** A decimal number with a point; nothing where it is none, or its comma may part thousands. */
const pointed = (text: string): string | undefined =>
  decimal.test(text) && !/,\d{3}$/.test(text) ? text.replace(',', '.') : undefined

const inDigits: Limit = { is: 'digits' }

/** Where a text of a field becomes a value; what that must be beyond its kind, the schema of the whole says. */
function reader(
  kind: CardEdit['as'],
  known: ValueSchema,
  { isRequired, isMoney }: { readonly isRequired: boolean; readonly isMoney: boolean },
): EditableValue['read'] {
  const empty = isRequired ? (known.nullable ? ok(null) : undefined) : ok(undefined)
  return (text) => {
    if (text === '' && empty !== undefined) return empty
    const number = pointed(text)
    switch (kind) {
      case 'number':
        return number === undefined ? fail(inDigits) : ok(Number(number))
      case 'switch':
        return text === 'true' || text === 'false'
          ? ok(text === 'true')
          : fail({ is: 'oneOf', values: ['true', 'false'] })
      case 'choice': {
        const found = choicesOf(known).find((each) => String(each) === text)
        return found === undefined
          ? fail({ is: 'oneOf', values: choicesOf(known).map((each) => JSON.stringify(each)) })
          : ok(found)
      }
      case 'date':
      case 'text':
      case 'long':
        if (!isMoney) return ok(text)
        return number === undefined ? fail(inDigits) : ok(number)
      default:
        return kind satisfies never
    }
  }
}

/** A member of a list that is emptied is meant to go, and the card has a box for that. */
const neverEmpty = (value: EditableValue): EditableValue => ({
  edit: value.edit,
  read: (text) => (text === '' ? fail({ is: 'unticked' }) : value.read(text)),
})

const isSingle = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a member of a list is called: its first value that may not be changed, else its first one, else its number. */
function memberLabel(member: unknown, index: number, changeable: ReadonlySet<string>): string {
  const values = Object.entries(isObject(member) ? member : { '': member }).filter(
    ([, value]) => typeof value === 'string' || typeof value === 'number',
  )
  const [, name] = values.find(([key]) => !changeable.has(key)) ?? values[0] ?? []
  return name === undefined || name === '' ? String(index + 1) : String(name).slice(0, longestName).toWellFormed()
}

/** How much of a card values take: each itself and its choices. */
const sizeOf = (values: readonly EditableValue[]): number =>
  values.reduce((sum, { edit: { choices = [] } }) => sum + 1 + choices.length, 0)

const sizeOfList = ({ members }: EditableList): number =>
  members.reduce((sum, member) => sum + 1 + sizeOf(member.values), 0)

/** What a place is called in a language; in English, or by its argument's own name, where it has no words for it. */
function labelOf({ label }: Partial<Place>, name: string, language: string): string {
  if (typeof label === 'string') return label
  const own = label !== undefined && Object.hasOwn(label, language) ? label[language] : label?.['en']
  return own ?? humanLabel(name)
}

/**
 * Everything of these arguments that the contract lets a person change. `args`: a call's own, as they were parsed. `language`:
 * of the card.
 */
export function editableOf(
  { contract, inputSchema, parameters, dryRun }: Pick<WriteTool, 'contract' | 'inputSchema' | 'parameters' | 'dryRun'>,
  args: unknown,
  language = 'en',
): Editable {
  const root: Schema = inputSchema
  const placeAt = contract.revise === undefined ? () => undefined : placesOf(contract.revise)
  const values: EditableValue[] = []
  const lists: EditableList[] = []
  let left = most

  function valueIn(path: Path, schema: unknown, isRequired: boolean): EditableValue | undefined {
    const place = placeAt(path)
    const key = path.at(-1)
    const known = place && valueSchema(root, schema)
    const value = valueAt(args, path)
    const kind = known && kindOf(known, value)
    if (place === undefined || known === undefined || kind === undefined) return undefined
    const edit: CardEdit = {
      at: toPointer(path),
      // A member of a list that is itself the value is called by its number.
      label: typeof key === 'number' ? String(key + 1) : labelOf(place, String(key), language),
      as: kind,
      ...(isSingle(value) ? { value: String(value) } : {}),
      ...(kind === 'choice' ? { choices: choicesOf(known).map(String) } : {}),
      ...(place.currency === undefined ? {} : { currency: place.currency }),
      ...(isRequired && !known.nullable ? {} : { optional: true }),
    }
    return { edit, read: reader(kind, known, { isRequired, isMoney: place.currency !== undefined }) }
  }

  function listIn(path: Path, known: ValueSchema): EditableList | undefined {
    const held = valueAt(args, path)
    const items = valueSchema(root, known.schema['items'])
    if (!Array.isArray(held) || held.length === 0 || held.length > left) return undefined
    if (items === undefined || items.type === 'array') return undefined
    const itself = placeAt([...path, 0])
    const members = held.map((member: unknown, index): EditableMember => {
      const at = [...path, index]
      const named = items.type === 'object' && isObject(member) ? membersOf(items) : []
      const found = named.flatMap(({ name, schema, isRequired }) => {
        const value = valueIn([...at, name], schema, isRequired)
        return value === undefined ? [] : [{ name, value }]
      })
      const changeable = new Set(found.map(({ name }) => name))
      const single = valueIn(at, known.schema['items'], true)
      return {
        at: toPointer(at),
        label: memberLabel(member, index, changeable),
        values: single === undefined ? found.map(({ value }) => value) : [neverEmpty(single)],
      }
    })
    if (itself === undefined && members.every((member) => member.values.length === 0)) return undefined
    const label = labelOf(itself ?? {}, String(path.at(-1)), language)
    const list = { at: toPointer(path), label, removable: itself !== undefined, members }
    // Where there is no room for all values, members that are values can still be left out.
    return itself === undefined || sizeOfList(list) <= left
      ? list
      : { ...list, members: members.map((member) => ({ ...member, values: [] })) }
  }

  function visit(path: Path, schema: unknown, isRequired: boolean): void {
    const value = valueIn(path, schema, isRequired)
    if (value !== undefined) {
      left -= sizeOf([value])
      if (left >= 0) values.push(value)
      return
    }
    const known = valueSchema(root, schema)
    if (known?.type === 'array') {
      const list = listIn(path, known)
      if (list === undefined || sizeOfList(list) > left) return
      left -= sizeOfList(list)
      lists.push(list)
    }
    if (known?.type === 'object' && isObject(valueAt(args, path))) visitMembers(path, known)
  }

  const visitMembers = (path: Path, known: ValueSchema): void =>
    membersOf(known).forEach(({ name, schema, isRequired }) => {
      // Rationale, preview and ticket stand beside the tool's own, and a dry run is no other call.
      const isOwn = parameters.includes(name) && name !== dryRun?.parameter
      if (path.length > 0 || isOwn) visit([...path, name], schema, isRequired)
    })

  const whole = contract.revise === undefined ? undefined : valueSchema(root, root)
  if (whole !== undefined) visitMembers([], whole)
  return { values, lists }
}

/** It as a card offers it; nothing where there is nothing to change. */
export function cardEditsOf({ values, lists }: Editable): CardEdits | undefined {
  if (values.length === 0 && lists.length === 0) return undefined
  return {
    fields: values.map(({ edit }) => edit),
    lists: lists.map(({ label, removable, members }): CardEditList => ({
      label,
      ...(removable ? { removable } : {}),
      members: members.map(({ at, label: name, values: inside }) => ({
        at,
        label: name,
        fields: inside.map(({ edit }) => edit),
      })),
    })),
  }
}

/** What is wrong with a place of `revise`: that it leads to nothing in the input that a card could change. */
export function placeProblem(input: Schema, at: string): string | undefined {
  const path = fromPointer(at)
  if (path.slice(0, -2).includes('*') || path.slice(-2).join() === '*,*')
    return 'leads too deep into the members of a list'
  let known = valueSchema(input, input)
  for (const key of path) {
    const member = known?.type === 'object' ? membersOf(known).find(({ name }) => name === key)?.schema : undefined
    known = valueSchema(input, key === '*' && known?.type === 'array' ? known.schema['items'] : member)
    if (known === undefined) return 'leads to nothing in the input, or to a value of several kinds'
  }
  const isMember = path.at(-1) === '*'
  return known !== undefined && (isMember ? known.type !== 'array' : kindOf(known, undefined) !== undefined)
    ? undefined
    : 'leads to no single value'
}
