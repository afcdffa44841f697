// The reads. Lists answer the newest first, and a cursor for what comes after.
import { sql } from 'kysely'
import { z } from 'zod'
import type { Contract } from '../../tools/contract.ts'
import { defineTool } from '../../tools/define-tool.ts'
import { failures, unknownFile } from './lookup.ts'
import { searchable } from './contents/names.ts'
import type { FilesParts } from './parts.ts'
import { usageOf } from './uploads/quota.ts'
import { filesOf, findFile, isoAt, restorableDays, versionsOf } from './queries.ts'
import { fileId, fileOut, fileView, linkOut, linkView, page, versionOut, versionView } from './shapes.ts'
import type { FilesDatabase } from './tables.ts'

/** `files.list`, `files.search`, `files.get`, `files.list_versions`, `files.list_download_links`. */
export const readTools = ({ db, tenantBytes }: FilesParts): readonly Contract[] => [
  getUsage(db, tenantBytes),
  listFiles(db),
  searchFiles(db),
  getFile(db),
  listVersions(db),
  listLinks(db),
]

const filesPage = z.object({ files: z.array(fileOut), nextCursor: z.string().optional() })

const wrongCursor = {
  effect: 'none',
  guidance: 'Pass `nextCursor` of an answer as it is, or leave the cursor out.',
  retryable: 'after_change',
} as const

const place = z.tuple([z.iso.datetime(), z.string().max(40)])

const cursorOf = (createdAt: string, id: string): string =>
  Buffer.from(JSON.stringify([createdAt, id])).toString('base64url')

/** Where a page ended; `undefined` where the cursor is none of ours. */
function placeOf(cursor: string): z.infer<typeof place> | undefined {
  try {
    return place.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString())).data
  } catch {
    return undefined
  }
}

/** A text in a pattern of `like` means itself. */
const escaped = (text: string): string => text.replaceAll(/[!%_]/g, '!$&')

const like = (column: string, pattern: string) => sql<boolean>`${sql.ref(column)} like ${pattern} escape '!'`

interface Asked {
  readonly tenant: string
  readonly limit: number
  readonly after: z.infer<typeof place> | undefined
  readonly query?: string | undefined
  readonly type?: string | undefined
  /** Those that were deleted since then, in place of those that are there. */
  readonly deletedSince?: string | undefined
}

async function pageOf(db: FilesDatabase, asked: Asked): Promise<z.infer<typeof filesPage>> {
  const { after, query = '', type, deletedSince } = asked
  const words = searchable(query).split(/\s+/).filter(Boolean)
  let found = filesOf(db, asked.tenant)
  found =
    deletedSince === undefined ? found.where('deleted_at', 'is', null) : found.where('deleted_at', '>', deletedSince)
  for (const word of words) found = found.where(like('search_name', `%${escaped(word)}%`))
  if (type !== undefined)
    found = found.where(type.includes('/') ? sql<boolean>`type = ${type}` : like('type', `${escaped(type)}/%`))
  if (after !== undefined)
    found = found.where((eb) =>
      eb.or([
        eb('file.created_at', '<', after[0]),
        eb.and([eb('file.created_at', '=', after[0]), eb('file.id', '<', after[1])]),
      ]),
    )
  const rows = await found
    .orderBy('file.created_at', 'desc')
    .orderBy('file.id', 'desc')
    .limit(asked.limit + 1)
    .execute()
  const files = rows.slice(0, asked.limit)
  const last = rows.length > files.length ? files.at(-1) : undefined
  return {
    files: files.map(fileView),
    ...(last === undefined ? {} : { nextCursor: cursorOf(last.created_at, last.id) }),
  }
}

const listFiles = (db: FilesDatabase): Contract =>
  defineTool({
    name: 'files.list',
    title: 'List files',
    description: `Lists the files of this tenant, the newest first. With \`deleted: true\` those that files_restore can bring back, for ${restorableDays} days.`,
    operation: 'read',
    risk: 'low',
    permissions: ['files:read'],
    input: z.strictObject({ ...page, deleted: z.boolean().default(false) }),
    output: filesPage,
    failures: { wrong_cursor: wrongCursor },
    run: ({ limit, cursor, deleted }, ctx) => {
      const after = cursor === undefined ? undefined : placeOf(cursor)
      if (cursor !== undefined && after === undefined) return ctx.fail('wrong_cursor', 'The cursor is none of ours.')
      const deletedSince = deleted ? isoAt(ctx.now(), -restorableDays) : undefined
      return pageOf(db, { tenant: ctx.principal.tenant, limit, after, deletedSince })
    },
  })

