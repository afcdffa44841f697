// The folder that an operator named for files of programs. Names come from an agent, so nothing is followed that leads out
// of it: no "..", no link, nothing that is no file.
import { constants } from 'node:fs'
import { lstat, mkdir, open, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { fail, ok, type Result } from '../../errors/result.ts'
import { errnoOf } from '../../store/failure.ts'
import { replaceFile } from '../../store/private-file.ts'
import type { ExportFolder, ExportTarget } from '../../toolsets/sandbox/export.ts'

/** The most of a file that is compared with what replaces it. */
const mostBytes = 64 * 1024 * 1024

/** Names that mean something else to Windows: devices, streams, and what it cuts off at the end. */
const oddName = /[<>:"|?*\\\p{Cc}]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu

/** Opens the folder; it is made with the first file. */
export function exportFolder(name: string): ExportFolder {
  const folder = resolve(name)

  const look = async (path: string): Promise<Result<ExportTarget, string>> => {
    const parts = path.split('/')
    if (isAbsolute(path) || parts.some((part) => part === '' || part === '.' || part === '..' || oddName.test(part)))
      return fail(`${JSON.stringify(path)} is no relative path of plain names.`)
    const link = await linkAmong(folder, parts)
    if (link !== undefined) return fail(`${link} is a link or no folder; nothing is written through it.`)
    const file = join(await realOf(folder), ...parts)
    const bytes = await contentOf(file)
    return bytes.ok ? ok({ file, ...(bytes.value === undefined ? {} : { bytes: bytes.value }) }) : bytes
  }

  return {
    name,
    look,
    write: async (path, bytes) => {
      const target = await look(path)
      if (!target.ok) return target
      try {
        await mkdir(dirname(target.value.file), { recursive: true })
        await replaceFile(target.value.file, bytes, 0o644)
        return ok(undefined)
      } catch (error) {
        return fail(`${target.value.file} cannot be written: ${(error as Error).message}`)
      }
    },
  }
}

const realOf = async (folder: string): Promise<string> => {
  try {
    return await realpath(folder)
  } catch {
    return folder
  }
}

/** The first part of the way to a file that is there and is no plain folder. */
async function linkAmong(folder: string, parts: readonly string[]): Promise<string | undefined> {
  for (let depth = 1; depth < parts.length; depth++) {
    const place = [folder, ...parts.slice(0, depth)].join(sep)
    try {
      if (!(await lstat(place)).isDirectory()) return place
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined
      return place
    }
  }
  return undefined
}

/** What a file holds; nothing where it is not there. */
async function contentOf(file: string): Promise<Result<Uint8Array | undefined, string>> {
  try {
    // A link is not followed, also where it was put there a moment ago.
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stats = await handle.stat()
      if (!stats.isFile()) return fail(`${file} is there and is no file.`)
      if (stats.size > mostBytes) return fail(`${file} is there and larger than ${mostBytes} bytes.`)
      return ok(await handle.readFile())
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return ok(undefined)
    return fail(`${file} is there and cannot be read as a plain file (${errnoOf(error) ?? 'unknown'}).`)
  }
}
