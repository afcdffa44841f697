// Resources and prompts that a program offers beside its tools. They change nothing, so they need no signature; but they are
// read in somebody's name, so they are recorded, counted and permitted as calls are.
import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js'
import { z } from 'zod'
import { fail, ok, type Result } from '../errors/result.ts'
import type { ToolContext } from '../tools/contract.ts'
import { addressPattern, type AddressPattern } from './address-pattern.ts'
import { normalAddress, unescaped } from './resource-address.ts'

/** What the function of a resource or a prompt gets. */
export type OfferContext = Pick<ToolContext, 'principal' | 'request' | 'signal' | 'locales' | 'log'>

/** Proposes values for what somebody has begun to write. */
export type Completer = (begun: string, ctx: OfferContext) => Promise<readonly string[]> | readonly string[]

/** What a resource and a prompt say alike. */
export interface OfferedCommon {
  /** Its name, for programs. */
  readonly name: string
  /** Its name, for people. */
  readonly title?: string
  /** What it is. */
  readonly description?: string
  /** Who lacks one of these is told that there is no such thing. */
  readonly permissions?: readonly string[]
  /** Pictures of it, as MCP has them. */
  readonly icons?: readonly Readonly<Record<string, unknown>>[]
  /** What else is listed of it. */
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** What a resource says, wherever it is. */
export interface OfferedContent extends OfferedCommon {
  /** text/plain when absent; of bytes application/octet-stream. */
  readonly mimeType?: string
  /** MCP's annotations: for whom it is, how important. */
  readonly annotations?: Readonly<Record<string, unknown>>
  /** Its text, its bytes, or several contents; `undefined` where there is none at this address. */
  read(address: ResourceAddress, ctx: OfferContext): Promise<ResourceAnswer> | ResourceAnswer
}

/** Which resource is read. */
export interface ResourceAddress {
  /** The address that was asked for. */
  readonly uri: string
  /** What stands for the variables of its template; nothing where it has none. */
  readonly variables: Readonly<Record<string, string | readonly string[]>>
}

/** What stands at an address: a text, bytes, several contents, or nothing. */
export type ResourceAnswer = string | Uint8Array | readonly ResourceContent[] | undefined

/** One content of a resource; `blob` is base64. The resource's own address and type when absent. */
export type ResourceContent = { readonly uri?: string; readonly mimeType?: string } & (
  | { readonly text: string }
  | { readonly blob: string }
)

/** A resource at one address. */
export interface OfferedResource extends OfferedContent {
  /** Its address. */
  readonly uri: string
  /** Its size in bytes. */
  readonly size?: number
}

/** Resources at all addresses of a template (RFC 6570): `notes://{name}`. */
export interface OfferedResourceTemplate extends OfferedContent {
  /** Its addresses, by RFC 6570: `notes://by-name/{name}`. */
  readonly uriTemplate: string
  /** By variable. */
  readonly complete?: Readonly<Record<string, Completer>>
}

/** What a person fills in before a prompt is made. */
export interface PromptArgument {
  /** Its name, for programs. */
  readonly name: string
  /** Its name, for people. */
  readonly title?: string
  /** What to write. */
  readonly description?: string
  /** Whether it must be given. */
  readonly required?: boolean
  /** Values that begin like what was typed. */
  readonly complete?: Completer
}

/** A prompt, which a person chooses in their host. */
export interface OfferedPrompt extends OfferedCommon {
  /** What is filled in before. */
  readonly arguments?: readonly PromptArgument[]
  /** What is said in the chat: a text of the user, or messages. */
  get(args: Readonly<Record<string, string>>, ctx: OfferContext): Promise<PromptAnswer> | PromptAnswer
}

/** A text of the user, or messages. */
export type PromptAnswer = string | { readonly description?: string; readonly messages: readonly PromptMessage[] }

/** A message of a prompt. */
export interface PromptMessage {
  /** Whose it is. */
  readonly role: 'user' | 'assistant'
  /** What it says. */
  readonly content: PromptContent
}

/** What a message has in it. */
export type PromptContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string; readonly mimeType?: string }
  | {
      readonly type: 'resource'
      readonly resource: { readonly uri: string; readonly mimeType?: string } & (
        | { readonly text: string }
        | { readonly blob: string }
      )
    }

/** What a program offers, checked. */
export interface Offer {
  readonly resources: readonly OfferedResource[]
  readonly templates: readonly (OfferedResourceTemplate & {
    /** Of a normal address. */
    readonly pattern: AddressPattern
    /** Of an address without escapes. */
    readonly plainPattern: AddressPattern
  })[]
  readonly prompts: readonly OfferedPrompt[]
}

/** What is listed of each: all but functions, and what is ours. */
export const listed = (each: OfferedResource | OfferedResourceTemplate | OfferedPrompt): Record<string, unknown> => {
  const args = 'get' in each ? each.arguments : undefined
  return { ...saidOf(each), ...(args === undefined ? {} : { arguments: args.map(saidOf) }) }
}

const unsaid = new Set(['read', 'get', 'complete', 'permissions', 'pattern', 'plainPattern'])

const saidOf = (each: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(each).filter(([name]) => !unsaid.has(name)))

const completers = z.record(
  z.string(),
  z.custom<Completer>((value) => typeof value === 'function', 'must be a function'),
)
const permissions = z.array(z.string().min(1)).optional()
const ours = /^(?:countersign:|ui:\/\/countersign)/i

