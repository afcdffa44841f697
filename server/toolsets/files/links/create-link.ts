// A link gives a file to whoever has its address, so a person signs what it gives, and until when. It gives that content for
// good: a version that is uploaded later was signed by nobody (ADR 65).
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Contract } from '../../../tools/contract.ts'
import { beginningOf } from '../contents/content.ts'
import { firstLines } from '../contents/content-type.ts'
import { fileTool, sawFile } from '../file-tool.ts'
import { failures, unknownFile, unreadable } from '../lookup.ts'
import type { FilesParts } from '../parts.ts'
import { noPictureValue, pictureBlocks, pictureWarnings } from '../../pictures/shown.ts'
import { pictureWordsIn } from '../../pictures/words.ts'
import { findFile, isoAt, versionsOf, workingLinks } from '../queries.ts'
import { contentDetails, fileFields, inShort, typeWarnings } from '../say.ts'
import { fieldsBlock, momentValue, spokenMoment, textValue } from '../../say.ts'
import { longestS3LinkMs, s3Address, s3Mark, servedBy } from './s3-link.ts'
import { fileId } from '../shapes.ts'
import { wordsIn } from '../words.ts'
import { lookOf } from '../contents/shown.ts'
import { downloadPath, hashOf, tokenOf } from './token.ts'

