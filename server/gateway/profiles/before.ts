// What a call would change is known to its server: before a person is asked, it is read there. Only reads of the same server
// are made, each rated as any agent's would be; what they answer is shown as data, and the plan rests on it. A read that
// fails, hangs or floods holds up nothing: the card says what could not be checked.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { withPackages } from '../../errors/optional-package.ts'
import { fail, ok, type Result } from '../../errors/result.ts'
import { valueAt, fromPointer } from '../../errors/pointer.ts'
import type { ToolContext } from '../../tools/contract.ts'
import type { Schema } from '../../tools/schemas/json-schema.ts'
import { compiledPattern, pathOf, ruleHolds } from '../rules/condition.ts'
import { canonicalText } from '../upstream/definitions/canonical.ts'
import { errorText, textOf } from '../upstream/connection/upstream-call.ts'
import { plain } from '../upstream/connection/call-failure.ts'
import { saysFailed } from '../upstream/connection/says-failed.ts'
import type { RawResult, Upstream } from '../upstream/upstream.ts'
import type { BeforeCall, BeforeRows } from './profile.schema.ts'
import { countRows, type AskRows, type Row, type RowsFound } from './rows.ts'
import { otherNameOf } from './spellings.ts'
import { fillArguments, fillTemplate, placesOf, templatesIn } from './template.ts'

/** How long one read may take, in milliseconds. */
const timeoutMs = 5000
/** How much of an answer is looked at, in characters of its JSON. */
const mostCharacters = 256 * 1024

/** What the reads of one step came to. */
export type ReadBefore =
  | { readonly step: BeforeRows; readonly kind: 'rows'; readonly found: RowsFound }
  | { readonly step: BeforeRows; readonly kind: 'rows-unchecked'; readonly why: string }
  | { readonly step: BeforeCall; readonly kind: 'answered'; readonly answer: Answer }
  /** The server says that there is nothing there yet. */
  | { readonly step: BeforeCall; readonly kind: 'none'; readonly says: string }
  | { readonly step: BeforeCall; readonly kind: 'unchecked'; readonly why: string }

/** The answer of a read: as text, and as the value that it holds. */
export interface Answer {
  readonly text: string
  readonly value: unknown
}

/** The reads of one call. A second question in the same context gets the first one's answers. */
export type AskBefore = (input: unknown, ctx: ToolContext) => Promise<readonly ReadBefore[]>

/** Whether a tool of the same server may be called with these arguments without asking; if not, why not. */
export type WhyNotRead = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<string | undefined>

export function createBefore(
  upstream: Upstream,
  steps: readonly (BeforeCall | BeforeRows)[],
  whyNotRead: WhyNotRead,
  schema: Schema,
): AskBefore {
  const asked = new WeakMap<ToolContext, Promise<readonly ReadBefore[]>>()

  /** Makes one read, as far as it is one. */
  async function read(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    ctx: ToolContext,
  ): Promise<Result<RawResult, string>> {
    const refused = await whyNotRead(tool, args)
    if (refused !== undefined) return fail(refused)
    const answer = await upstream.callTool(tool, args, { signal: ctx.signal, timeoutMs, repeatable: true })
    await ctx.audit('upstream.read_before', { tool, answered: answer.ok })
    if (!answer.ok) return fail(plain(answer.failure.message))
    const size = sizeOf(answer.value)
    return size > mostCharacters
      ? fail(`${upstream.name} answered with ${size.toLocaleString('en')} characters, which is too much to look at.`)
      : ok(answer.value)
  }

  async function find(step: BeforeCall, input: unknown, ctx: ToolContext): Promise<ReadBefore> {
    const answer = await read(step.call, fillArguments(step.with, input), ctx)
    if (!answer.ok) return { step, kind: 'unchecked', why: answer.failure }
    const failed = saysFailed(answer.value)
    const said = failed ? errorText(upstream.name, answer.value) : textOf(answer.value)
    const { none } = step
    if (
      none !== undefined &&
      failed !== (none.unmarked === true) &&
      compiledPattern(none.matches).test(said.slice(0, 2000))
    )
      return { step, kind: 'none', says: fillTemplate(none.says, input) }
    return failed
      ? { step, kind: 'unchecked', why: said }
      : { step, kind: 'answered', answer: readAnswer(answer.value) }
  }

  async function findRows(step: BeforeRows, input: unknown, ctx: ToolContext): Promise<readonly ReadBefore[]> {
    const ask: AskRows = async (sql) => {
      const args = withValue(fillArguments(step.with, input), pathOf(step.argument), sql)
      const answer = await read(step.call, args, ctx)
      if (!answer.ok) return answer
      return saysFailed(answer.value) ? fail(errorText(upstream.name, answer.value)) : rowsIn(answer.value, step.rows)
    }
    const found = await countRows(valueAt(input, pathOf(step.rows_of)), step.dialect, ask)
    if (found === undefined) return []
    return [
      found.ok ? { step, kind: 'rows', found: found.value } : { step, kind: 'rows-unchecked', why: found.failure },
    ]
  }

  async function findAll(input: unknown, ctx: ToolContext): Promise<readonly ReadBefore[]> {
    const found = await Promise.all(
      steps.map(async (step): Promise<readonly ReadBefore[]> => {
        const isOfCall = 'rows_of' in step || step.if === undefined || ruleHolds({ if: step.if }, input)
        const why = whyUnsure(step, isOfCall, input, schema)
        if (why !== undefined)
          return ['rows_of' in step ? { step, kind: 'rows-unchecked', why } : { step, kind: 'unchecked', why }]
        if (!isOfCall) return []
        return 'rows_of' in step ? findRows(step, input, ctx) : [await find(step, input, ctx)]
      }),
    )
    return found.flat()
  }

  return (input, ctx) => {
    const known = asked.get(ctx)
    if (known !== undefined) return known
    const answers = findAll(input, ctx)
    asked.set(ctx, answers)
    return answers
  }
}