const functionOf = (answers: string) =>
  z.custom((value) => typeof value === 'function', `must be a function that answers ${answers}`)
const text = z.string().optional()
const meta = z.record(z.string(), z.unknown()).optional()

/** As MCP has them; its SDK's own schemas take longer to load than all else that a declaration needs. */
const named = {
  name: z.string().min(1),
  title: text,
  description: text,
  icons: z
    .array(
      z.looseObject({
        src: z.string(),
        mimeType: text,
        sizes: z.array(z.string()).optional(),
        theme: z.enum(['light', 'dark']).optional(),
      }),
    )
    .optional(),
  _meta: meta,
  permissions,
}
const content = {
  ...named,
  mimeType: text,
  annotations: z
    .looseObject({
      audience: z.array(z.enum(['user', 'assistant'])).optional(),
      priority: z.number().min(0).max(1).optional(),
      lastModified: z.iso.datetime({ offset: true }).optional(),
    })
    .optional(),
  read: functionOf('a text or bytes'),
}
const address = z
  .string()
  .regex(/^[a-z][a-z\d+.-]*:/i, 'must be a URI with a scheme of your own: "notes://plan"')
  .refine((uri) => !ours.test(uri), 'must not be an address of this library (countersign:)')
const resourceSchema = z.strictObject({ uri: address, ...content, size: z.number().optional() })
const templateSchema = z.strictObject({
  uriTemplate: address.refine(isTemplate, 'must be a template of RFC 6570 with a variable: "notes://{name}"'),
  ...content,
  complete: completers.optional(),
})
const promptSchema = z.strictObject({
  ...named,
  get: functionOf('a text or messages'),
  arguments: z
    .array(
      z.strictObject({
        name: z.string().min(1),
        title: text,
        description: text,
        required: z.boolean().optional(),
        complete: z
          .custom((value) => value === undefined || typeof value === 'function', 'must be a function')
          .optional(),
      }),
    )
    .optional(),
})

function isTemplate(text: string): boolean {
  try {
    return new UriTemplate(text).variableNames.length > 0 && new UriTemplate(unescaped(text)).variableNames.length > 0
  } catch {
    return false
  }
}

/** Checks what a program offers; every mistake says which one, and where in it. */
export function readOffer(
  resources: readonly (OfferedResource | OfferedResourceTemplate)[] = [],
  prompts: readonly OfferedPrompt[] = [],
): Result<Offer, { readonly message: string; readonly next: string }> {
  for (const [name, given] of Object.entries({ resources, prompts }))
    if (!Array.isArray(given)) return fail({ message: `${name} is ${typeof given}, not a list.`, next: 'Give a list.' })
  const problems = [
    ...resources.flatMap((each, at) =>
      problemsOf(`resources[${at}]`, each, isTemplateOf(each) ? templateSchema : resourceSchema),
    ),
    ...prompts.flatMap((each, at) => problemsOf(`prompts[${at}]`, each, promptSchema)),
  ]
  const [problem] = problems
  if (problem !== undefined) return fail({ message: `${problem}.`, next: 'Change it there; nothing was started.' })
  const taken = firstTwice(resources.map((each) => (isTemplateOf(each) ? each.uriTemplate : each.uri)))
  if (taken !== undefined)
    return fail({ message: `Two resources have the address ${taken}.`, next: 'Give one of them another.' })
  const named = firstTwice(prompts.map(({ name }) => name))
  if (named !== undefined) return fail({ message: `Two prompts are called ${named}.`, next: 'Rename one of them.' })
  return ok({
    resources: resources.filter((each): each is OfferedResource => !isTemplateOf(each)),
    templates: resources.filter(isTemplateOf).map((each) => ({
      ...each,
      ...(each.permissions === undefined ? {} : { permissions: each.permissions }),
      ...(each.complete === undefined ? {} : { complete: each.complete }),
      read: (address, ctx) => each.read(address, ctx),
      pattern: addressPattern(normalAddress(each.uriTemplate)),
      plainPattern: addressPattern(unescaped(each.uriTemplate)),
    })),
    prompts,
  })
}

const isTemplateOf = (each: OfferedResource | OfferedResourceTemplate): each is OfferedResourceTemplate =>
  typeof each === 'object' && each !== null && 'uriTemplate' in each

const firstTwice = (names: readonly string[]): string | undefined =>
  names.find((name, at) => names.indexOf(name) !== at)

/** What is listed of a definition, and what a class may have beside its own members. */
const asListed = (definition: object, known: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const names = ['read', 'get', 'complete', 'permissions'].filter((name) => name in known && name in definition)
  return { ...definition, ...Object.fromEntries(names.map((name) => [name, Reflect.get(definition, name)])) }
}

/** What is wrong with a definition, and which fields nobody knows. */
function problemsOf(
  where: string,
  definition: OfferedResource | OfferedResourceTemplate | OfferedPrompt,
  schema: z.ZodObject,
): readonly string[] {
  const isObject = typeof definition === 'object' && definition !== null
  const issues = schema.safeParse(isObject ? asListed(definition, schema.shape) : definition).error?.issues ?? []
  return issues.map((issue) => {
    const place = [where, ...issue.path]
    const [strange] = issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : []
    return strange === undefined
      ? `${place.join('.')}: ${issue.message}`
      : `${where}.${strange} is not known; there are ${Object.keys(schema.shape).join(', ')}`
  })
}
