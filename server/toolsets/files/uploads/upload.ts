// Contents come in at the web door, from people and their programs: a model has no bytes to send. What is sent is counted
// while it arrives, and nothing that a sender says of it is believed but its name.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { plainSentence } from '../../../cards/figures.ts'
import { fail, ok, type Result } from '../../../errors/result.ts'
import type { Principal } from '../../../model/principal.ts'
import { plainSize } from '../../say.ts'
import type { RouteCaller, ToolsetRoute } from '../../toolset.ts'
import { contentTypeOf } from '../contents/content-type.ts'
import { measured } from '../contents/content.ts'
import { cleanName, searchable } from '../contents/names.ts'
import type { FilesParts } from '../parts.ts'
import { everSince, findFile, findNamed, isoAt, versionsOf, type StoredFile } from '../queries.ts'
import { fileView } from '../shapes.ts'
import { noRoomFor, takeTurn } from './quota.ts'
import { isFull, newKey } from '../contents/storage.ts'
import { removeLoose } from '../deletion/sweep.ts'
import type { FilesDatabase } from '../tables.ts'

export const uploadPath = '/api/v1/files'

/** Uploads at a time: each is held in memory until it is written. */
const mostAtOnce = 4

/** Bytes that the form around a file may take: its boundaries and headers. */
const formBytes = 64 * 1024

/** One part with the name `file`, which is a file. */
const form = z.tuple([z.tuple([z.literal('file'), z.file()])])

interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly next: string
}

const refuse = ({ status, ...error }: Refusal, headers: Readonly<Record<string, string>> = {}): Response =>
  Response.json({ error }, { status, headers })

/** `POST /api/v1/files`. */
export function uploadRoute(parts: KeepingParts & Pick<FilesParts, 'maxBytes'>): ToolsetRoute {
  let running = 0
  return {
    path: uploadPath,
    open: 'callers',
    handle: async (request, caller) => {
      const refusal = refusedBefore(request, caller, parts.maxBytes)
      if (refusal !== undefined) return refusal
      if (running >= mostAtOnce)
        return refuse(
          { status: 503, code: 'busy', message: 'Too many files are being uploaded.', next: 'Try again in a moment.' },
          { 'retry-after': '2' },
        )
      running += 1
      try {
        const sent = await readForm(request, parts.maxBytes)
        if (!sent.ok) return refuse(sent.failure)
        const name = cleanName(sent.value.name)
        if (!name.ok) return refuse(wrongName(name.failure))
        const stored = await keepFile(parts, caller.principal, { name: name.value, bytes: await sent.value.bytes() })
        return stored.ok ? Response.json({ file: fileView(stored.value) }, { status: 201 }) : refuse(stored.failure)
      } finally {
        running -= 1
      }
    },
  }
}

const tooLarge = (maxBytes: number): Refusal => ({
  status: 413,
  code: 'file-too-large',
  message: `The file is larger than ${plainSize(maxBytes)}.`,
  next: 'Send a smaller one, or have the operator raise files.max_mb.',
})

const wrongForm: Refusal = {
  status: 400,
  code: 'wrong-form',
  message: 'The request is no multipart/form-data with one file in a part that is named "file".',
  next: 'Send it as `curl -F file=@NAME` does.',
}

const wrongName = (why: 'empty' | 'too-long'): Refusal => ({
  status: 400,
  code: 'wrong-name',
  message: why === 'empty' ? 'The file has no name.' : 'The name of the file is longer than 200 characters.',
  next: 'Give it a name of 1 to 200 visible characters.',
})

const overQuota = (message: string): Refusal => ({
  status: 507,
  code: 'quota-exceeded',
  message: plainSentence(message),
  next: 'Delete files that are not needed, or have the operator raise files.tenant_mb.',
})

/** What can be refused without reading it. */
function refusedBefore(request: Request, caller: RouteCaller, maxBytes: number): Response | undefined {
  if (new URL(request.url).pathname !== uploadPath)
    return refuse({
      status: 404,
      code: 'not-found',
      message: 'There is nothing at this address.',
      next: `POST ${uploadPath} takes a file; the tools of this server list what is there.`,
    })
  if (request.method !== 'POST')
    return refuse(
      {
        status: 405,
        code: 'method-not-allowed',
        message: `${uploadPath} does not know ${request.method}.`,
        next: 'Upload with POST; list and get files with the tools of this server.',
      },
      { allow: 'POST' },
    )
  const missing = caller.missing(['files:write'])
  if (missing.length > 0)
    return refuse({
      status: 403,
      code: 'permission-denied',
      message: `The caller lacks the permission ${missing.join(', ')}.`,
      next: 'Ask the operator for it.',
    })
  // A length that is not declared is counted as it comes.
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes + formBytes) return refuse(tooLarge(maxBytes))
  return undefined
}