/** Why nobody knows whether a read concerns what the call does: an argument of it, or of the condition on it, has two names. */
function whyUnsure(
  step: BeforeCall | BeforeRows,
  isOfCall: boolean,
  input: unknown,
  schema: Schema,
): string | undefined {
  const conditions = 'rows_of' in step ? [] : Object.keys(step.if ?? {})
  for (const place of isOfCall ? [...conditions, ...argumentsOf(step)] : conditions) {
    const other = otherNameOf(input, pathOf(place), schema)
    if (other !== undefined) return nameUnsure(place, other)
  }
  return undefined
}

const nameUnsure = (place: string, other: string): string =>
  `The call has “${other}” beside “${pathOf(place).at(-1)}”, and only its server knows which of them counts.`

/** The arguments of a call that a read is given, or that its answer is compared with. */
const argumentsOf = (step: BeforeCall | BeforeRows): readonly string[] => [
  ...templatesIn(step.with).flatMap(({ template }) => placesOf(template)),
  ...('rows_of' in step ? [step.rows_of] : step.show.as === 'diff' ? [step.show.with] : []),
  ...('show' in step && step.show.as === 'changes' ? Object.keys(step.show.fields) : []),
]

const sizeOf = (result: RawResult): number =>
  readAnswer(result).text.length + (JSON.stringify(result.structuredContent)?.length ?? 0)

/** The rows of an answer: a list of objects. */
async function rowsIn(result: RawResult, pointer: string): Promise<Result<readonly Row[], string>> {
  const found = valueAt(readAnswer(result).value, fromPointer(pointer))
  const list = typeof found === 'string' ? await listIn(found) : found
  const rows = z.array(z.record(z.string(), z.unknown())).safeParse(list)
  return rows.success ? ok(rows.data) : fail('Its answer holds no list of rows.')
}

/** The list in a text that says more around it; a server in Python may write one as Python does, which YAML understands. */
async function listIn(text: string): Promise<unknown> {
  const list = text.slice(Math.max(text.indexOf('['), 0), text.lastIndexOf(']') + 1)
  const asJson = parsed(list)
  if (typeof asJson !== 'string') return asJson
  const quoted = list.replace(/\b(?:datetime\.\w+|Decimal|UUID)\((?:[^()']|'[^']*')*\)/g, (value) =>
    JSON.stringify(value.replace(/^(?:Decimal|UUID)\('(.*)'\)$/, '$1')),
  )
  const { parseDocument } = await withPackages(['yaml'], () => import('yaml'))
  const document = parseDocument(quoted.replace(/\bNone\b(?=[,}])/g, 'null'), { logLevel: 'silent' })
  return document.errors.length > 0 ? text : (document.toJS({ maxAliasCount: 0 }) as unknown)
}

/** Arguments with one more, which may lie within an object. */
function withValue(
  args: Readonly<Record<string, unknown>>,
  [first = '', ...rest]: readonly string[],
  value: unknown,
): Readonly<Record<string, unknown>> {
  if (rest.length === 0) return { ...args, [first]: value }
  return { ...args, [first]: withValue({ ...Object(args[first]) }, rest, value) }
}

/** What a result holds: structured where its server says so, else what its text is as JSON, else the text. */
export function readAnswer(result: RawResult): Answer {
  const text = embeddedText(result) ?? textOf(result)
  const wrapped = wrappedText.safeParse(result.structuredContent)
  return { text, value: wrapped.success ? parsed(wrapped.data.result) : (result.structuredContent ?? parsed(text)) }
}

/** What FastMCP makes of a tool that answers with a text: its text again, which may be JSON. */
const wrappedText = z.strictObject({ result: z.string() })

const embedded = z.object({ type: z.literal('resource'), resource: z.object({ text: z.string() }) })

/** A file that comes as an embedded resource is the answer; the text beside it only says that it came. */
function embeddedText({ content }: RawResult): string | undefined {
  const texts = (content ?? []).flatMap((block) => {
    const read = embedded.safeParse(block)
    return read.success ? [read.data.resource.text] : []
  })
  return texts.length === 0 ? undefined : texts.join('\n')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The part of an answer that a pointer names; all of it as text where that is "". */
export const partOf = ({ text, value }: Answer, pointer: string): unknown =>
  pointer === '' ? (text === '' ? value : text) : valueAt(value, fromPointer(pointer))

/** Fingerprint of what the plan rests on. */
export const readsDigest = (reads: readonly ReadBefore[]): string =>
  createHash('sha256')
    .update(canonicalText(reads.flatMap((each) => restsOn(each))))
    .digest('hex')

/** How many rows there are in all moves by itself; which of them a statement hits does not. */
const restsOn = (each: ReadBefore): readonly unknown[] => {
  if (each.kind === 'rows') return [[each.found.hit, each.found.samples]]
  if (each.kind === 'rows-unchecked') return [each.kind]
  if (!each.step.basis) return []
  return [[each.step.call, each.kind, each.kind === 'answered' ? each.answer : null]]
}
