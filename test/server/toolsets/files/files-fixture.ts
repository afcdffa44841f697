// What the tests of files share: the toolset on a real store with a clock that the test moves, asked as the engine asks it
// (parse, basis, preview, run) and as the web door does.
import { onTestFinished } from 'vitest'
import { recordingOf } from '../../../../server/compose/toolsets.ts'
import { join } from 'node:path'
import type { Principal } from '../../../../server/model/principal.ts'
import type { RunContext, ToolFailed, ToolStale, WriteContract } from '../../../../server/tools/contract.ts'
import { files, type FilesOptions } from '../../../../server/toolsets/files/files.ts'
import type { FilesDatabase } from '../../../../server/toolsets/files/tables.ts'
import type { ToolsetRoute } from '../../../../server/toolsets/toolset.ts'
import { createClock } from '../../../kit/clock.ts'
import { opened, place } from '../../store/store-fixture.ts'

export const ada: Principal = { tenant: 'default', subject: 'ada' }
export const eve: Principal = { tenant: 'elsewhere', subject: 'eve' }

const web = 'https://files.example'

export interface Uploaded {
  readonly fileId: string
  readonly name: string
  readonly type: string
  readonly bytes: number
  readonly sha256: string
  readonly version: number
  readonly warning?: string
}

export interface Link {
  readonly linkId: string
  readonly url: string
  readonly expiresAt: string
  readonly version: number
  readonly repeated: boolean
}

export type Shelf = Awaited<ReturnType<typeof openShelf>>

let keys = 0

/** A toolset that ends with its test. `door`: whether a web door is open. */
export async function openShelf(options: FilesOptions & { readonly door?: boolean } = {}) {
  const clock = createClock()
  const store = await opened({ file: ':memory:', now: clock.now })
  const folder = options.folder ?? join(place(), 'files')
  const reported: unknown[] = []
  const open = async () => {
    const set = await files({ ...options, folder })({
      db: store.db,
      recording: recordingOf(store),
      now: store.now,
      deriveKey: (purpose) => store.deriveKey(purpose),
      report: (error) => {
        reported.push(error)
        return 'in_test'
      },
      publicUrl: () => (options.door === false ? undefined : web),
      folder: () => folder,
      secretsIn: () => [],
      redact: (text) => text,
      files: () => undefined,
    })
    let closed = false
    const close = async (): Promise<void> => {
      if (!closed) await set.close?.()
      closed = true
    }
    onTestFinished(close)
    return { ...set, close }
  }
  const set = await open()

  const find = (name: string) => {
    const tool = set.tools.find((each) => each.name === name)
    if (tool === undefined) throw new Error(`there is no ${name}`)
    return tool
  }
  const write = (name: string): WriteContract => {
    const tool = find(name)
    if (tool.operation === 'read') throw new Error(`${name} only reads`)
    return tool
  }
  const contextOf = (name: string, principal: Principal): RunContext => ({
    principal,
    rationale: 'The test asks for it.',
    now: store.now,
    signal: new AbortController().signal,
    cancelled: new AbortController().signal,
    progress: () => undefined,
    meta: {},
    guidance: { errors: true, budget: true },
    conclude: () => undefined,
    audit: () => Promise.resolve(),
    fail: (code, message, more = {}): ToolFailed => {
      if (!(code in find(name).failures)) throw new Error(`${name} does not declare ${code}`)
      return { kind: 'tool-failed', code, message, ...more }
    },
    idempotencyKey: `pl_test_${(keys += 1)}`,
    basis: undefined,
    stale: (): ToolStale => ({ kind: 'tool-stale' }),
  })
  const basis = async (name: string, input: object, as = ada) => {
    const contract = write(name)
    const found = await contract.basis?.(contract.input.parse(input), contextOf(name, as))
    if (typeof found !== 'string') throw new Error(JSON.stringify(found))
    return found
  }
  const run = async (name: string, input: object, change: Partial<RunContext> = {}, as = ada): Promise<unknown> => {
    const contract = write(name)
    return contract.run(contract.input.parse(input), { ...contextOf(name, as), ...change })
  }
  const route = (path: string): ToolsetRoute => {
    const found = set.routes?.find((each) => path === each.path || path.startsWith(`${each.path}/`))
    if (found === undefined) throw new Error(`nothing is at ${path}`)
    return found
  }
  const ask = (request: Request, as: Principal, missing: readonly string[] = [], address = '192.0.2.1') => {
    const at = route(new URL(request.url).pathname)
    return at.open === 'anyone'
      ? at.handle(request, { address })
      : at.handle(request, { principal: as, missing: (asked) => asked.filter((each) => missing.includes(each)) })
  }
  const send = async (name: string, bytes: Uint8Array<ArrayBuffer> | string, as = ada, missing?: readonly string[]) => {
    const body = new FormData()
    body.append('file', new File([bytes], name), name)
    return ask(new Request(`${web}/api/v1/files`, { method: 'POST', body }), as, missing)
  }
  return {
    clock,
    folder,
    reported,
    db: store.db as unknown as FilesDatabase,
    source: set.files,
    /** The same toolset once more, as another process has it. */
    open,
    close: set.close,
    ask: (request: Request, address?: string) => ask(request, ada, [], address),
    send,
    /** Uploads, and answers the row of the file. */
    upload: async (name: string, bytes: Uint8Array<ArrayBuffer> | string, as = ada): Promise<Uploaded> => {
      const answer = await send(name, bytes, as)
      if (answer.status !== 201) throw new Error(await answer.text())
      return ((await answer.json()) as { file: Uploaded }).file
    },
    read: async <T = unknown>(name: string, input: object, as = ada): Promise<T> => {
      const contract = find(name)
      if (contract.operation !== 'read') throw new Error(`${name} writes`)
      return (await contract.run(contract.input.parse(input), contextOf(name, as))) as T
    },
    preview: async (name: string, input: object, as = ada) => {
      const contract = write(name)
      return contract.preview(contract.input.parse(input), contextOf(name, as))
    },
    basis,
    run,
    /** Basis and run, as a confirmed call goes. */
    apply: async <T = unknown>(name: string, input: object, as = ada): Promise<T> =>
      (await run(name, input, { basis: await basis(name, input, as) }, as)) as T,
    reconcile: async (name: string, input: object, idempotencyKey: string) => {
      const contract = write(name)
      return contract.reconcile?.(contract.input.parse(input), { ...contextOf(name, ada), idempotencyKey })
    },
    get: (url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET', address?: string) =>
      ask(new Request(url, { headers, method }), ada, [], address),
    /** So many hours from now. */
    inHours: (hours: number): string => new Date(clock.now() + hours * 3_600_000).toISOString(),
  }
}
