// Packages of pure Python that ship with the sandbox, and what importing them costs. `sandbox-packages/README.md` says how the
// archives and the table are made.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { packageRoot } from '../../package-root.ts'
import type { PackageInfo } from '../sandbox.ts'
import type { GivenFile } from '../workspace/file-tree.ts'
import { readTar } from './tar.ts'

const cost = z.strictObject({ fuel: z.int(), ms: z.number() })

const tableSchema = z.array(
  z.strictObject({
    language: z.enum(['python', 'javascript']),
    name: z.string(),
    version: z.string(),
    licence: z.string(),
    modules: z.array(z.string()),
    firstImport: cost,
    nextImport: cost,
    note: z.string().optional(),
  }),
)

const folder = (): string => join(packageRoot(), 'sandbox-packages')

let table: readonly PackageInfo[] | undefined
let files: readonly GivenFile[] | undefined

/** What ships, with the measured cost of each first and second import. */
export function packageTable(): readonly PackageInfo[] {
  const path = join(folder(), 'packages.json')
  table ??= existsSync(path) ? tableSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : []
  return table
}

/** All files of all packages, in memory that workers share. */
export function packageFiles(): readonly GivenFile[] {
  files ??= existsSync(folder())
    ? readdirSync(folder())
        .filter((name) => name.endsWith('.tar.gz'))
        .toSorted()
        .flatMap((name) => readTar(gunzipSync(readFileSync(join(folder(), name)))))
        .map(({ path, bytes }) => ({ path, bytes: shared(bytes) }))
    : []
  return files
}

function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}
