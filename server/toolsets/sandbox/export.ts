// `export_workspace_file`: the only way by which a file of a program reaches this machine. A person sees the whole file, and
// where one is replaced, what changes in it.
import { z } from 'zod'
import { fail, ok, type Result } from '../../errors/result.ts'
import type { CardBlock } from '../../model/card.ts'
import type { Sandbox, SandboxRefusal } from '../../sandbox/sandbox.ts'
import type { Contract, FailureSpec, ToolContext, ToolFailed } from '../../tools/contract.ts'
import { defineTool } from '../../tools/define-tool.ts'
import { binaryBlocks, digestOf } from './binary-content.ts'
import { filePath, refusals, sessionId } from './shapes.ts'
import { languages, wordsIn } from './words.ts'
import { descriptionOf, type DescriptionLength } from './descriptions.ts'
import { textOf } from './workspace.ts'

/** The folder that the operator named for files of programs. */
export interface ExportFolder {
  /** As the operator wrote it. */
  readonly name: string
  /** What stands at this path now; refused where it would leave the folder, or is a link or no file. */
  look(path: string): Promise<Result<ExportTarget, string>>
  /** Writes the whole file in one step. */
  write(path: string, bytes: Uint8Array): Promise<Result<void, string>>
}

export interface ExportTarget {
  /** Its whole path. */
  readonly file: string
  /** Absent where nothing stands there. */
  readonly bytes?: Uint8Array
}

export interface ExportParts {
  /** Absent where the operator named none: then every call is refused. */
  readonly folder?: ExportFolder | undefined
  /** The lines that change; `undefined` where the texts differ in too many. */
  readonly lineDiff: (before: string, after: string) => Promise<string | undefined>
}

const { no_such_session, no_such_file, invalid_path } = refusals

const failures = {
  no_such_session,
  no_such_file,
  invalid_path,
  no_export_folder: {
    effect: 'none',
    guidance: 'Read the file with read_workspace_file instead, or ask the operator to set sandbox.export_folder.',
    retryable: 'no',
  },
  target_refused: { effect: 'none', guidance: 'Name another path in `to`.', retryable: 'after_change' },
  not_written: { effect: 'none', guidance: 'Tell the operator of this server why.', retryable: 'no' },
} as const satisfies Readonly<Record<string, FailureSpec>>

const input = z.strictObject({
  session_id: sessionId,
  path: filePath,
  to: filePath.optional().describe('Relative to the folder for exports; the same as `path` where it is absent.'),
})
type Input = z.infer<typeof input>
type Context = ToolContext<keyof typeof failures>

interface Planned {
  readonly to: string
  readonly bytes: Uint8Array
  readonly target: ExportTarget
}

