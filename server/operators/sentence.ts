// What a row of the record says in one sentence. Nothing is stored for it: it is made of what the row holds in the clear, in
// the words of the tool's contract. So redaction and erasure hold for it by themselves, and it is there for old rows as well.
import { z } from 'zod'
import type { Tool } from '../tools/catalog.ts'
import { humanLabel } from '../tools/human-label.ts'
import { appTools, reservedParameters } from '../tools/names.ts'
import type { Success } from '../tools/contract.ts'
import { parseWith } from '../tools/schemas/tool-schema.ts'

/** What a sentence is made of. `args` and `result`: JSON text as it is recorded, where it is at hand. */
export interface Told {
  readonly tool: string
  readonly source: string
  readonly status: string
  readonly args?: string | undefined
  readonly result?: string | undefined
  /** The arguments of which its plan was made: a row of a run may only name the plan. */
  readonly asked?: string | undefined
}

/** Finds the tool whose words are used, by its wire name. */
export type FindTool = (wireName: string) => Tool | undefined

type Arguments = Readonly<Record<string, unknown>>

const longest = 240
const longestValue = 60
const mostValues = 3

/** The row in one sentence without a full stop. Figures in it are written by `figureText`. */
export function sentenceOf(told: Told, find: FindTool): string {
  const own = argumentsOf(told.args)
  const args = told.asked === undefined ? own : { ...argumentsOf(told.asked), ...own }
  const text =
    told.source === 'operator'
      ? actOf(told, args, find)
      : (cardActs[told.tool] ?? (told.source === 'later' ? undefined : callOf(told, args, find(told.tool))))
  return cut(text ?? joined(humanLabel(told.tool), tellingOf(args, reserved)), longest)
}

const reserved: ReadonlySet<string> = new Set(reservedParameters)

const cardActs: Readonly<Record<string, string>> = {
  [appTools.confirm]: 'Confirmed in the card',
  [appTools.cancel]: 'Cancelled in the card',
  [appTools.revise]: 'Changed in the card, for a new preview',
}

/** A call: what it did, in the words of the card that said so; else what it was asked to do, with what tells it from others. */
function callOf(told: Told, args: Arguments, tool: Tool | undefined): string | undefined {
  if (tool === undefined) return undefined
  const card = cardOf(tool, told, args)
  if (card !== undefined) return joined(card.title, card.subtitle === undefined ? [] : [card.subtitle], ' · ')
  return joined(tool.contract.title, tellingOf(args, new Set(Object.values(tool.reserved))))
}

/** The operators' pages are in English. */
const inEnglish = { language: 'en' }

/** The head of the card of a result, made again. What is redacted may not be as the tool knows it: then there is none. */
function cardOf(
  { contract, reserved }: Tool,
  { status, result }: Told,
  args: Arguments,
): Pick<Success, 'title' | 'subtitle'> | undefined {
  if (result === undefined || !withResult.has(status)) return undefined
  const own: ReadonlySet<string> = new Set(Object.values(reserved))
  try {
    const given = parseWith(
      contract.input,
      'input',
      Object.fromEntries(Object.entries(args).filter(([name]) => !own.has(name))),
    )
    const output = parseWith(contract.output, 'output', fromJson(result))
    if (!given.success || !output.success) return undefined
    return contract.operation === 'read'
      ? contract.cards?.result?.(given.data, output.data, inEnglish)
      : contract.cards?.success?.(given.data, output.data, inEnglish)
  } catch {
    // Words of a tool may break on what it never answered; the contract's title is there for every row.
    return undefined
  }
}

const withResult: ReadonlySet<string> = new Set(['ok', 'applied', 'replayed'])

/** What an operator did: "Rejected Delete a sales order: Not today." */
function actOf({ tool: act, status }: Told, args: Arguments, find: FindTool): string {
  const words = humanLabel(act.replace(/^[a-z]+\./, ''))
  const { tool, reason, address } = args
  if (act === 'operator.signed_in' && typeof address === 'string') return signInWords(status === 'ok', address, args)
  const about = typeof tool === 'string' ? `: ${find(tool)?.contract.title ?? tool}` : ''
  if (typeof reason === 'string') return `${words}${about}, because “${cut(reason, longestValue)}”`
  const told = new Set(['tool', 'approval', 'plan', 'tenant'])
  return about === '' ? joined(words, tellingOf(args, told)) : `${words}${about}`
}

/** "Signed in from 127.0.0.1, with a link", or "Tried to sign in from 127.0.0.1: wrong code". */
const signInWords = (isIn: boolean, address: string, { by, why }: Arguments): string =>
  [
    isIn ? 'Signed in ' : 'Tried to sign in ',
    address === 'terminal' ? 'at a terminal' : `from ${address}`,
    by === 'link' ? ', with a link' : '',
    typeof why === 'string' ? `: ${humanLabel(why).toLowerCase()}` : '',
  ].join('')

/** Names whose value says by itself what it is. */
const naming =
  /^(?:id|name|path|file|file_?name|customer|supplier|to|recipient|subject|title|email|query|url|uri|sku|branch|repo|repository|command)$/i

/** The few arguments that tell this call from others of its tool, those first that name what it is about. */
function tellingOf(args: Arguments, leftOut: ReadonlySet<string>): readonly string[] {
  const said = Object.entries(args).flatMap(([name, value]) => {
    const words = leftOut.has(name) ? undefined : valueWords(name, value)
    if (words === undefined) return []
    const isNaming = naming.test(name) || /(?:_id|Id)$/.test(name)
    return [{ isNaming, words: isNaming ? words : `${humanLabel(name).toLowerCase()} ${words}` }]
  })
  const first = said.filter(({ isNaming }) => isNaming)
  const rest = said.filter(({ isNaming }) => !isNaming)
  return [...first, ...rest].slice(0, mostValues).map(({ words }) => words)
}

const money = z.object({ amount: z.string(), currency: z.string() })

function valueWords(name: string, value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : cut(value, longestValue)
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 'yes' : undefined
  if (Array.isArray(value)) return value.length === 0 ? undefined : listWords(name, value)
  const { success, data } = money.safeParse(value)
  return success ? `${data.currency} ${data.amount}` : undefined
}

const listWords = (name: string, values: readonly unknown[]): string => {
  const texts = values.filter((value) => typeof value === 'string')
  if (texts.length === values.length && values.length < 3) return cut(texts.join(' and '), longestValue)
  return naming.test(name) ? `${values.length} of them` : `(${values.length})`
}

const joined = (head: string, parts: readonly string[], between = ': '): string =>
  parts.length === 0 ? head : `${head}${between}${parts.join(', ')}`

const cut = (text: string, most: number): string => {
  const line = text.replaceAll(/\s+/g, (blank) => (/[\r\n]/.test(blank) ? ' ' : blank))
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`
}

const argumentsOf = (text: string | undefined): Arguments => {
  const given = fromJson(text)
  return typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Arguments) : {}
}

const fromJson = (text: string | undefined): unknown => {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
