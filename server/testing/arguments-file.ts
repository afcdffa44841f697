// Arguments of a check from a file: a list in JSON, or a module that makes them. Somebody wrote it by hand, so what is wrong with
// it is said with its place and what to write there.
import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { fail, ok, type Result } from '../errors/result.ts'
import type { Arguments } from './arguments.ts'
import type { CheckedCall, MakeArguments } from './checked-calls.ts'

interface Trouble {
  readonly message: string
  readonly next: string
}

const anObject = 'the arguments of a call, as an object'
const oneSchema = z.record(z.string(), z.unknown(), anObject)
const manySchema = z.array(oneSchema, 'a list of objects').min(1, 'at least one object')
const perToolSchema = z.record(z.string(), z.union([manySchema, oneSchema], `${anObject}, or a list of those`))

/** The function that a module exports. */
const moduleSchema = z.custom<(...journey: unknown[]) => unknown>((value) => typeof value === 'function')

/** The calls that a file names, or makes arguments for. `tools` are those that were named beside it. */
export async function readArgumentsFile(
  file: string,
  tools: readonly string[] | undefined,
): Promise<Result<readonly CheckedCall[], Trouble>> {
  const isModule = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts'].includes(extname(file))
  return isModule ? fromModule(file, tools) : fromJson(file, tools)
}

async function fromJson(
  file: string,
  tools: readonly string[] | undefined,
): Promise<Result<readonly CheckedCall[], Trouble>> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined)
    return fail({ message: `There is no file ${resolve(file)} that can be read.`, next: 'Correct --args-file.' })
  const json = parsedJson(text)
  if (!json.ok) return fail({ message: `${file} is not JSON: ${json.failure}.`, next: form })
  if (Array.isArray(json.value)) return forTools(file, manySchema.safeParse(json.value), tools)
  const parsed = perToolSchema.safeParse(json.value)
  if (!parsed.success)
    // The arguments of one call are what is written first.
    return fail(
      tools?.length === 1 &&
        oneSchema.safeParse(json.value).success &&
        !Object.hasOwn(json.value as object, tools[0] ?? '')
        ? { message: `${file} has what looks like the arguments of one call.`, next: 'Put them into a list: [{ … }].' }
        : wrong(file, parsed.error),
    )
  const named = Object.keys(parsed.data)
  if (named.length === 0) return fail({ message: `${file} names no tool.`, next: form })
  const missing = tools?.find((tool) => !named.includes(tool))
  if (missing !== undefined)
    return fail({
      message: `${file} has no arguments for ${missing}.`,
      next: `It has some for: ${named.join(', ')}. Add "${missing}": [{ … }], or leave out --tool.`,
    })
  return ok((tools ?? named).map((tool) => ({ tool, args: oneAfterAnother(parsed.data[tool] ?? {}) })))
}

const form =
  'Write a list of arguments ([{"id":"1"},{"id":"2"}]), or an object with such a list for each tool ({"notes_write":[…]}).'

function parsedJson(text: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(text))
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

function forTools(
  file: string,
  parsed: z.ZodSafeParseResult<readonly Arguments[]>,
  tools: readonly string[] | undefined,
): Result<readonly CheckedCall[], Trouble> {
  if (!parsed.success) return fail(wrong(file, parsed.error))
  const [tool, ...others] = tools ?? []
  if (tool === undefined || others.length > 0)
    return fail({
      message: `${file} has arguments of one tool, and ${tool === undefined ? 'no tool is named' : 'several are'}.`,
      next: 'Name the one with --tool, or write an object with a list for each tool.',
    })
  return ok([{ tool, args: oneAfterAnother(parsed.data) }])
}

/** A list is used from its beginning to its end, and then again. */
const oneAfterAnother = (given: Arguments | readonly Arguments[]): NonNullable<CheckedCall['args']> => {
  if (!isList(given)) return given
  return ({ n }) => given[n % given.length] ?? {}
}

const isList = (given: Arguments | readonly Arguments[]): given is readonly Arguments[] => Array.isArray(given)

async function fromModule(
  file: string,
  tools: readonly string[] | undefined,
): Promise<Result<readonly CheckedCall[], Trouble>> {
  if (tools === undefined)
    return fail({ message: `${file} makes arguments, and no tool is named.`, next: 'Name the tools with --tool.' })
  const loaded = await load(file)
  if (!loaded.ok) return loaded
  const made = moduleSchema.safeParse(loaded.value['default'] ?? loaded.value['args'])
  if (!made.success)
    return fail({
      message: `${file} exports no function.`,
      next: 'Let it `export default (journey, host, n, tool) => ({ … })`: the arguments of one call.',
    })
  const makes: MakeArguments = ({ journey, host, n, tool }) => made.data(journey, host, n, tool) as Arguments
  return ok(tools.map((tool) => ({ tool, args: makes })))
}

async function load(file: string): Promise<Result<Readonly<Record<string, unknown>>, Trouble>> {
  try {
    return ok((await import(/* @vite-ignore */ pathToFileURL(resolve(file)).href)) as Record<string, unknown>)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return fail({ message: `${file} could not be loaded: ${message}.`, next: 'Correct --args-file, or the module.' })
  }
}

/** Where it is wrong, and what is wanted there. */
function wrong(file: string, { issues }: z.ZodError): Trouble {
  const [issue] = issues
  const at = (issue?.path ?? []).map(String).join('.')
  return {
    message: `${file} is wrong${at === '' ? '' : ` at ${at}`}: there must be ${issue?.message ?? anObject}.`,
    next: form,
  }
}
