// Profiles are written for servers that most machines cannot start: they want accounts, clusters, other systems. What such
// a server lists was recorded once (recorded/readme.md), and is read here.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'

/** Where the recorded lists lie. */
export const recordedFolder = join(import.meta.dirname, 'recorded')

/** One tool, as its server lists it: prose is cut, icons and `_meta` are left out. */
const recordedTool = z.strictObject({
  name: z.string().min(1),
  title: z.string().optional(),
  description: z.string().max(300).optional(),
  inputSchema: z.looseObject({ type: z.literal('object').optional() }),
  /** Whether the tool has one; absent where its server was not started. */
  outputSchema: z.boolean().optional(),
  annotations: z
    .strictObject({
      title: z.string().optional(),
      readOnlyHint: z.boolean().optional(),
      destructiveHint: z.boolean().optional(),
      idempotentHint: z.boolean().optional(),
      openWorldHint: z.boolean().optional(),
    })
    .optional(),
})

/** What one server lists. */
const recordedServer = z.strictObject({
  /** The release that was started, or the file that its tools were read from. */
  source: z
    .string()
    .regex(/^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+\S*|github:[\w.-]+\/[\w.-]+@[0-9a-f]{40}:\S+)$/),
  recorded: z.iso.date(),
  /** As it answered `initialize`; absent where it was not started. */
  serverInfo: z.strictObject({ name: z.string(), version: z.string() }).optional(),
  instructions: z.string().max(400).optional(),
  tools: z.array(recordedTool).min(1),
})

/** What one server lists. */
export type RecordedServer = z.infer<typeof recordedServer>

/** Names of all servers that there is a list of. */
export const recordedNames: readonly string[] = readdirSync(recordedFolder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => basename(file, '.json'))
  .toSorted()

/** What the server of that name lists. */
export const readRecorded = (name: string): RecordedServer =>
  recordedServer.parse(JSON.parse(readFileSync(join(recordedFolder, `${name}.json`), 'utf8')))
