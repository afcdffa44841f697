// A server's list of tools, page by page. It is asked before many calls and seldom says anything new, and reading it is most
// of what that costs: so what says the same as before is not read again.
import { hash } from 'node:crypto'
import { z } from 'zod'
import { readDefinition, type ToolDefinition } from '../definitions/definition.ts'
import type { WhyNotListed } from './wire/wire.ts'

export interface ToolList {
  readonly tools: readonly ToolDefinition[]
  /** Tools that were left out, and why. */
  readonly problems: readonly string[]
}

export const noTools: ToolList = { tools: [], problems: [] }

type Ask = (
  method: string,
  params: Readonly<Record<string, unknown>>,
  settings: { readonly timeoutMs: number },
) => Promise<unknown>

/** Answers how to ask for the list of one connection: the very list of before where it says the same. */
export function createToolLists(ask: Ask, clean: (answer: unknown) => unknown, whyNotListed?: WhyNotListed) {
  let last: { readonly answer: unknown; readonly digest: string | undefined; readonly list: ToolList } | undefined

  return async (timeoutMs: number): Promise<ToolList> => {
    const answer = await ask('tools/list', {}, { timeoutMs })
    // Over stdio the same answer is the same object (`repeated-lists.ts`); otherwise its text tells.
    if (last !== undefined && answer === last.answer) return last.list
    const pages = await listPages(clean(answer), async (cursor) =>
      clean(await ask('tools/list', { cursor }, { timeoutMs })),
    )
    const digest = digestOf(pages)
    const list =
      last !== undefined && digest !== undefined && digest === last.digest ? last.list : readTools(pages, whyNotListed)
    last = { answer: pages.count === 1 ? answer : undefined, digest, list }
    return list
  }
}

const page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })

const pageLimit = 1000

interface Pages {
  /** The entries of all pages, as they came. */
  readonly entries: readonly unknown[]
  readonly count: number
  /** Whether the list went on after the last page that was asked for. */
  readonly endless: boolean
}

/** Nothing where one entry is nested too deeply to be written; the others are read all the same. */
function digestOf(pages: Pages): string | undefined {
  try {
    return hash('sha256', JSON.stringify(pages))
  } catch {
    return undefined
  }
}

/** Follows the pages to the end; a server that never ends its list is cut off. */
async function listPages(first: unknown, next: (cursor: string) => Promise<unknown>): Promise<Pages> {
  const entries: unknown[] = []
  let answer = page.parse(first)
  let cursor: string | undefined
  for (let count = 1; ; count++) {
    entries.push(...answer.tools)
    if (answer.nextCursor === undefined || answer.nextCursor === cursor) return { entries, count, endless: false }
    if (count === pageLimit) return { entries, count, endless: true }
    cursor = answer.nextCursor
    answer = page.parse(await next(cursor))
  }
}

/** The definitions among the entries; what cannot be served is left out with the reason. */
function readTools({ entries, endless }: Pages, whyNotListed: WhyNotListed = () => undefined): ToolList {
  const tools = new Map<string, ToolDefinition>()
  const problems: string[] = []
  for (const raw of entries) {
    const read = readDefinition(raw)
    const why = read.ok ? whyNotListed(read.value) : undefined
    if (!read.ok) problems.push(read.failure)
    else if (why !== undefined) problems.push(`"${read.value.name}": ${why}`)
    else if (tools.has(read.value.name)) problems.push(`"${read.value.name}": is listed twice; the first one counts`)
    else tools.set(read.value.name, read.value)
  }
  if (endless) problems.push(`the list does not end; what came after ${pageLimit} pages is left out`)
  return { tools: [...tools.values()], problems }
}
