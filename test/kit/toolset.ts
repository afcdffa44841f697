// A toolset without a server: what it is given when it opens, and its tools called as the engine calls them (parse, basis,
// preview, run). Its `fail` refuses a code that the contract does not declare, so no test can meet one unnoticed.
import { recordingOf } from '../../server/compose/toolsets.ts'
import type { Principal } from '../../server/model/principal.ts'
import { findSecrets } from '../../server/policy/find-secrets.ts'
import { redactText } from '../../server/policy/redact.ts'
import type { Store } from '../../server/store/store.ts'
import type { CardList } from '../../server/tools/card-reads.ts'
import type {
  Contract,
  Preview,
  RunContext,
  ToolContext,
  ToolFailed,
  ToolStale,
  WriteContract,
} from '../../server/tools/contract.ts'
import type { ToolsetParts } from '../../server/toolsets/toolset.ts'
import { parsed as parsedBy } from './schemas.ts'

const say = (): void => undefined
const silent = { error: say, warn: say, info: say, debug: say }

export const ada: Principal = { tenant: 'default', subject: 'ada' }

/** What the server of this store would give a toolset; it has no web door, and other toolsets have no files. */
export const partsOf = (store: Store, more: Partial<ToolsetParts> = {}): ToolsetParts => ({
  db: store.db,
  recording: recordingOf(store),
  now: store.now,
  deriveKey: (purpose) => store.deriveKey(purpose),
  report: () => 'in_test',
  publicUrl: () => undefined,
  folder: () => undefined,
  secretsIn: findSecrets,
  redact: redactText,
  files: () => undefined,
  ...more,
})

let keys = 0

/** Calls of these tools. Each is of `ada` where no other caller is named, and each run has a key of its own. */
export function callsOf(tools: readonly Contract[], now: () => number) {
  const tool = (name: string): Contract => {
    const found = tools.find((each) => each.name === name)
    if (found === undefined) throw new Error(`there is no ${name}`)
    return found
  }
  const write = (name: string): WriteContract => {
    const found = tool(name)
    if (found.operation === 'read') throw new Error(`${name} only reads`)
    return found
  }
  const context = (name: string, principal: Principal, language = 'en'): ToolContext => ({
    principal,
    rationale: 'The test asks for it.',
    now,
    signal: new AbortController().signal,
    progress: () => undefined,
    meta: {},
    language,
    request: undefined,
    locales: [language],
    log: silent,
    guidance: { errors: true, budget: true },
    conclude: () => undefined,
    audit: () => Promise.resolve(),
    fail: (code, message, more = {}): ToolFailed => {
      if (!(code in tool(name).failures)) throw new Error(`${name} does not declare ${code}`)
      return { kind: 'tool-failed', code, message, ...more }
    },
  })
  const listOf = (name: string, list: string): CardList => {
    const found = write(name).lists?.[list]
    if (found === undefined) throw new Error(`${name} has no list ${list}`)
    return found
  }
  const parsed = (name: string, input: unknown): unknown => parsedBy(tool(name).input, input)
  const basis = async (name: string, input: unknown, as = ada): Promise<string | ToolFailed> =>
    (await write(name).basis?.(parsed(name, input), context(name, as))) ?? ''
  /** Runs it; `change` is what the engine would tell: the basis that was confirmed, the key of the call. */
  const run = async (name: string, input: unknown, change: Partial<RunContext> = {}, as = ada): Promise<unknown> =>
    write(name).run(parsed(name, input), {
      ...context(name, as),
      idempotencyKey: `pl_test_${(keys += 1)}`,
      cancelled: new AbortController().signal,
      basis: undefined,
      stale: (): ToolStale => ({ kind: 'tool-stale' }),
      ...change,
    })
  return {
    tool,
    write,
    basis,
    run,
    /** Basis and run in one go, as a confirmed call goes; the failure of the one, or what the other answers. */
    apply: async (name: string, input: unknown, change: Partial<RunContext> = {}, as = ada): Promise<unknown> => {
      const found = await basis(name, input, as)
      return typeof found === 'string' ? run(name, input, { basis: found, ...change }, as) : found
    },
    preview: async (name: string, input: unknown, as = ada, language = 'en'): Promise<Preview | ToolFailed> =>
      write(name).preview(parsed(name, input), context(name, as, language)),
    read: async (name: string, input: unknown, as = ada): Promise<unknown> => {
      const contract = tool(name)
      if (contract.operation !== 'read') throw new Error(`${name} writes`)
      return contract.run(parsed(name, input), context(name, as))
    },
    /** A page of a list of its card. */
    listPage: async (name: string, list: string, input: unknown, at: { readonly after?: string; limit: number }) =>
      listOf(name, list).page(parsed(name, input), context(name, ada), at),
    /** A row of it, in full. */
    listItem: async (name: string, list: string, input: unknown, key: string) =>
      listOf(name, list).open?.(parsed(name, input), context(name, ada), key),
    /** How what a call began goes on. */
    follow: async (name: string, input: unknown, output: unknown, as = ada) =>
      write(name).follow?.(parsed(name, input), output, context(name, as)),
    reconcile: async (name: string, input: unknown, idempotencyKey: string) =>
      write(name).reconcile?.(parsed(name, input), { ...context(name, ada), idempotencyKey }),
  }
}

/** The failure that a call answered. */
export function failed(answer: unknown): ToolFailed {
  if (typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === 'tool-failed')
    return answer as ToolFailed
  throw new Error(`expected a failure, got ${JSON.stringify(answer)}`)
}

/** The preview that a call answered. */
export function shown(answer: Preview | ToolFailed): Preview {
  if ('kind' in answer) throw new Error(`expected a preview, got ${answer.code}: ${answer.message}`)
  return answer
}
