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
import { findFile, isoAt, versionsOf, workingLinks } from '../queries.ts'
import { contentDetails, fileFields, inShort, typeWarnings } from '../say.ts'
import { count, fieldsBlock, momentValue, spokenMoment, textValue } from '../../say.ts'
import { longestS3LinkMs, s3Address, s3Mark, servedBy } from './s3-link.ts'
import { fileId } from '../shapes.ts'
import { lookOf } from '../contents/shown.ts'
import { downloadPath, hashOf, tokenOf } from './token.ts'

const anybody = 'Whoever has the address, without signing in'

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
                title: 'This server has no web door open.',
                text: 'A link would lead nowhere. Serve it over HTTP.',
              }
            : beginning.ok
              ? undefined
              : unreadable(beginning.failure),
      }
    },
    async describe({ file, content, same, until, by, others, lines }, _input, ctx) {
      const look = await lookOf(storage, content, ctx.principal)
      const older = content.number === file.current ? undefined : content.number
      return {
        title:
          same === undefined ? `Create a download link for ${file.name}` : `Give out the link for ${file.name} again`,
        subtitle: inShort(content),
        summary: `Lets whoever has the address download ${file.name} (${inShort(content)}) until ${spokenMoment(until)}.`,
        blocks: [
          fieldsBlock({
            ...fileFields({ ...content, name: file.name }),
            'Who can open it': textValue(anybody),
            Until: momentValue(until),
            'Served by': by === 's3' ? textValue('S3, not this server') : undefined,
            'Other links that work': { kind: 'number', value: String(others) },
            Picture: noPictureValue(look),
          }),
          ...pictureBlocks(look, file.name),
          ...(lines === undefined
            ? []
            : [{ kind: 'code' as const, label: lines.more ? 'First lines' : 'Text', text: lines.text }]),
          contentDetails(content),
        ],
        effects: [
          same === undefined
            ? 'A new address is made and given to the agent'
            : 'The address of the link that is there is given to the agent once more',
          'A version that is uploaded later is not given: the link keeps this content',
          by === 's3'
            ? 'Who downloads it, and how often, is neither counted nor on record here'
            : 'Each download is put on record, with the address of whoever downloads',
          ...(others > 0
            ? [
                `${count(others, 'other link')} to this file ${others === 1 ? 'stays' : 'stay'} as ${others === 1 ? 'it is' : 'they are'}`,
              ]
            : []),
        ],
        warnings: [
          ...(by === 's3'
            ? [
                {
                  title: `Nobody can take this link back: it works until ${spokenMoment(until)}.`,
                  text: 'S3 has signed it. It goes on working when it is regretted, and when the file is deleted.',
                },
              ]
            : []),
          ...typeWarnings(file.name, content.type),
          ...pictureWarnings(look, file.name),
          ...(older === undefined
            ? []
            : [
                {
                  title: `The link gives version ${older}, and the file is version ${file.current} by now.`,
                  text: 'To give the newer one, revoke this link first or choose another moment.',
                },
              ]),
        ],
        confirmLabel: same === undefined ? 'Create link' : 'Give link again',
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
    undo: (_input, { linkId, repeated, servedBy: by }) =>
      repeated || by === 's3'
        ? undefined
        : { tool: 'files_revoke_download_link', arguments: { linkId }, label: 'Revoke this link' },
    cards: {
      success: (_input, link) => ({
        title: `Download link for ${link.fileName}`,
        blocks: [
          fieldsBlock({
            Until: momentValue(link.expiresAt),
            'Who can open it': textValue(anybody),
            'Link id': { kind: 'code', text: link.linkId },
          }),
        ],
        links: [{ label: 'Download', url: link.url }],
      }),
    },
  })(db)
}
