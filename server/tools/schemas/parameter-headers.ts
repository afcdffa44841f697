// Over HTTP a tool may want some of its arguments in headers, too, for what stands between client and server (`x-mcp-header`: MCP
// 2026-07-28, "Custom Headers from Tool Parameters"). Clients leave out tools that ask for it against the rules and send the
// headers that others ask for; servers refuse a call whose headers say something else than its arguments.
import { z } from 'zod'
import { fail, ok, type Result } from '../../errors/result.ts'
import { isSchema, type Schema } from './json-schema.ts'
import { mapSubSchemas, subSchemas } from './sub-schemas.ts'

const keyword = 'x-mcp-header'
const prefix = 'Mcp-Param-'

/** An argument that is said in a header as well. */
export interface ParameterHeader {
  /** After `Mcp-Param-`. */
  readonly name: string
  /** The names of properties that lead to it. */
  readonly path: readonly string[]
  readonly isInteger: boolean
}

/** The token of RFC 9110, section 5.6.2. */
const token = z.string().regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/)

/** Names that lead to an argument with a header of its own; no honest tool needs as many. */
const deepest = 64

/** The names that lead to a property, from the last one up. They are put together where a header is found, and only there. */
interface Step {
  readonly name: string
  readonly depth: number
  readonly before: Step | undefined
}

function pathTo(last: Step): readonly string[] {
  const path: string[] = []
  for (let step: Step | undefined = last; step !== undefined; step = step.before) path.push(step.name)
  return path.toReversed()
}

const mirrored: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])

/** The headers that a tool wants, or what is wrong with how it asks for them. */
export function parameterHeaders(inputSchema: Schema): Result<readonly ParameterHeader[], string> {
  const declared: ParameterHeader[] = []
  const names = new Set<string>()
  // `at` is nothing for all arguments together; `isArgument` is false below what may or may not hold for them.
  const left: [schema: Schema, at: Step | undefined, isArgument: boolean][] = [[inputSchema, undefined, true]]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [schema, at, isArgument] = next
    if (keyword in schema) {
      if (at === undefined || !isArgument)
        return fail(`it has ${keyword} where only properties of the arguments may have it`)
      if (at.depth > deepest) return fail(`it has ${keyword} deeper than ${deepest} levels`)
      const path = pathTo(at)
      const place = JSON.stringify(path.join('.').slice(0, 100))
      const name = token.safeParse(schema[keyword])
      if (!name.success) return fail(`the ${keyword} of its argument ${place} is no name of a header`)
      if (!mirrored.has(schema['type']))
        return fail(`its argument ${place} has ${keyword} and is neither a string, an integer nor a boolean`)
      if (names.has(name.data.toLowerCase())) return fail(`two of its arguments want the header ${name.data}`)
      names.add(name.data.toLowerCase())
      declared.push({ name: name.data, path, isInteger: schema['type'] === 'integer' })
    }
    const { properties } = schema
    const own = isSchema(properties) ? Object.entries(properties) : []
    const reached = new Set(own.map(([, inside]) => inside))
    for (const [name, inside] of own)
      if (isSchema(inside)) left.push([inside, { name, depth: (at?.depth ?? 0) + 1, before: at }, isArgument])
    for (const [inside] of subSchemas(schema)) if (!reached.has(inside)) left.push([inside, undefined, false])
  }
  return ok(declared)
}

/** What an argument says in a header; nothing where it is not given, or is no value of one. */
function said({ path }: ParameterHeader, args: unknown): string | undefined {
  const value = path.reduce<unknown>(
    (held, step) => (isSchema(held) && Object.hasOwn(held, step) ? held[step] : undefined),
    args,
  )
  const isSaid = typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value)
  return isSaid ? String(value) : undefined
}

/** The headers of a call with these arguments. */
export function headersOf(declared: readonly ParameterHeader[], args: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    declared.flatMap((header) => {
      const value = said(header, args)
      return value === undefined ? [] : [[`${prefix}${header.name}`, encoded(value)]]
    }),
  )
}

/** In what way the headers of a call say something else than its arguments; nothing where they agree. */
export function headerMismatch(
  declared: readonly ParameterHeader[],
  args: unknown,
  headers: Pick<Headers, 'get'>,
): string | undefined {
  for (const header of declared) {
    const value = said(header, args)
    if (value === undefined) continue
    const name = `${prefix}${header.name}`
    const given = headers.get(name)
    const place = JSON.stringify(header.path.join('.'))
    if (given === null) return `the argument ${place} is given, and the header ${name} is missing`
    const read = decoded(given)
    if (read === undefined) return `the header ${name} is not in Base64`
    if (read !== value && !(header.isInteger && isSameInteger(read, value)))
      return `the header ${name} says something else than the argument ${place}`
  }
  return undefined
}

/** 42.0 is 42. */
const isSameInteger = (one: string, other: string): boolean =>
  /^-?\d{1,16}(?:\.0{1,16})?$/.test(one) && Number(one) === Number(other)

const base64 = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/

/** As it is where HTTP hands it on unchanged, else in Base64 ("Value Encoding"). */
function encoded(value: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value)
  return isPlain && !/^=\?base64\?.*\?=$/.test(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`
}

function decoded(value: string): string | undefined {
  if (!value.startsWith('=?base64?') || !value.endsWith('?=')) return value
  const inside = base64.exec(value)?.[1]
  if (inside === undefined) return undefined
  const bytes = Buffer.from(inside, 'base64')
  return bytes.toString('base64') === inside ? bytes.toString('utf8') : undefined
}

/** The schema without a word of headers: what one server wants in them is nothing to clients of another one. */
export const withoutParameterHeaders = (schema: Schema): Schema =>
  JSON.stringify(schema).includes(`"${keyword}"`) ? without(schema) : schema

function without(schema: Schema): Schema {
  const { [keyword]: _, ...kept } = schema
  return mapSubSchemas(kept, (inside) => (isSchema(inside) ? without(inside) : inside))
}
