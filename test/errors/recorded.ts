// Errors that real servers gave to calls that they had to refuse, recorded once (recorded/readme.md), and what each of them is:
// the class was written by hand, before any rule saw it.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'

/** Where the recorded errors lie. */
export const recordedFolder = join(import.meta.dirname, 'recorded')

const recordedError = z.strictObject({
  tool: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()),
  /** The server did not say of this answer that it is an error. */
  unmarked: z.boolean().optional(),
  /** Of a JSON-RPC error. */
  code: z.int().optional(),
  text: z.string().max(4000),
  structured: z.unknown().optional(),
  /** What it is, by hand; several where either is right, and `upstream_error` where nobody could say more. */
  class: z.union([z.string(), z.array(z.string()).min(1)]),
})

export type RecordedError = z.output<typeof recordedError>

const recordedServer = z.strictObject({
  /** The release that was started. */
  source: z.string().regex(/^(?:npm|pypi):(?:@[\w.-]+\/)?[\w.-]+@\d+\.\d+\S*$/),
  recorded: z.iso.date(),
  /** Rules were written with these in sight; those of the others were not looked at before they were measured. */
  tuned: z.boolean().optional(),
  errors: z.array(recordedError).min(1),
})

/** Every server, by name. */
export const recordedErrors = (): ReadonlyMap<string, z.output<typeof recordedServer>> =>
  new Map(
    readdirSync(recordedFolder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => [
        basename(name, '.json'),
        recordedServer.parse(JSON.parse(readFileSync(join(recordedFolder, name), 'utf8'))),
      ]),
  )
