// A deleted file can be brought back for thirty days, and the card says what stops working at once.
import { z } from 'zod'
import type { Contract } from '../../../tools/contract.ts'
import { fileTool, sawFile } from '../file-tool.ts'
import { failures, unknownFile } from '../lookup.ts'
import {
  findDeleted,
  findFile,
  findNamed,
  goneAt,
  isoAt,
  restorableDays,
  versionsOf,
  workingLinks,
} from '../queries.ts'
import type { FilesParts } from '../parts.ts'
import { bytesOf, noRoomFor, takeTurn } from '../uploads/quota.ts'
import { contentDetails, fileFields, inShort } from '../say.ts'
import { noPictureValue, pictureBlocks } from '../../pictures/shown.ts'
import { pictureWordsIn } from '../../pictures/words.ts'
import { fieldsBlock, momentValue, spokenMoment } from '../../say.ts'
import { servedBy } from '../links/s3-link.ts'
import { fileId, fileOut, fileView } from '../shapes.ts'
import { lookOf } from '../contents/shown.ts'
import { besideEnglish, wordsIn } from '../words.ts'

/** `files.delete`. */
export const deleteFile = ({ db: files, storage }: Pick<FilesParts, 'db' | 'storage'>): Contract =>
  fileTool({
    name: 'files.delete',
    title: 'Delete a file',
    noun: 'the deletion of the file',
    description: `Deletes a file with all its versions; its download links stop working. files_restore brings it back for ${restorableDays} days, then it is gone for good.`,
    operation: 'destructive',
    risk: 'critical',
    // Its preview shows a picture, or the first page.
    permissions: ['files:read', 'files:delete'],
    input: z.strictObject({ fileId }),
    output: z.object({ fileId: z.string(), name: z.string(), restorableUntil: z.string(), linksStopped: z.int() }),
    failures: { unknown_file: failures.unknown_file },
    sideEffects: [
      {
        what: 'The file and its versions are no longer listed, read or attached',
        onRepeat: 'Refused: the file does not exist',
      },
      { what: 'Its download links stop working, but for those that S3 has signed', onRepeat: 'Nothing more' },
      { what: `After ${restorableDays} days its contents are removed for good`, onRepeat: 'Nothing more' },
    ],
    async foresee(db, { fileId: id }, ctx) {
      const file = await findFile(db, ctx.principal.tenant, id)
      if (file === undefined) return unknownFile(ctx, id)
      const links = await workingLinks(db, id, ctx.now())
      const versions = await versionsOf(db, id)
      const signed = links.filter((link) => servedBy(link) === 's3')
      return {
        file,
        signed,
        links: links.length - signed.length,
        versions: versions.length,
        seen: [sawFile(file, true)],
      }
    },
    async describe({ file, signed, links, versions }, _input, ctx) {
      const words = wordsIn(ctx.language)
      const { remove } = words
      const pictures = pictureWordsIn(ctx.language)
      const look = await lookOf(storage, file, ctx.principal)
      const until = isoAt(ctx.now(), restorableDays)
      return {
        title: remove.title(file.name),
        subtitle: inShort(file, words),
        summary: remove.summary({ name: file.name, number: versions, until: spokenMoment(until) }),
        blocks: [
          fieldsBlock({
            ...fileFields(file, words),
            [remove.versions]: { kind: 'number', value: String(versions) },
            [remove.links]: { kind: 'number', value: String(links + signed.length) },
            [remove.until]: momentValue(until),
            [pictures.label]: noPictureValue(look, pictures),
          }),
          ...pictureBlocks(look, file.name, pictures),
          contentDetails(
            { ...file, number: file.current, created_at: file.changed_at, created_by: file.changed_by },
            words,
          ),
        ],
        effects: [
          remove.gone(versions),
          ...(links > 0 ? [remove.linksStop(links)] : []),
          ...(signed.length > 0
            ? [remove.signedGoOn(signed.length, spokenMoment(signed.at(-1)?.expires_at ?? until))]
            : []),
          remove.restorable(spokenMoment(until)),
        ],
        confirmLabel: remove.confirm,
        details: {
          file: fileView(file),
          versions,
          links_stopped: links,
          links_that_go_on: signed.length,
          restorable_until: until,
        },
      }
    },
    async carryOut(transaction, { file, links }, _input, ctx) {
      const deletedAt = isoAt(ctx.now())
      await transaction.updateTable('files_files').set({ deleted_at: deletedAt }).where('id', '=', file.id).execute()
      return { fileId: file.id, name: file.name, restorableUntil: goneAt(deletedAt), linksStopped: links }
    },
    undo: (_input, { fileId: id, name }, { language }) => ({
      tool: 'files_restore',
      arguments: { fileId: id },
      label: wordsIn(language).restore.title(name),
    }),
    cards: {
      success(_input, { name, restorableUntil, linksStopped }, { language }) {
        const { remove } = wordsIn(language)
        return {
          title: remove.done(name),
          blocks: [
            fieldsBlock({
              [remove.until]: momentValue(restorableUntil),
              [remove.stopped]: { kind: 'number', value: String(linksStopped) },
            }),
          ],
        }
      },
    },
  })(files)

