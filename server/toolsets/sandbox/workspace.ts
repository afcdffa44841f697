// The files of a session: looked at, read, thrown away. They leave it only through `export_workspace_file`.
import { z } from 'zod'
import type { FileInfo, Sandbox, WorkspaceContent } from '../../sandbox/sandbox.ts'
import type { Contract } from '../../tools/contract.ts'
import { defineTool } from '../../tools/define-tool.ts'
import { answered, filePath, mostListed, refusals, sessionId } from './shapes.ts'
import { languages, wordsIn } from './words.ts'
import { descriptionOf, type DescriptionLength } from './descriptions.ts'

const { no_such_session, no_such_file, invalid_path } = refusals
const fileOut = z.strictObject({ path: z.string(), bytes: z.int() })
const omitted = z.int().optional().describe('How many more there are, where not all are named.')
const files = z.strictObject({ files: z.array(fileOut), omitted })

/** `get_workspace_info`, `read_workspace_file`, `reset_workspace`. */
export const workspaceTools = (sandbox: Sandbox, length: DescriptionLength): readonly Contract[] => [
  defineTool({
    name: 'get.workspace_info',
    title: 'List files of a workspace',
    description: descriptionOf(
      length,
      'Lists the files of a session’s workspace with their sizes.',
      `An answer names ${mostListed}; where \`omitted\` says that there are more, call again with \`after\`.`,
    ),
    category: 'sandbox',
    operation: 'read',
    risk: 'low',
    input: z.strictObject({
      session_id: sessionId,
      after: z.string().max(500).optional().describe('Goes on after this path, the last one of the answer before.'),
    }),
    output: files,
    failures: { no_such_session },
    run: async (given, ctx) =>
      answered(ctx, await sandbox.listFiles(ctx.principal, given.session_id), (list) => {
        const { named, ...more } = firstOf(list.filter(({ path }) => path > (given.after ?? '')))
        return { files: named, ...more }
      }),
  }),
  defineTool({
    name: 'read.workspace_file',
    title: 'Read a file of a workspace',
    description: descriptionOf(
      length,
      'Reads a file of a session’s workspace: as text where it is UTF-8, otherwise as base64.',
      'Long files come in parts: call again with `offset` where `more` is true.',
    ),
    category: 'sandbox',
    operation: 'read',
    risk: 'low',
    input: z.strictObject({
      session_id: sessionId,
      path: filePath,
      offset: z.int().min(0).default(0).describe('In bytes.'),
      limit: z.int().min(4).max(100_000).default(20_000).describe('In bytes.'),
    }),
    output: z.strictObject({
      path: z.string(),
      bytes: z.int(),
      encoding: z.enum(['text', 'base64']),
      content: z.string(),
      next_offset: z.int(),
      more: z.boolean(),
    }),
    failures: { no_such_session, no_such_file, invalid_path },
    run: async (given, ctx) =>
      answered(ctx, await sandbox.readFile(ctx.principal, given.session_id, given.path), (file) =>
        partOf(file, given.offset, given.limit),
      ),
  }),
  defineTool({
    name: 'reset.workspace',
    title: 'Delete the files of a workspace',
    noun: 'the deletion of the files',
    description: descriptionOf(length, 'Deletes all files of a session’s workspace; its variables stay.'),
    category: 'sandbox',
    operation: 'destructive',
    risk: 'medium',
    autonomous: true,
    input: z.strictObject({ session_id: sessionId }),
    output: z.strictObject({ deleted: z.array(fileOut), omitted }),
    failures: { no_such_session },
    sideEffects: [{ what: 'The files of the workspace are gone.', onRepeat: 'There is nothing left to delete.' }],
    idempotency: 'natural',
    auditEvent: 'workspace.reset',
    languages,
    preview: async (given, ctx) =>
      answered(ctx, await sandbox.listFiles(ctx.principal, given.session_id), ({ length: number }) => {
        const { reset } = wordsIn(ctx.language)
        return {
          title: reset.title(number),
          summary: reset.summary(number, given.session_id),
          confirmLabel: reset.confirm,
        }
      }),
    run: async (given, ctx) =>
      answered(ctx, await sandbox.resetWorkspace(ctx.principal, given.session_id), (list) => {
        const { named, ...more } = firstOf(list)
        return { deleted: named, ...more }
      }),
    cards: {
      success: (_, { deleted, omitted: more = 0 }, ctx) => ({
        title: wordsIn(ctx.language).reset.done(deleted.length + more),
      }),
    },
  }),
]

/** As many files as one answer names, and how many more there are. */
const firstOf = (list: readonly FileInfo[]): { readonly named: FileInfo[]; readonly omitted?: number } => ({
  named: list.slice(0, mostListed),
  ...(list.length > mostListed ? { omitted: list.length - mostListed } : {}),
})

/** A part of a file, cut between characters where it is text. */
function partOf({ path, bytes }: WorkspaceContent, offset: number, limit: number) {
  const text = textOf(bytes)
  const end =
    text === undefined ? Math.min(bytes.length, offset + limit) : cut(bytes, Math.min(bytes.length, offset + limit))
  const part = bytes.subarray(Math.min(offset, bytes.length), end)
  return {
    path,
    bytes: bytes.length,
    encoding: text === undefined ? ('base64' as const) : ('text' as const),
    content: text === undefined ? Buffer.from(part).toString('base64') : new TextDecoder().decode(part),
    next_offset: end,
    more: end < bytes.length,
  }
}

/** The text that bytes are, where they are text in UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The nearest place at or before this one that is between two characters. */
function cut(bytes: Uint8Array, at: number): number {
  let end = at
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return end
}
