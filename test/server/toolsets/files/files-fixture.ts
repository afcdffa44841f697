// What the tests of files share: the toolset on a real store with a clock that the test moves, asked as the engine asks it
// (parse, basis, preview, run) and as the web door does.
import { onTestFinished } from 'vitest'
import { join } from 'node:path'
import { recordingOf } from '../../../../server/compose/toolsets.ts'
import type { Principal } from '../../../../server/model/principal.ts'
import { files, type FilesOptions } from '../../../../server/toolsets/files/files.ts'
import type { FilesDatabase } from '../../../../server/toolsets/files/tables.ts'
import type { Recording, ToolsetRoute } from '../../../../server/toolsets/toolset.ts'
import { createClock, type Clock } from '../../../kit/clock.ts'
import { ada, callsOf, partsOf } from '../../../kit/toolset.ts'
import { opened, place } from '../../store/store-fixture.ts'

export { ada } from '../../../kit/toolset.ts'
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

/** `door`: whether a web door is open. */
interface ShelfOptions extends FilesOptions {
  readonly door?: boolean
  readonly clock?: Clock
  /** What happens just before something is put on record. */
  readonly beforeRecord?: () => Promise<unknown>
}

/** A toolset that ends with its test. */
export async function openShelf({
  door = true,
  clock = createClock(),
  beforeRecord = () => Promise.resolve(),
  ...options
}: ShelfOptions = {}) {
  const store = await opened({ file: ':memory:', now: clock.now })
  const folder = options.folder ?? join(place(), 'files')
  const reported: unknown[] = []
  const recorded = recordingOf(store)
  const recording: Recording = async (work) => {
    await beforeRecord()
    return recorded(work)
  }
  /** Opens it, once more as another process has it. */
  const open = async (more: FilesOptions = {}) => {
    const set = await files({ ...options, folder, ...more })(
      partsOf(store, {
        recording,
        report: (error) => `in_${reported.push(error)}`,
        publicUrl: () => (door ? web : undefined),
        folder: () => folder,
      }),
    )
    let closed = false
    const close = async (): Promise<void> => {
      if (!closed) await set.close?.()
      closed = true
    }
    onTestFinished(close)
    return { ...set, close, calls: callsOf(set.tools, store.now) }
  }
  const set = await open()
  const { calls } = set

  const basis = async (name: string, input: object, as = ada) => {
    const found = await calls.basis(name, input, as)
    if (typeof found !== 'string') throw new Error(JSON.stringify(found))
    return found
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
    recording,
    activity: store.activity,
    source: set.files,
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
    ...calls,
    read: async <T = unknown>(name: string, input: object, as = ada) => (await calls.read(name, input, as)) as T,
    basis,
    /** Basis and run, as a confirmed call goes. */
    apply: async <T = unknown>(name: string, input: object, as = ada) =>
      (await calls.run(name, input, { basis: await basis(name, input, as) }, as)) as T,
    get: (url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET', address?: string) =>
      ask(new Request(url, { headers, method }), ada, [], address),
    /** So many hours from now. */
    inHours: (hours: number): string => new Date(clock.now() + hours * 3_600_000).toISOString(),
  }
}