/** `files.restore`. */
export const restoreFile = ({ db: files, ...parts }: Pick<FilesParts, 'db' | 'tenantBytes'>): Contract =>
  fileTool({
    name: 'files.restore',
    title: 'Restore a deleted file',
    noun: 'the restoring of the file',
    description:
      'Brings a deleted file back with its versions; download links that have not ended work again. See files_list with `deleted: true`.',
    operation: 'write',
    risk: 'medium',
    permissions: ['files:delete'],
    input: z.strictObject({ fileId }),
    output: z.object({ file: fileOut, linksWorking: z.int() }),
    failures: {
      unknown_file: {
        effect: 'none',
        guidance:
          'Look the file up with files_list and `deleted: true`; what is not there is gone for good or was not deleted.',
        retryable: 'after_change',
        says: besideEnglish(({ restore }) => restore.unknown),
      },
      no_room: {
        effect: 'none',
        guidance: 'Tell the person how much room there is (files_get_usage); other files can be deleted first.',
        retryable: 'after_change',
      },
      name_taken: {
        effect: 'none',
        guidance: 'Another file has its name by now. Delete that one first, if the person wants so.',
        retryable: 'after_change',
      },
    },
    sideEffects: [
      { what: 'The file and its versions are there again', onRepeat: 'Refused: the file is not deleted' },
      { what: 'Its download links that have not ended work again', onRepeat: 'Nothing more' },
    ],
    async foresee(db, { fileId: id }, ctx) {
      const file = await findDeleted(db, ctx.principal.tenant, id, ctx.now())
      if (file === undefined)
        return ctx.fail('unknown_file', `There is no deleted file ${id}.`, {
          fields: [{ pointer: '/fileId', received: id, allowed: 'the id of a file that was deleted' }],
          suggest: { tool: 'files_list', arguments: { deleted: true }, why: 'It lists the files that can be restored' },
        })
      if ('idempotencyKey' in ctx) await takeTurn(db, file.tenant)
      const words = wordsIn(ctx.language)
      const full = await noRoomFor(parts, db, file.tenant, await bytesOf(db, id), words)
      const taken = await findNamed(db, file.tenant, file.name)
      const links = await workingLinks(db, id, ctx.now())
      return {
        file,
        links: links.length,
        seen: [sawFile(file, true)],
        obstacle:
          taken === undefined
            ? full === undefined
              ? undefined
              : { code: 'no_room' as const, title: words.restore.noRoom, text: full }
            : {
                code: 'name_taken' as const,
                title: words.restore.taken.title(file.name),
                text: words.restore.taken.text(taken.id),
              },
      }
    },
    describe({ file, links }, _input, { language }) {
      const words = wordsIn(language)
      const { restore } = words
      return {
        title: restore.title(file.name),
        subtitle: inShort(file, words),
        summary: restore.summary(file.name),
        blocks: [fieldsBlock(fileFields(file, words))],
        effects: [restore.back, ...(links > 0 ? [restore.linksWork(links)] : [])],
        confirmLabel: restore.confirm,
        details: { file: fileView(file), links_working: links },
      }
    },
    async carryOut(transaction, { file, links }) {
      await transaction.updateTable('files_files').set({ deleted_at: null }).where('id', '=', file.id).execute()
      return { file: fileView({ ...file, deleted_at: null }), linksWorking: links }
    },
    cards: {
      success(_input, { file }, { language }) {
        const words = wordsIn(language)
        return { title: words.restore.done(file.name), blocks: [fieldsBlock(fileFields(file, words))] }
      },
    },
  })(files)
