// Answers requests for a program's own resources and prompts. What its functions throw stays in the log: a client hears that it
// happened, and under which name.
import { ErrorCode, GetPromptResultSchema, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { missingOf } from '../rail/authorize/missing-permissions.ts'
import { principalOf, requestOf, waitingSignal } from '../rail/told-of-caller.ts'
import { localesOf } from '../rail/language.ts'
import { logAbout } from '../rail/record/tool-log.ts'
import type { Caller, Engine } from '../rail/engine.ts'
import { listed, type Offer, type OfferContext, type OfferedPrompt } from './offer.ts'
import { addressed } from './resource-address.ts'

interface Asked {
  readonly engine: Engine
  readonly caller: Caller
  readonly signal: AbortSignal | undefined
}

const contentsSchema = z.union([
  z.string(),
  z.instanceof(Uint8Array),
  z.array(
    z.union([
      z.strictObject({ uri: z.string().optional(), mimeType: z.string().optional(), text: z.string() }),
      z.strictObject({ uri: z.string().optional(), mimeType: z.string().optional(), blob: z.base64() }),
    ]),
  ),
])

type Permitted = { readonly permissions?: readonly string[] }

const may = (engine: Engine, caller: Caller, { permissions = [] }: Permitted): boolean =>
  missingOf(engine, caller, permissions).length === 0

/** Those of a list that this caller may use, as MCP lists them. */
export const listOffered = (
  engine: Engine,
  caller: Caller,
  offered: readonly Parameters<typeof listed>[0][],
): Record<string, unknown>[] => offered.filter((each) => may(engine, caller, each)).map(listed)

/** What reads a resource of the program at this address; `undefined` where it has none there for this caller. */
export function offeredResource(
  offer: Offer,
  uri: string,
  { engine, caller, signal }: Asked,
): (() => Promise<Record<string, unknown> | undefined>) | undefined {
  const found = addressed(offer, uri)
  if (found === undefined || ![found.resource, ...found.hidden].every((each) => may(engine, caller, each)))
    return undefined
  const { resource, variables } = found
  return () =>
    guarded(engine, `resource ${resource.name}`, async () => {
      const answer = await resource.read({ uri, variables }, contextOf({ engine, caller, signal }, { resource: uri }))
      if (answer === undefined) return undefined
      const read = contentsSchema.safeParse(answer)
      if (!read.success)
        throw new TypeError(
          `read answered no content: ${z.prettifyError(read.error)}. Answer a text, bytes, a list of { text } or { blob }, or undefined.`,
        )
      const { mimeType } = resource
      if (typeof read.data === 'string')
        return { contents: [{ uri, mimeType: mimeType ?? 'text/plain', text: read.data }] }
      if (read.data instanceof Uint8Array) {
        const blob = Buffer.from(read.data).toString('base64')
        return { contents: [{ uri, mimeType: mimeType ?? 'application/octet-stream', blob }] }
      }
      return { contents: read.data.map((each) => ({ uri, ...(mimeType === undefined ? {} : { mimeType }), ...each })) }
    })
}

/** The prompt of this name, for this caller. */
export const offeredPrompt = (offer: Offer, name: string, { engine, caller }: Asked): OfferedPrompt | undefined =>
  offer.prompts.find((each) => each.name === name && may(engine, caller, each))

/** What a prompt says with these arguments. */
export async function getOffered(
  prompt: OfferedPrompt,
  given: Readonly<Record<string, string>>,
  asked: Asked,
): Promise<Record<string, unknown>> {
  const { name, arguments: known = [], description } = prompt
  const strange = Object.keys(given).find((each) => !known.some((one) => one.name === each))
  const takes = known.length === 0 ? 'It takes none.' : `It takes ${known.map((one) => one.name).join(', ')}.`
  if (strange !== undefined)
    throw invalid(`The prompt ${name} has no argument ${JSON.stringify(strange.slice(0, 100))}. ${takes}`)
  const missing = known.find(
    (one) => one.required === true && (Object.hasOwn(given, one.name) ? given[one.name] : '') === '',
  )
  if (missing !== undefined)
    throw invalid(`The prompt ${name} needs the argument ${missing.name}. Ask the person for it.`)
  return guarded(asked.engine, `prompt ${name}`, async () => {
    const answer = await prompt.get(given, contextOf(asked, { prompt: name }))
    const whole =
      typeof answer === 'string' ? { messages: [{ role: 'user', content: { type: 'text', text: answer } }] } : answer
    const read = GetPromptResultSchema.safeParse({ ...(description === undefined ? {} : { description }), ...whole })
    if (read.success) return read.data
    throw new TypeError(
      `get answered no prompt: ${z.prettifyError(read.error)}. Answer a text, or { messages: [{ role, content }] }.`,
    )
  })
}

const askedFor = z.looseObject({
  ref: z.union([
    z.looseObject({ type: z.literal('ref/resource'), uri: z.string() }),
    z.looseObject({ type: z.literal('ref/prompt'), name: z.string() }),
  ]),
  argument: z.looseObject({ name: z.string(), value: z.string() }),
})

/** As many values as an answer may have. */
const most = 100

/** Completes a variable of a template or an argument of a prompt; `undefined` where it is about neither. */
export async function completeOffered(
  offer: Offer,
  params: unknown,
  asked: Asked,
): Promise<Record<string, unknown> | undefined> {
  const read = askedFor.safeParse(params)
  if (!read.success) return undefined
  const { ref, argument } = read.data
  const found =
    'uri' in ref
      ? offer.templates.find((each) => each.uriTemplate === ref.uri)
      : offer.prompts.find((each) => each.name === ref['name'])
  if (found === undefined || !may(asked.engine, asked.caller, found)) return undefined
  const complete =
    'get' in found
      ? found.arguments?.find((each) => each.name === argument.name)?.complete
      : Object.hasOwn(found.complete ?? {}, argument.name)
        ? found.complete?.[argument.name]
        : undefined
  return guarded(asked.engine, `completion of ${found.name}`, async () => {
    const values = z.array(z.string()).parse((await complete?.(argument.value, contextOf(asked, {}))) ?? [])
    return { completion: { values: values.slice(0, most), total: values.length, hasMore: values.length > most } }
  })
}

const contextOf = ({ engine, caller, signal }: Asked, about: Readonly<Record<string, string>>): OfferContext => ({
  principal: principalOf(caller),
  request: requestOf(caller),
  signal: waitingSignal(caller, signal ?? new AbortController().signal),
  locales: localesOf({ engine, request: { caller } }),
  log: logAbout(engine, about),
})

async function guarded<T>(engine: Engine, where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const incident = engine.report(error, where)
    throw new McpError(
      ErrorCode.InternalError,
      `The ${where} failed (incident ${incident}). Try again later; the server's log has the reason.`,
    )
  }
}

const invalid = (message: string): McpError => new McpError(ErrorCode.InvalidParams, message)
