// Profiles of servers: the shipped ones lie beside our code, an operator's own where the settings say. Only the one that a
// server needs is read: an index says which that is.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { fail, ok, type Result } from '../errors/result.ts'
import { matchByOrigin, matchByServerInfo, type ProfileIndexEntry } from '../gateway/profiles/match-profile.ts'
import { profileSchema, type Profile } from '../gateway/profiles/profile.schema.ts'
import { loadProgramParser } from '../gateway/programs/read-program.ts'
import { readProfile } from '../gateway/profiles/read-profile.ts'
import type { KnownServer } from '../gateway/profiles/tool-profile.ts'
import type { ConfigFailure, ServerConfig } from '../gateway/upstream/settings/upstream-config.ts'
import { packageRoot } from '../package-root.ts'

const folder = (): string => join(packageRoot(), 'profiles')

const indexSchema = z.array(z.strictObject({ name: z.string(), match: profileSchema.shape.match }))

let index: readonly ProfileIndexEntry[] | undefined

/** What is shipped, without reading it: `npm run profiles` writes it, and a test holds it to the files. */
export const shippedIndex = (): readonly ProfileIndexEntry[] =>
  (index ??= indexSchema.parse(JSON.parse(readFileSync(join(folder(), 'index.json'), 'utf8'))))

/** A shipped profile. Ours is read by a test, so a mistake in it is one of ours. */
export function shippedProfile(name: string): Profile {
  const file = join(folder(), `${name}.yaml`)
  const read = readProfile(readFileSync(file, 'utf8'), file)
  if (!read.ok) throw new Error(`${read.failure[0]?.message} ${read.failure[0]?.next}`)
  return read.value
}

/** A profile of the operator's. */
export function ownProfile(file: string): Result<Profile, ConfigFailure> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error)
    return fail({
      message: `The profile ${file} cannot be read (${code}).`,
      next: 'Correct the path in the settings file, or take it out; `countersign profile new` writes one to begin with.',
    })
  }
  const read = readProfile(text, file)
  return read.ok ? read : fail(read.failure[0] ?? { message: `${file} cannot be read.`, next: 'Check it.' })
}

/** The name that the shipped profile of a server gives it. */
export const knownName = (server: ServerConfig): string | undefined => matchByOrigin(server, shippedIndex())

/**
 * Finds the profile of a server: the operator's, whose path is relative to `folder`, else the shipped one that fits what it
 * is started from.
 */
export function profileFor(server: ServerConfig, folder: string): Result<KnownServer | undefined, ConfigFailure> {
  if (server.profile === false) return ok(undefined)
  if (server.profile !== undefined) {
    const shipped = shippedIndex().some(({ name }) => name === server.profile)
    const read = shipped ? ok(shippedProfile(server.profile)) : ownProfile(resolve(folder, server.profile))
    return read.ok ? ok({ profile: read.value, lowers: true }) : read
  }
  const name = knownName(server)
  return ok(name === undefined ? undefined : { profile: shippedProfile(name), lowers: true })
}

/** The shipped profile of a server that introduced itself by this name. */
export function profileByServerInfo(name: string | undefined): KnownServer | undefined {
  const found = matchByServerInfo(name, shippedIndex())
  return found === undefined ? undefined : { profile: shippedProfile(found), lowers: false }
}

/** Loads what reading the programs takes that tools of this server run. */
export const loadParsers = async (known: KnownServer | undefined): Promise<void> => {
  const tools = Object.values(known?.profile.tools ?? {})
  await Promise.all(tools.map(async ({ program }) => program && loadProgramParser(program)))
}