/** `export_workspace_file`. */
export function exportTool(sandbox: Sandbox, length: DescriptionLength, { folder, lineDiff }: ExportParts): Contract {
  /** What would be written, and over what. */
  async function plan(given: Input, ctx: Context): Promise<Result<Planned, ToolFailed>> {
    if (folder === undefined)
      return fail(ctx.fail('no_export_folder', 'The operator of this server has named no folder for exports.'))
    const read = await sandbox.readFile(ctx.principal, given.session_id, given.path)
    if (!read.ok) return fail(ctx.fail(readCode(read.failure), read.failure.message))
    const to = given.to ?? given.path
    const target = await folder.look(to)
    if (!target.ok) return fail(ctx.fail('target_refused', target.failure))
    return ok({ to, bytes: read.value.bytes, target: target.value })
  }

  return defineTool({
    name: 'export.workspace_file',
    title: 'Export a file of a workspace',
    noun: 'the export of the file',
    description: descriptionOf(
      length,
      'Writes a file of a session’s workspace into the folder that the operator named for exports.',
      'A person sees the file first. Nothing else of a sandbox reaches the machine.',
    ),
    category: 'sandbox',
    operation: 'write',
    risk: 'high',
    input,
    output: z.strictObject({ file: z.string(), bytes: z.int(), replaced: z.boolean() }),
    failures,
    sideEffects: [{ what: 'The file stands in the folder for exports.', onRepeat: 'It is written again, the same.' }],
    idempotency: 'natural',
    auditEvent: 'workspace.file_exported',
    languages,
    async preview(given, ctx) {
      const planned = await plan(given, ctx)
      if (!planned.ok) return planned.failure
      const { to, bytes, target } = planned.value
      const replaces = target.bytes !== undefined
      const { bytes: bytesOf, export: words } = wordsIn(ctx.language)
      const about = { file: target.file, bytes: bytesOf(bytes.length), session: given.session_id }
      return {
        title: replaces ? words.replace(to) : words.write(to),
        subtitle: words.from(about.bytes, about.session),
        summary: replaces ? words.replaceSummary(about) : words.writeSummary(about),
        blocks: [
          ...(await contentBlocks(bytes, target.bytes, ctx, lineDiff)),
          { kind: 'fields', fields: [{ label: words.file, value: { kind: 'code', text: target.file } }] },
        ],
        effects: [replaces ? words.replaces : words.writes],
        confirmLabel: replaces ? words.replaceConfirm : words.writeConfirm,
        details: { bytes: bytes.length, sha256: digestOf(bytes) },
      }
    },
    async basis(given, ctx) {
      const planned = await plan(given, ctx)
      if (!planned.ok) return planned.failure
      return stateOf(planned.value)
    },
    async run(given, ctx) {
      const planned = await plan(given, ctx)
      if (!planned.ok) return planned.failure
      const { to, bytes, target } = planned.value
      if (ctx.basis !== stateOf(planned.value)) return ctx.stale()
      const written = await folder?.write(to, bytes)
      if (written?.ok !== true)
        return ctx.fail(
          'not_written',
          written?.failure ?? 'The operator of this server has named no folder for exports.',
        )
      return { file: target.file, bytes: bytes.length, replaced: target.bytes !== undefined }
    },
    cards: {
      success(_, { file, bytes, replaced }, { language }) {
        const { bytes: bytesOf, export: words } = wordsIn(language)
        return { title: replaced ? words.replaced : words.written, subtitle: `${file} · ${bytesOf(bytes)}` }
      },
    },
  })
}

const readCode = ({ code }: SandboxRefusal): 'no_such_session' | 'no_such_file' | 'invalid_path' =>
  code === 'no_such_session' || code === 'no_such_file' ? code : 'invalid_path'

/** What the person saw: the file that would be written, and what it would be written over. */
const stateOf = ({ bytes, target }: Planned): string =>
  JSON.stringify([digestOf(bytes), target.file, target.bytes === undefined ? null : digestOf(target.bytes)])

async function contentBlocks(
  bytes: Uint8Array,
  before: Uint8Array | undefined,
  { principal, language }: Pick<Context, 'principal' | 'language'>,
  lineDiff: ExportParts['lineDiff'],
): Promise<readonly CardBlock[]> {
  const { export: words } = wordsIn(language)
  const text = textOf(bytes)
  const old = before === undefined ? undefined : textOf(before)
  if (text === undefined || (before !== undefined && old === undefined))
    return [
      ...(text === undefined
        ? await binaryBlocks(words.content, bytes, { principal, language })
        : [{ kind: 'code' as const, label: words.content, text }]),
      ...(before === undefined ? [] : await binaryBlocks(words.before, before, { principal, language })),
    ]
  if (old === undefined) return [{ kind: 'code', label: words.content, text }]
  if (old === text) return [{ kind: 'text', text: words.same }]
  const lines = await lineDiff(old, text)
  return lines === undefined
    ? [
        { kind: 'text', text: words.differs },
        { kind: 'code', label: words.newContent, text },
      ]
    : [{ kind: 'code', label: words.change, text: lines, language: 'diff' }]
}