/** `files.create_download_link`. */
export const createDownloadLink = ({ db, storage, linkKey, publicUrl, links, maxLinkDays }: FilesParts): Contract => {
  const longestDays = links === 's3' ? Math.min(maxLinkDays, longestS3LinkMs / 86_400_000) : maxLinkDays
  return fileTool({
    name: 'files.create_download_link',
    title: 'Create a download link',
    noun: 'the download link',
    description: `Makes an address at which whoever has it can download the present content of a file until \`expiresAt\` (at most ${Math.floor(longestDays)} days ahead). The same file and moment give the same linkId and url while that link works.`,
    operation: 'write',
    risk: 'high',
    // Its preview shows the first lines of a text, a picture, or the first page.
    permissions: ['files:read', 'files:share'],
    input: z.strictObject({
      fileId,
      expiresAt: z.iso
        .datetime({ offset: true })
        .max(40)
        .describe('ISO 8601 with zone, like "2026-12-01T17:00:00+01:00"'),
    }),
    output: z.object({
      linkId: z.string(),
      url: z.string(),
      fileId: z.string(),
      fileName: z.string(),
      version: z.int(),
      expiresAt: z.string(),
      repeated: z.boolean().describe('The link was there before'),
      servedBy: z
        .enum(['server', 's3'])
        .describe('s3: it cannot be revoked, and downloads are neither counted nor on record'),
    }),
    secrets: { result: ['/url'] },
    failures: {
      ...failures,
      expires_in_past: {
        effect: 'none',
        guidance: 'Give a moment that is still to come, with its zone.',
        retryable: 'after_change',
      },
      expires_too_late: {
        effect: 'none',
        guidance: `Give a moment at most ${Math.floor(longestDays)} days ahead.`,
        retryable: 'after_change',
      },
      no_web_door: {
        effect: 'none',
        guidance: 'Tell the person that this server serves no addresses; its operator can serve it over HTTP.',
        retryable: 'no',
      },
    },
    sideEffects: [
      {
        what: 'An address is made at which whoever has it can download this content of the file until expiresAt',
        onRepeat:
          'The same fileId and expiresAt give the same linkId and url while the link works; once it has expired or was revoked, and for another expiresAt, there is a new one',
      },
    ],
    async foresee(transaction, { fileId: id, expiresAt }, ctx) {
      const file = await findFile(transaction, ctx.principal.tenant, id)
      if (file === undefined) return unknownFile(ctx, id)
      const now = ctx.now()
      const until = new Date(expiresAt).toISOString()
      const latest = isoAt(now, longestDays)
      if (until <= isoAt(now) || until > latest)
        return ctx.fail(
          until > latest ? 'expires_too_late' : 'expires_in_past',
          `${expiresAt} is ${until > latest ? 'too far ahead' : 'over'}.`,
          { fields: [{ pointer: '/expiresAt', received: expiresAt, allowed: `after ${isoAt(now)}, until ${latest}` }] },
        )
      const working = await workingLinks(transaction, id, now)
      const same = working.find(({ expires_at }) => expires_at === until)
      const content = (await versionsOf(transaction, id)).find(
        ({ number }) => number === (same?.number ?? file.current),
      )
      if (content === undefined) throw new Error(`The file ${id} has no version ${same?.number ?? file.current}.`)
      const by = same === undefined ? links : servedBy(same)
      const beginning = await beginningOf(storage, content)
      const words = wordsIn(ctx.language)
      return {
        file,
        content,
        same,
        until,
        by,
        others: working.filter((link) => link !== same).length,
        lines: beginning.ok ? firstLines(content.type, beginning.value) : undefined,
        seen: [sawFile(file, false)],
        obstacle:
          by === 'server' && publicUrl() === undefined
            ? {
                code: 'no_web_door' as const,
                title: words.link.noWebDoor.title,
                text: words.link.noWebDoor.text,
              }
            : beginning.ok
              ? undefined
              : unreadable(beginning.failure, words),
      }
    },
    async describe({ file, content, same, until, by, others, lines }, _input, ctx) {
      const words = wordsIn(ctx.language)
      const { labels, link } = words
      const pictures = pictureWordsIn(ctx.language)
      const look = await lookOf(storage, content, ctx.principal)
      const older = content.number === file.current ? undefined : content.number
      const short = inShort(content, words)
      return {
        title: same === undefined ? link.title(file.name) : link.titleAgain(file.name),
        subtitle: short,
        summary: link.summary({ name: file.name, content: short, until: spokenMoment(until) }),
        blocks: [
          fieldsBlock({
            ...fileFields({ ...content, name: file.name }, words),
            [labels.who]: textValue(link.anybody),
            [labels.until]: momentValue(until),
            [labels.servedBy]: by === 's3' ? textValue(link.s3) : undefined,
            [labels.otherLinks]: { kind: 'number', value: String(others) },
            [pictures.label]: noPictureValue(look, pictures),
          }),
          ...pictureBlocks(look, file.name, pictures),
          ...(lines === undefined
            ? []
            : [{ kind: 'code' as const, label: lines.more ? labels.firstLines : labels.text, text: lines.text }]),
          contentDetails(content, words),
        ],
        effects: [
          same === undefined ? link.isNew : link.isThere,
          link.keeps,
          by === 's3' ? link.notRecorded : link.recorded,
          ...(others > 0 ? [link.others(others)] : []),
        ],
        warnings: [
          ...(by === 's3' ? [{ title: link.forGood.title(spokenMoment(until)), text: link.forGood.text }] : []),
          ...typeWarnings(file.name, content.type, words),
          ...pictureWarnings(look, file.name, pictures),
          ...(older === undefined ? [] : [{ title: link.older.title(older, file.current), text: link.older.text }]),
        ],
        confirmLabel: same === undefined ? link.confirm : link.confirmAgain,
        details: {
          file_id: file.id,
          version: content.number,
          type: content.type,
          bytes: content.bytes,
          sha256: content.sha256,
          expires_at: until,
          other_links: others,
          served_by: by,
          ...(same === undefined ? {} : { link_id: same.id }),
        },
      }
    },
    async carryOut(transaction, { file, content, until, by }, _input, ctx) {
      const id = `dl_${randomBytes(12).toString('hex')}`
      await transaction
        .insertInto('files_links')
        .values({
          id,
          file_id: file.id,
          number: content.number,
          token_hash: by === 's3' ? s3Mark(id) : hashOf(tokenOf(linkKey, id)),
          expires_at: until,
          revoked_at: null,
          created_at: isoAt(ctx.now()),
          created_by: ctx.principal.subject,
          downloads: 0,
          last_download_at: null,
          version: 1,
          run: ctx.idempotencyKey,
          record_hour: null,
          record_rows: null,
          record_more: null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const link = await transaction
        .selectFrom('files_links')
        .selectAll()
        .where('file_id', '=', file.id)
        .where('expires_at', '=', until)
        .where('revoked_at', 'is', null)
        .executeTakeFirstOrThrow()
      return {
        linkId: link.id,
        url: '',
        fileId: file.id,
        fileName: file.name,
        version: link.number,
        expiresAt: until,
        repeated: link.id !== id,
        servedBy: servedBy(link),
      }
    },
    complete: async (link) => ({
      ...link,
      url:
        link.servedBy === 's3'
          ? await s3Address({ db, storage }, link.linkId)
          : `${publicUrl() ?? ''}${downloadPath}/${tokenOf(linkKey, link.linkId)}`,
    }),
    undo: (_input, { linkId, repeated, servedBy: by }, { language }) =>
      repeated || by === 's3'
        ? undefined
        : { tool: 'files_revoke_download_link', arguments: { linkId }, label: wordsIn(language).link.revoke },
    cards: {
      success(_input, given, { language }) {
        const { labels, link } = wordsIn(language)
        return {
          title: link.done(given.fileName),
          blocks: [
            fieldsBlock({
              [labels.until]: momentValue(given.expiresAt),
              [labels.who]: textValue(link.anybody),
              [labels.linkId]: { kind: 'code', text: given.linkId },
            }),
          ],
          links: [{ label: link.download, url: given.url }],
        }
      },
    },
  })(db)
}
