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
import { count, fieldsBlock, momentValue, spokenMoment } from '../../say.ts'
import { servedBy } from '../links/s3-link.ts'
import { fileId, fileOut, fileView } from '../shapes.ts'
import { lookOf } from '../contents/shown.ts'

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
      const look = await lookOf(storage, file, ctx.principal)
      const until = isoAt(ctx.now(), restorableDays)
      return {
        title: `Delete ${file.name}`,
        subtitle: inShort(file),
        summary: `Deletes the file ${file.name} and its ${count(versions, 'version')}; it can be restored until ${spokenMoment(until)}.`,
        blocks: [
          fieldsBlock({
            ...fileFields(file),
            Versions: { kind: 'number', value: String(versions) },
            'Download links that work': { kind: 'number', value: String(links + signed.length) },
            'Can be restored until': momentValue(until),
            Picture: noPictureValue(look),
          }),
          ...pictureBlocks(look, file.name),
          contentDetails({ ...file, number: file.current, created_at: file.changed_at, created_by: file.changed_by }),
        ],
        effects: [
          versions === 1
            ? 'The file is no longer there for anybody'
            : `The file and its ${count(versions, 'version')} are no longer there for anybody`,
          ...(links > 0
            ? [
                `${count(links, 'download link')} ${links === 1 ? 'stops' : 'stop'} working; after a restore ${links === 1 ? 'it works' : 'they work'} again`,
              ]
            : []),
          ...(signed.length > 0
            ? [
                `${count(signed.length, 'link')} that S3 has signed ${signed.length === 1 ? 'goes' : 'go'} on working until ${spokenMoment(signed.at(-1)?.expires_at ?? until)}`,
              ]
            : []),
          `Until ${spokenMoment(until)} it can be restored; then its contents are removed for good`,
        ],
        confirmLabel: 'Delete file',
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
    undo: (_input, { fileId: id, name }) => ({
      tool: 'files_restore',
      arguments: { fileId: id },
      label: `Restore ${name}`,
    }),
    cards: {
      success: (_input, { name, restorableUntil, linksStopped }) => ({
        title: `${name} deleted`,
        blocks: [
          fieldsBlock({
            'Can be restored until': momentValue(restorableUntil),
            'Download links stopped': { kind: 'number', value: String(linksStopped) },
          }),
        ],
      }),
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
      const full = await noRoomFor(parts, db, file.tenant, await bytesOf(db, id))
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
              : { code: 'no_room' as const, title: 'There is no room for it.', text: full }
            : {
                code: 'name_taken' as const,
                title: `Another file is called ${file.name} by now.`,
                text: `Delete that one (${taken.id}) first.`,
              },
      }
    },
    describe: ({ file, links }) => ({
      title: `Restore ${file.name}`,
      subtitle: inShort(file),
      summary: `Brings the deleted file ${file.name} back.`,
      blocks: [fieldsBlock(fileFields(file))],
      effects: [
        'The file and its versions are there again',
        ...(links > 0 ? [`${count(links, 'download link')} ${links === 1 ? 'works' : 'work'} again`] : []),
      ],
      confirmLabel: 'Restore file',
      details: { file: fileView(file), links_working: links },
    }),
    async carryOut(transaction, { file, links }) {
      await transaction.updateTable('files_files').set({ deleted_at: null }).where('id', '=', file.id).execute()
      return { file: fileView({ ...file, deleted_at: null }), linksWorking: links }
    },
    cards: {
      success: (_input, { file }) => ({ title: `${file.name} restored`, blocks: [fieldsBlock(fileFields(file))] }),
    },
  })(files)
