// A host that still starts a server itself goes past every preview. So its file is made to start Countersign in place of
// the servers that the gateway now has, with all else in it as it was.
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { fail, ok, type Result } from '../../errors/result.ts'
import type { Format, KeyPath, Machine } from './host-kind.ts'
import { editHostText, readHostText, valueAt, type HostEdit } from './host-text.ts'
import type { ReadFile } from './import-hosts.ts'

/** A host's file as it is and as it is to be. */
export interface Pointed {
  readonly host: string
  readonly path: string
  readonly before: string
  readonly after: string
  /** Names of servers that the host still starts itself. */
  readonly left: readonly string[]
  /** Variables that its servers need and that it cannot hand on. */
  readonly unhanded: readonly string[]
  readonly format: Format
  readonly edit: HostEdit
}

/** The command that starts the gateway. `args` ends in `gateway --config FILE`. */
export interface GatewayStart {
  readonly command: string
  readonly args: readonly string[]
}

/** The file with the gateway in place of what was taken from it; `undefined` where there is nothing to change. */
export function pointAtGateway(
  { file, text, taken, left, own, handed }: ReadFile,
  machine: Machine,
  { command, args }: GatewayStart,
): Result<Pointed | undefined, string> {
  if (taken.length === 0) return ok(undefined)
  const around = (path: KeyPath): string => JSON.stringify(path.slice(0, -1))
  const used = new Set(taken.map(around))
  const at = file.kind.servers(machine).find((keys) => used.has(JSON.stringify(keys))) ?? taken[0]?.slice(0, -1) ?? []
  const here = own.filter((entry) => around(entry.at) === JSON.stringify(at))
  // Whichever Node starts it from where: the same gateway file is the same gateway.
  const isThere = here.some(({ words, isOff }) => !isOff && isDeepStrictEqual(words.slice(-3), args.slice(-3)))
  const names = here.map((entry) => entry.at.at(-1))
  let name = 'countersign'
  for (let count = 2; names.includes(name); count++) name = `countersign-${count}`
  // What its servers had from the host, the gateway has from it now, and they from the gateway.
  const named = [...handed].map(
    ([variable, written]) => [variable, written || file.kind.reference?.(variable)] as const,
  )
  const env = Object.fromEntries(named.filter((pair): pair is [string, string] => pair[1] !== undefined))
  const unhanded = named.flatMap(([variable, written]) => (written === undefined ? [variable] : []))
  const value = file.kind.entry({ command, args, env })
  const edit: HostEdit = { remove: taken, ...(isThere ? {} : { set: { at: [...at, name], value } }) }
  const { format } = file.kind
  const edited = editHostText(format, text, edit)
  if (!edited.ok) return fail(`${file.path} ${edited.failure}`)
  const { host, path } = file
  return ok({
    host,
    path,
    before: text,
    after: edited.value,
    left,
    unhanded,
    format,
    edit,
  })
}

/**
 * A file that was changed since, with its servers where they were and the gateway gone; all else as it is now. Fails where
 * what was written, or what it would write over, is no longer as it was left.
 */
export function withServersBack(
  now: string,
  before: string,
  { format, remove, set }: Pick<WrittenBack, 'format' | 'remove' | 'set'>,
): Result<string, string> {
  const [held, old] = [readHostText(format, now), readHostText(format, before)]
  if (!held.ok || !old.ok) return fail('can no longer be read')
  if (set !== undefined && !isDeepStrictEqual(structuredClone(valueAt(held.value, set.at)), set.value))
    return fail('no longer starts the gateway as it was told to')
  const taken = remove.find((at) => valueAt(held.value, at) !== undefined)
  if (taken !== undefined) return fail(`has ${taken.at(-1) ?? ''} again`)
  let text: Result<string, string> = ok(now)
  for (const at of remove) {
    const value = valueAt(old.value, at)
    const server = typeof value === 'object' && value !== null ? { ...value } : {}
    if (text.ok) text = editHostText(format, text.value, { remove: [], set: { at, value: server } })
  }
  return text.ok && set !== undefined ? editHostText(format, text.value, { remove: [set.at] }) : text
}

/** What was written into hosts' files, so that it can be taken back: the newest last. Digests are SHA-256. */
export const recordSchema = z.strictObject({
  version: z.literal(1),
  files: z.array(
    z.strictObject({
      path: z.string(),
      backup: z.string(),
      before: z.string(),
      after: z.string(),
      at: z.string(),
      format: z.enum(['json', 'toml', 'yaml']),
      /** The edit, of which the file itself is asked where it has changed since. */
      remove: z.array(z.array(z.string())),
      set: z.strictObject({ at: z.array(z.string()), value: z.record(z.string(), z.unknown()) }).optional(),
    }),
  ),
})

export type WriteBackRecord = z.output<typeof recordSchema>
export type WrittenBack = WriteBackRecord['files'][number]