const searchFiles = (db: FilesDatabase): Contract =>
  defineTool({
    name: 'files.search',
    title: 'Search files',
    description:
      'Files whose name holds every word of the query, of a type where one is given: a media type like "application/pdf", or its first part like "image". Types are those of the contents.',
    operation: 'read',
    risk: 'low',
    permissions: ['files:read'],
    input: z.strictObject({
      ...page,
      query: z.string().max(100).default('').describe('Words of the name'),
      type: z.string().min(1).max(100).toLowerCase().optional(),
    }),
    output: filesPage,
    failures: { wrong_cursor: wrongCursor },
    run: ({ limit, cursor, query, type }, ctx) => {
      const after = cursor === undefined ? undefined : placeOf(cursor)
      if (cursor !== undefined && after === undefined) return ctx.fail('wrong_cursor', 'The cursor is none of ours.')
      return pageOf(db, { tenant: ctx.principal.tenant, limit, after, query, type })
    },
  })

const getFile = (db: FilesDatabase): Contract =>
  defineTool({
    name: 'files.get',
    title: 'Get a file',
    description:
      'What is known of one file: name, type and SHA-256 of its content, size, version. Not the content itself.',
    operation: 'read',
    risk: 'low',
    permissions: ['files:read'],
    input: z.strictObject({ fileId }),
    output: z.object({ file: fileOut }),
    failures: { unknown_file: failures.unknown_file },
    async run({ fileId: id }, ctx) {
      const file = await findFile(db, ctx.principal.tenant, id)
      return file === undefined ? unknownFile(ctx, id) : { file: fileView(file) }
    },
  })

const listVersions = (db: FilesDatabase): Contract =>
  defineTool({
    name: 'files.list_versions',
    title: 'List versions of a file',
    description:
      'The contents that a file has had, the newest first. files_restore_version makes one the current one again.',
    operation: 'read',
    risk: 'low',
    permissions: ['files:read'],
    input: z.strictObject({ fileId }),
    output: z.object({ versions: z.array(versionOut) }),
    failures: { unknown_file: failures.unknown_file },
    async run({ fileId: id }, ctx) {
      const file = await findFile(db, ctx.principal.tenant, id)
      if (file === undefined) return unknownFile(ctx, id)
      return { versions: (await versionsOf(db, id)).map((version) => versionView(version, file.current)) }
    },
  })

const listLinks = (db: FilesDatabase): Contract =>
  defineTool({
    name: 'files.list_download_links',
    title: 'List download links',
    description:
      'Download links that work, those that end first before the others, with how often they were used; `all: true` lists those that expired or were revoked too. The addresses themselves are not answered.',
    operation: 'read',
    risk: 'low',
    permissions: ['files:read'],
    input: z.strictObject({
      fileId: fileId.optional(),
      all: z.boolean().default(false),
      limit: page.limit,
    }),
    output: z.object({ links: z.array(linkOut), more: z.boolean() }),
    failures: {},
    async run({ fileId: id, all, limit }, ctx) {
      const now = ctx.now()
      const rows = await db
        .selectFrom('files_links as link')
        .innerJoin('files_files as file', 'file.id', 'link.file_id')
        .where('file.tenant', '=', ctx.principal.tenant)
        .$if(id !== undefined, (query) => query.where('file_id', '=', id ?? ''))
        .$if(!all, (query) =>
          query.where('revoked_at', 'is', null).where('expires_at', '>', isoAt(now)).where('deleted_at', 'is', null),
        )
        .selectAll('link')
        .select(['file.name', 'file.deleted_at'])
        .orderBy('expires_at')
        .orderBy('link.id')
        .limit(limit + 1)
        .execute()
      return { links: rows.slice(0, limit).map((row) => linkView(row, now)), more: rows.length > limit }
    },
  })

const getUsage = (db: FilesDatabase, tenantBytes: number | undefined): Contract =>
  defineTool({
    name: 'files.get_usage',
    title: 'Get how much files take',
    description:
      'How many bytes the files of this tenant take with their versions, and how many they may take. Deleted files are not counted.',
    operation: 'read',
    risk: 'low',
    permissions: ['files:read'],
    input: z.strictObject({}),
    output: z.object({
      files: z.int(),
      bytes: z.int(),
      limitBytes: z.int().optional().describe('Absent: there is no limit'),
      freeBytes: z.int().optional(),
    }),
    failures: {},
    async run(_input, ctx) {
      const usage = await usageOf(db, ctx.principal.tenant)
      return tenantBytes === undefined
        ? usage
        : { ...usage, limitBytes: tenantBytes, freeBytes: Math.max(0, tenantBytes - usage.bytes) }
    },
  })
