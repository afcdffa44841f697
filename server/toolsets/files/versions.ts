// An older content becomes the current one by becoming the newest version: nothing is lost, and the way back is the same.
import { z } from 'zod'
import { fileTool, sawFile } from './file-tool.ts'
import { failures, unknownFile } from './lookup.ts'
import { findFile, isoAt, versionsOf } from './queries.ts'
import { contentDetails, fileFields, inShort, typeWarnings } from './say.ts'
import { fieldsBlock, sizeValue, textValue } from '../say.ts'
import { fileId, fileOut, fileView } from './shapes.ts'
import { typeName } from './contents/content-type.ts'

/** `files.restore_version`. */
export const restoreVersion = fileTool({
  name: 'files.restore_version',
  title: 'Restore a version of a file',
  noun: 'the restoring of the version',
  description: 'Makes an older content of a file its current one, as a new version. See files_list_versions.',
  operation: 'write',
  risk: 'medium',
  permissions: ['files:write'],
  input: z.strictObject({ fileId, version: z.int().min(1).max(1_000_000) }),
  output: z.object({ file: fileOut, previous: z.int() }),
  failures: {
    unknown_file: failures.unknown_file,
    unknown_version: {
      effect: 'none',
      guidance: 'Use the number of a version that files_list_versions answers.',
      retryable: 'after_change',
    },
    nothing_to_change: {
      effect: 'none',
      guidance: 'The file already has this content; tell the person so instead of calling again.',
      retryable: 'no',
    },
  },
  sideEffects: [
    { what: 'The file gets a new version with the older content', onRepeat: 'Refused: it has this content already' },
    { what: 'Download links go on giving the version that they were made for', onRepeat: 'Nothing more' },
  ],
  async foresee(db, { fileId: id, version: number }, ctx) {
    const file = await findFile(db, ctx.principal.tenant, id)
    if (file === undefined) return unknownFile(ctx, id)
    const versions = await versionsOf(db, id)
    const older = versions.find((version) => version.number === number)
    if (older === undefined)
      return ctx.fail('unknown_version', `${file.name} has no version ${number}.`, {
        fields: [{ pointer: '/version', received: number, allowed: `1 to ${versions[0]?.number ?? 1}` }],
      })
    return {
      file,
      older,
      next: (versions[0]?.number ?? file.current) + 1,
      seen: [sawFile(file, true)],
      obstacle:
        older.sha256 === file.sha256
          ? {
              code: 'nothing_to_change' as const,
              title: `${file.name} already has this content.`,
              text: `Version ${file.current} is the same as version ${number}.`,
            }
          : undefined,
    }
  },
  describe: ({ file, older, next }) => ({
    title: `Restore version ${older.number} of ${file.name}`,
    subtitle: inShort(older),
    summary: `Makes version ${older.number} of ${file.name} the current one again, as version ${next}.`,
    changes: [
      {
        pointer: '/sha256',
        label: 'Content (SHA-256)',
        before: { kind: 'code', text: file.sha256 },
        after: { kind: 'code', text: older.sha256 },
      },
      { pointer: '/bytes', label: 'Size', before: sizeValue(file.bytes), after: sizeValue(older.bytes) },
      ...(file.type === older.type
        ? []
        : [
            {
              pointer: '/type',
              label: 'Type',
              before: textValue(typeName(file.type)),
              after: textValue(typeName(older.type)),
            },
          ]),
    ],
    blocks: [contentDetails(older)],
    effects: [
      `Version ${file.current} stays and can be restored in the same way`,
      'Download links go on giving the version that they were made for',
    ],
    warnings: typeWarnings(file.name, older.type),
    confirmLabel: 'Restore version',
    details: { version: older.number, becomes: next, sha256: older.sha256 },
  }),
  async carryOut(transaction, { file, older, next }, _input, ctx) {
    const created_at = isoAt(ctx.now())
    const created_by = ctx.principal.subject
    await transaction
      .insertInto('files_versions')
      .values({ ...older, number: next, created_at, created_by })
      .execute()
    await transaction.updateTable('files_files').set({ current: next }).where('id', '=', file.id).execute()
    const { type, bytes, sha256 } = older
    const changed = { type, bytes, sha256, current: next, changed_at: created_at, changed_by: created_by }
    return { file: fileView({ ...file, ...changed }), previous: file.current }
  },
  undo: (_input, { file, previous }) => ({
    tool: 'files_restore_version',
    arguments: { fileId: file.fileId, version: previous },
    label: `Back to version ${previous}`,
  }),
  cards: {
    success: (_input, { file }) => ({
      title: `${file.name} is version ${file.version} now`,
      blocks: [fieldsBlock(fileFields(file))],
    }),
  },
})