async function readForm(request: Request, maxBytes: number): Promise<Result<File, Refusal>> {
  let read = 0
  let isOver = false
  const counted = request.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        read += chunk.byteLength
        isOver ||= read > maxBytes + formBytes
        if (isOver) controller.error(new Error('more than may be sent'))
        else controller.enqueue(chunk)
      },
    }),
  )
  try {
    const type = request.headers.get('content-type') ?? ''
    const sent = form.safeParse([...(await new Response(counted, { headers: { 'content-type': type } }).formData())])
    if (!sent.success) return fail(wrongForm)
    const [[, file]] = sent.data
    return file.size > maxBytes ? fail(tooLarge(maxBytes)) : ok(file)
  } catch {
    return fail(isOver ? tooLarge(maxBytes) : wrongForm)
  }
}

/** What keeping a file needs. */
export type KeepingParts = Pick<FilesParts, 'db' | 'storage' | 'now' | 'report' | 'tenantBytes'>

/**
 * Writes the content, then the rows that name it. Until they are there the content is a loose one, which is swept: however
 * this ends, nothing stays that nobody knows of, and no row names what is not there.
 */
export async function keepFile(
  { db, storage, now, report, tenantBytes }: KeepingParts,
  { tenant, subject }: Principal,
  { id: newId = `fl_${randomBytes(12).toString('hex')}`, name, bytes }: NewFile,
): Promise<Result<StoredFile, Refusal>> {
  // Found out once more when it gets its name; what is over already need not be written first.
  const over = await noRoomFor({ tenantBytes }, db, tenant, bytes.length)
  if (over !== undefined) return fail(overQuota(over))
  const type = await contentTypeOf(bytes)
  const storage_key = newKey()
  await db
    .insertInto('files_loose')
    .values({ storage_key, since: isoAt(now()) })
    .execute()
  try {
    await storage.write(storage_key, bytes)
  } catch (error) {
    // What was written of it would take the room that the next one needs.
    await removeLoose({ db, storage }, storage_key).catch((left: unknown) => void report(left, 'files: upload'))
    if (!isFull(error)) throw error
    report(error, 'files: upload')
    return fail({
      status: 507,
      code: 'storage-full',
      message: 'There is no room for the file; nothing of it was kept.',
      next: 'Tell the operator of this server, who has been told too.',
    })
  }
  const content = { storage_key, type, ...measured(bytes), created_at: isoAt(now()), created_by: subject }
  for (;;) {
    const given = await db.transaction().execute(async (transaction) => {
      if (tenantBytes !== undefined) await takeTurn(transaction, tenant)
      const full = await noRoomFor({ tenantBytes }, transaction, tenant, content.bytes)
      return full === undefined ? named(transaction, { newId, tenant, name, content }) : { full }
    })
    if (typeof given === 'object') {
      await removeLoose({ db, storage }, storage_key)
      return fail(overQuota(given.full))
    }
    const id = given
    const file = id === undefined ? undefined : await findFile(db, tenant, id)
    // Somebody else has made or deleted the file of this name meanwhile.
    if (file !== undefined) return ok(file)
    if (id !== undefined) throw new Error(`The file ${id} was deleted while it was uploaded.`)
  }
}

/** A file to keep: a new version where there is one of its name. */
export interface NewFile {
  /** Where there is no file of this name; any when absent. */
  readonly id?: string
  readonly name: string
  readonly bytes: Uint8Array
}

interface Naming {
  readonly newId: string
  readonly tenant: string
  readonly name: string
  readonly content: Omit<Parameters<typeof addVersion>[1], 'file_id' | 'number'>
}

/** Makes a content the newest version of the file of this name; `undefined` where another process was faster. */
async function named(
  transaction: FilesDatabase,
  { newId: id, tenant, name, content }: Naming,
): Promise<string | undefined> {
  const before = await findNamed(transaction, tenant, name)
  if (before === undefined) {
    const search_name = searchable(name)
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('files_files')
      .values({
        id,
        tenant,
        name,
        search_name,
        current: 1,
        created_at: content.created_at,
        deleted_at: null,
        version: 1,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows !== 1n) return undefined
    await addVersion(transaction, { ...content, file_id: id, number: 1 })
    return id
  }
  const { numUpdatedRows } = await transaction
    .updateTable('files_files')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', before.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return undefined
  const number = ((await versionsOf(transaction, before.id))[0]?.number ?? 0) + 1
  await addVersion(transaction, { ...content, file_id: before.id, number })
  await transaction.updateTable('files_files').set({ current: number }).where('id', '=', before.id).execute()
  return before.id
}

async function addVersion(
  transaction: FilesDatabase,
  version: Awaited<ReturnType<typeof versionsOf>>[number],
): Promise<void> {
  await transaction.insertInto('files_versions').values(version).execute()
  const { numDeletedRows } = await transaction
    .deleteFrom('files_loose')
    .where('storage_key', '=', version.storage_key)
    .where('since', '>', everSince)
    .executeTakeFirst()
  if (numDeletedRows !== 1n) throw new Error('The content was swept before it had a name: its upload took too long.')
}
