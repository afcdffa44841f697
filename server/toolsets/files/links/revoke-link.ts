// A revoked link stays revoked: whoever asks for the same moment again gets a new address.
import { z } from 'zod'
import { fileTool, sawFile, sawLink } from '../file-tool.ts'
import { failures, unknownLink } from '../lookup.ts'
import { findFile, isoAt } from '../queries.ts'
import { callerValue, fieldsBlock, momentValue, spokenMoment, textValue } from '../../say.ts'
import { servedBy } from './s3-link.ts'
import { linkId } from '../shapes.ts'
import { wordsIn } from '../words.ts'

/** `files.revoke_download_link`. */
export const revokeDownloadLink = fileTool({
  name: 'files.revoke_download_link',
  title: 'Revoke a download link',
  noun: 'the revocation of the download link',
  description: 'Makes a download link stop working at once and for good. The file stays.',
  operation: 'destructive',
  risk: 'medium',
  permissions: ['files:share'],
  input: z.strictObject({ linkId }),
  output: z.object({ linkId: z.string(), fileId: z.string(), fileName: z.string(), revokedAt: z.string() }),
  failures: {
    unknown_link: failures.unknown_link,
    signed_by_s3: {
      effect: 'none',
      guidance: 'Tell the person that nobody can take this link back, and until when it works.',
      retryable: 'no',
    },
  },
  sideEffects: [{ what: 'The address stops working for everybody', onRepeat: 'Refused: the link works no more' }],
  async foresee(db, { linkId: id }, ctx) {
    const link = await db
      .selectFrom('files_links')
      .selectAll()
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', isoAt(ctx.now()))
      .executeTakeFirst()
    const file = link === undefined ? undefined : await findFile(db, ctx.principal.tenant, link.file_id)
    if (link === undefined || file === undefined) return unknownLink(ctx, id)
    const { revoke } = wordsIn(ctx.language)
    // Cards of the file count its links.
    return {
      link,
      file,
      seen: [sawLink(link, true), sawFile(file, true)],
      obstacle:
        servedBy(link) === 'server'
          ? undefined
          : {
              code: 'signed_by_s3' as const,
              title: revoke.signed.title(spokenMoment(link.expires_at)),
              text: revoke.signed.text,
            },
    }
  },
  describe({ link, file }, _input, { language }) {
    const { labels, revoke, userOver } = wordsIn(language)
    return {
      title: revoke.title(file.name),
      summary: revoke.summary(file.name, spokenMoment(link.expires_at)),
      blocks: [
        fieldsBlock({
          [labels.file]: textValue(file.name),
          [revoke.created]: momentValue(link.created_at),
          [labels.by]: callerValue(link.created_by, userOver),
          [revoke.wouldWork]: momentValue(link.expires_at),
          [revoke.downloads]: { kind: 'number', value: String(link.downloads) },
          [revoke.last]: link.last_download_at === null ? { kind: 'unset' } : momentValue(link.last_download_at),
        }),
      ],
      effects: [revoke.stops, revoke.stays],
      confirmLabel: revoke.confirm,
      details: { link_id: link.id, file_id: file.id, downloads: link.downloads },
    }
  },
  async carryOut(transaction, { link, file }, _input, ctx) {
    const revokedAt = isoAt(ctx.now())
    await transaction.updateTable('files_links').set({ revoked_at: revokedAt }).where('id', '=', link.id).execute()
    return { linkId: link.id, fileId: file.id, fileName: file.name, revokedAt }
  },
  cards: { success: (_input, { fileName }, { language }) => ({ title: wordsIn(language).revoke.done(fileName) }) },
})
