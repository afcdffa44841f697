// An older content becomes the current one by becoming the newest version: nothing is lost, and the way back is the same.
import { z } from 'zod'
import { fileTool, sawFile } from './file-tool.ts'
import { failures, unknownFile } from './lookup.ts'
import { findFile, isoAt, versionsOf } from './queries.ts'
import { contentDetails, fileFields, inShort, typeWarnings } from './say.ts'
import { fieldsBlock, sizeValue, textValue } from '../say.ts'
import { fileId, fileOut, fileView } from './shapes.ts'
import { typeName } from './contents/content-type.ts'
import { wordsIn } from './words.ts'

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
    const { same } = wordsIn(ctx.language).older
    return {
      file,
      older,
      next: (versions[0]?.number ?? file.current) + 1,
      seen: [sawFile(file, true)],
      obstacle:
        older.sha256 === file.sha256
          ? {
              code: 'nothing_to_change' as const,
              title: same.title(file.name),
              text: same.text(file.current, number),
            }
          : undefined,
    }
  },
  describe({ file, older, next }, _input, { language }) {
    const words = wordsIn(language)
    const { labels, older: says, units } = words
    const type = (of: string) => textValue(typeName(of, words))
    return {
      title: says.title(older.number, file.name),
      subtitle: inShort(older, words),
      summary: says.summary({ number: older.number, name: file.name, next }),
      changes: [
        {
          pointer: '/sha256',
          label: says.content,
          before: { kind: 'code', text: file.sha256 },
          after: { kind: 'code', text: older.sha256 },
        },
        {
          pointer: '/bytes',
          label: labels.size,
          before: sizeValue(file.bytes, units),
          after: sizeValue(older.bytes, units),
        },
        ...(file.type === older.type
          ? []
          : [{ pointer: '/type', label: labels.type, before: type(file.type), after: type(older.type) }]),
      ],
      blocks: [contentDetails(older, words)],
      effects: [says.stays(file.current), says.linksStay],
      warnings: typeWarnings(file.name, older.type, words),
      confirmLabel: says.confirm,
      details: { version: older.number, becomes: next, sha256: older.sha256 },
    }
  },
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
  undo: (_input, { file, previous }, { language }) => ({
    tool: 'files_restore_version',
    arguments: { fileId: file.fileId, version: previous },
    label: wordsIn(language).older.back(previous),
  }),
  cards: {
    success(_input, { file }, { language }) {
      const words = wordsIn(language)
      return { title: words.older.done(file.name, file.version), blocks: [fieldsBlock(fileFields(file, words))] }
    },
  },
})
