// Keys of other people's services that a gateway's servers are started with. A settings file is mailed and committed, so it
// names them as `${secret:NAME}`, and here they lie: sealed, in a file of the user's data directory that only its owner may
// read. Whoever runs programs as this user can open them all the same; a copy of one file alone says nothing.
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { isSecretName, secretNameWords } from '../model/secret-name.ts'
import { dataFile } from './default-file.ts'
import type { Result } from '../errors/result.ts'
import { errnoOf, refuse, type StoreFailure, type StoreResult } from './failure.ts'
import { keyFromFile } from './key.ts'
import { exposedMode, replaceFile } from './private-file.ts'
import { createSealer, type Sealer } from './seal.ts'
import { withFileLock } from './file-lock.ts'

/** Name of a secret, as a settings file writes it behind `secret:`. */
export const secretName = z.string().refine(isSecretName, `must consist of ${secretNameWords}`)

export type Secrets = ReadonlyMap<string, string>

const fileSchema = z.strictObject({ version: z.literal(1), secrets: z.record(z.string(), z.base64()) })

const place = 'configured secret'

/** The file in which the user's secrets lie, whichever database a gateway works on. */
export const secretsFile = (env: Readonly<Record<string, string | undefined>>): string =>
  join(dirname(dataFile(env, process.platform, homedir())), 'secrets.json')

/** All secrets by name; none where there is no file. Fails where it does not open or others may read it. */
export async function readSecrets(file: string): Promise<StoreResult<Secrets>> {
  if (!existsSync(file)) return { ok: true, value: new Map() }
  const broken = (why: string) =>
    refuse(
      'corrupt',
      file,
      `The secrets in ${file} cannot be opened: ${why}.`,
      'Put the file and its key back from a backup; or move both away, and keep the secrets anew with `countersign secrets set`.',
    )
  try {
    const exposed = await exposedMode(file)
    if (exposed !== undefined)
      return refuse(
        'key-exposed',
        file,
        `The secrets file ${file} has permissions ${exposed}: other users may read it.`,
        `Run \`chmod 600 ${file}\`.`,
      )
    const sealer = await sealerOf(file)
    if (!sealer.ok) return sealer
    const parsed = fileSchema.safeParse(JSON.parse(await readFile(file, 'utf8')))
    if (!parsed.success) return broken('it has another form than this version writes')
    return {
      ok: true,
      value: new Map(
        Object.entries(parsed.data.secrets).map(([name, sealed]) => [
          name,
          sealer.value.open(name, place, Buffer.from(sealed, 'base64')),
        ]),
      ),
    }
  } catch (error) {
    return broken(errnoOf(error) ?? (error instanceof SyntaxError ? 'it is no JSON' : (error as Error).message))
  }
}

/** Changes the secrets in one step, in turn with every other command: `change` has them as they are by then. */
export async function changeSecrets<Refused>(
  file: string,
  change: (kept: Secrets) => Result<Secrets, Refused>,
): Promise<Result<void, StoreFailure | Refused>> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    return await withFileLock(file, async () => {
      const kept = await readSecrets(file)
      const changed = kept.ok ? change(kept.value) : kept
      return changed.ok ? writeSecrets(file, changed.value) : changed
    })
  } catch (error) {
    return refuseWrite(file, error)
  }
}

const refuseWrite = (file: string, error: unknown) =>
  refuse(
    'read-only',
    file,
    `The secrets cannot be written to ${file} (${errnoOf(error) ?? (error as Error).message}).`,
    'Nothing was changed. Make its folder writable for you, and run it again.',
  )

/** Replaces the file by these secrets, in one step. */
async function writeSecrets(file: string, secrets: Secrets): Promise<StoreResult<void>> {
  const sealer = await sealerOf(file)
  if (!sealer.ok) return sealer
  const sealed = [...secrets].map(([name, value]): [string, string] => [
    name,
    Buffer.from(sealer.value.seal(name, place, value)).toString('base64'),
  ])
  try {
    await replaceFile(file, `${JSON.stringify({ version: 1, secrets: Object.fromEntries(sealed) }, null, 2)}\n`)
    return { ok: true, value: undefined }
  } catch (error) {
    return refuseWrite(file, error)
  }
}

/** Its key lies beside it, and is made together with it. */
async function sealerOf(file: string): Promise<StoreResult<Sealer>> {
  const isNew = !existsSync(file)
  if (!isNew && !existsSync(`${file}.key`))
    return refuse(
      'key-unreadable',
      file,
      `The key of the secrets in ${file} is not at ${file}.key.`,
      'Put it back from a backup; or move the file away, and keep the secrets anew with `countersign secrets set`.',
    )
  const key = await keyFromFile(file, isNew)
  if (key.ok) return { ok: true, value: createSealer(key.value) }
  // What helps a database does not help here.
  const next = `Make ${file}.key readable for you alone (chmod 600), or put it back from a backup; where neither helps, move it and ${file} away, and keep the secrets anew with \`countersign secrets set\`.`
  return { ok: false, failure: { ...key.failure, next } }
}
