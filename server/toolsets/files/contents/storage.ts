// Where contents lie: a folder, or a bucket that speaks S3, by flydrive. Keys are random: no name that came from outside
// ever becomes a path.
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import type { Disk } from 'flydrive'
import { packageOnFirstUse, withPackages } from '../../../errors/optional-package.ts'
import { ToolsetError } from '../../toolset.ts'
import { attachment } from './names.ts'

export interface Storage {
  /** When it answers, the content outlasts a power failure, as far as the system keeps its word. */
  write(key: string, bytes: Uint8Array): Promise<void>
  /** A stream that ends in an error of which `isGone` is true where there is nothing. */
  read(key: string): Promise<Readable>
  remove(key: string): Promise<void>
  /** An address at which whoever has it gets this, from a moment until another; only where the storage serves it itself. */
  readonly sign?: (key: string, as: SignedAs) => Promise<string>
  close(): Promise<void>
}

export interface SignedAs {
  readonly name: string
  readonly type: string
  /** Epoch milliseconds. */
  readonly from: number
  readonly until: number
}

/** A key that nobody can guess and nobody else has. */
export const newKey = (): string => {
  const key = randomBytes(20).toString('hex')
  return `${key.slice(0, 2)}/${key}`
}

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)

/** Whether nothing lies under a key: as the file system says it, and as S3 does. */
export const isGone = (error: unknown): boolean =>
  hasCode(error, 'ENOENT') || (error instanceof Error && error.name === 'NoSuchKey')

/** Whether there is no room for it. */
export const isFull = (error: unknown): boolean =>
  hasCode(error, 'ENOSPC', 'EDQUOT') ||
  // Servers that speak S3 say so by this status.
  (error instanceof Error && (error as { readonly $metadata?: Answered }).$metadata?.httpStatusCode === 507)

/** What the AWS SDK says of an answer. */
interface Answered {
  readonly httpStatusCode?: number
}

/** Loads what every place of contents needs. @throws {PackageMissing} where it is not installed. */
export const loadDisk = packageOnFirstUse('flydrive', () => import('flydrive'))

/** Loads what a bucket needs beside that. @throws {PackageMissing} where it is not installed. */
export const loadBucket = () =>
  withPackages(['@aws-sdk/client-s3', '@aws-sdk/s3-request-presigner'], () =>
    Promise.all([import('flydrive/drivers/s3'), import('@aws-sdk/client-s3'), import('@aws-sdk/s3-request-presigner')]),
  )

/**
 * Opens a folder or `s3://bucket/prefix`; a folder that ends with the server where none is named.
 * @throws {PackageMissing} where a package is not installed, {ToolsetError} where the folder cannot be made.
 */
export async function openStorage(place: string | undefined): Promise<Storage> {
  if (place?.startsWith('s3:') === true) return s3Storage(place)
  const { Disk } = await loadDisk()
  const { FSDriver } = await import('flydrive/drivers/fs')
  const location = place === undefined ? await mkdtemp(join(tmpdir(), 'countersign-files-')) : resolve(place)
  try {
    await mkdir(location, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new ToolsetError(
      `The folder for files, ${location}, cannot be made (${error instanceof Error ? error.message : String(error)}).`,
      'Set files.folder to a folder that this user may write to.',
    )
  }
  const disk = storageOn(new Disk(new FSDriver({ location, visibility: 'private' })))
  return {
    ...disk,
    write: async (key, bytes) => {
      await disk.write(key, bytes)
      const written = await open(join(location, key), 'r+')
      try {
        await written.sync()
      } finally {
        await written.close()
      }
    },
    close: async () => {
      if (place === undefined) await rm(location, { recursive: true, force: true })
    },
  }
}

async function s3Storage(place: string): Promise<Storage> {
  const { hostname: bucket, pathname, searchParams } = new URL(place)
  if (bucket === '')
    throw new ToolsetError(`${place} names no bucket.`, 'Set files.folder to s3://bucket or s3://bucket/prefix.')
  const { Disk } = await loadDisk()
  const [{ S3Driver }, { S3Client, GetObjectCommand }, { getSignedUrl }] = await loadBucket()
  const region = searchParams.get('region')
  const endpoint = searchParams.get('endpoint')
  const client = new S3Client({
    ...(region === null ? {} : { region }),
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
  })
  const disk = storageOn(
    // Buckets that are made today refuse access lists; what is not public needs none.
    new Disk(new S3Driver({ client, bucket, visibility: 'private', supportsACL: false })),
  )
  const at = (key: string): string => [...pathname.split('/').filter(Boolean), key].join('/')
  return {
    write: (key, bytes) => disk.write(at(key), bytes),
    read: (key) => disk.read(at(key)),
    remove: (key) => disk.remove(at(key)),
    sign: (key, { name, type, from, until }) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          Bucket: bucket,
          Key: at(key),
          ResponseContentDisposition: attachment(name),
          ResponseContentType: type,
        }),
        { signingDate: new Date(from), expiresIn: Math.floor((until - from) / 1000) },
      ),
    close: () => {
      client.destroy()
      return Promise.resolve()
    },
  }
}

export const storageOn = (disk: Disk): Storage => ({
  write: (key, bytes) => disk.put(key, bytes).catch(rethrowCause),
  read: (key) => disk.getStream(key).catch(rethrowCause),
  remove: (key) => disk.delete(key).catch(rethrowCause),
  close: () => Promise.resolve(),
})

/** flydrive says which key it was about; why it failed is in its cause. */
const rethrowCause = (error: unknown): never => {
  throw error instanceof Error && error.cause instanceof Error ? error.cause : error
}
