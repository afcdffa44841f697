// Profiles of servers: the shipped ones lie beside our code, an operator's own where the settings say. Only the one that a
// server needs is read: an index says which that is. The build has read the shipped ones already, because most servers have
// one, and reading it would be a tenth of a start; what reads them is loaded for those of operators.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { nearest } from '../../errors/nearest.ts'
import { withPackages } from '../../errors/optional-package.ts'
import { fail, ok, type Result } from '../../errors/result.ts'
import { matchByOrigin, matchByServerInfo, type ProfileIndexEntry } from '../../gateway/profiles/match-profile.ts'
import type { Profile } from '../../gateway/profiles/profile.schema.ts'
import type { PropertyTable } from '../../gateway/profiles/property-table.ts'
import type { KnownServer } from '../../gateway/profiles/tool-profile.ts'
import type { ConfigFailure, ServerConfig } from '../../gateway/upstream/settings/upstream-config.ts'
import { packageRoot } from '../../package-root.ts'
import { builtProfile } from '../package-files.ts'
import { unixOf } from './server-machine.ts'

const folder = (): string => join(packageRoot(), 'profiles')

let index: readonly ProfileIndexEntry[] | undefined

/** What is shipped, without reading it: a test holds it to the files, and writes it (`vitest -u`). */
export const shippedIndex = (): readonly ProfileIndexEntry[] =>
  (index ??= JSON.parse(readFileSync(join(folder(), 'index.json'), 'utf8')) as readonly ProfileIndexEntry[])

/** A shipped profile. Ours is read by a test and by the build, so a mistake in it is one of ours. */
export async function shippedProfile(name: string): Promise<Profile> {
  const built = builtProfile(name)
  return built !== undefined && existsSync(built)
    ? (JSON.parse(readFileSync(built, 'utf8')) as Profile)
    : readShippedProfile(name)
}

/** The same from the file that people write. */
export async function readShippedProfile(name: string): Promise<Profile> {
  const file = join(folder(), `${name}.yaml`)
  const { readProfile } = await withPackages(['yaml'], () => import('../../gateway/profiles/read-profile.ts'))
  const read = readProfile(readFileSync(file, 'utf8'), file)
  if (!read.ok) throw new Error(`${read.failure[0]?.message} ${read.failure[0]?.next}`)
  return read.value
}

/** A profile of the operator's, with its text: everything that is wrong with it is said. */
export async function ownProfile(
  file: string,
): Promise<Result<{ readonly profile: Profile; readonly source: string }, readonly ConfigFailure[]>> {
  let source: string
  try {
    source = readFileSync(file, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error)
    const message = `The profile ${file} cannot be read (${code}).`
    return fail([{ message, next: 'Correct its path; `countersign profile new` writes one to begin with.' }])
  }
  const { readProfile } = await withPackages(['yaml'], () => import('../../gateway/profiles/read-profile.ts'))
  const read = readProfile(source, file)
  return read.ok ? ok({ profile: read.value, source }) : read
}

/** A word without a folder and an ending is the name of a shipped profile, or a mistake in one. */
const isName = (given: string): boolean => /^[\w-]+$/.test(given)

async function namedProfile(given: string, folder: string): Promise<Result<Profile, ConfigFailure>> {
  const names = shippedIndex().map(({ name }) => name)
  if (names.includes(given)) return ok(await shippedProfile(given))
  const file = resolve(folder, given)
  if (isName(given) && !existsSync(file)) {
    const [near] = nearest(given, names)
    return fail({
      message: `There is no profile "${given}".`,
      next: `${near === undefined ? '' : `Did you mean "${near}"? `}\`countersign profile list\` shows those that are shipped; one of your own is a file ("./${given}.yaml").`,
    })
  }
  const read = await ownProfile(file)
  if (read.ok) return ok(read.value.profile)
  return fail(read.failure[0] ?? { message: `${file} cannot be read.`, next: 'Check it.' })
}

const sheetFile = (name: string, ending: 'md' | 'fields.yaml'): string =>
  join(packageRoot(), 'cheatsheets', `${name}.${ending}`)

/** The file of the shipped cheatsheet that a profile names. */
export function sheetOf({ name, cheatsheet }: Profile): Result<string | undefined, ConfigFailure> {
  if (cheatsheet === undefined) return ok(undefined)
  const file = sheetFile(cheatsheet, 'md')
  if (existsSync(file)) return ok(file)
  const shipped = readdirSync(dirname(file)).flatMap((each) => (each.endsWith('.md') ? [basename(each, '.md')] : []))
  return fail({
    message: `The profile ${name} names the cheatsheet "${cheatsheet}", and there is none of that name.`,
    next: `Shipped are ${shipped.join(', ')}; one of your own is a file in the settings of its server.`,
  })
}

/** With the names that its cheatsheet knows. A preview asks for them, and no start. */
function withProperties(known: KnownServer): KnownServer {
  const { cheatsheet } = known.profile
  if (cheatsheet === undefined) return known
  let read: Promise<PropertyTable | undefined> | undefined
  return { ...known, knownProperties: () => (read ??= shippedProperties(cheatsheet)) }
}

/** The names that a shipped cheatsheet knows. Ours is read by a test, so a mistake in it is one of ours. */
export async function shippedProperties(cheatsheet: string): Promise<PropertyTable | undefined> {
  const file = sheetFile(cheatsheet, 'fields.yaml')
  if (!existsSync(file)) return undefined
  const { readPropertyTable } = await withPackages(['yaml'], () => import('../../gateway/profiles/property-table.ts'))
  const read = readPropertyTable(readFileSync(file, 'utf8'), file)
  if (!read.ok) throw new Error(read.failure)
  return read.value
}

/**
 * Finds the profile of a server: the operator's, whose path is relative to `folder`, else the shipped one that fits what it
 * is started from.
 */
export async function profileFor(
  server: ServerConfig,
  folder: string,
): Promise<Result<KnownServer | undefined, ConfigFailure>> {
  if (server.profile === false) return ok(undefined)
  const known = (profile: Profile, by: string): KnownServer =>
    withProperties({ profile, lowers: true, by, onUnix: unixOf(server, profile) })
  if (server.profile !== undefined) {
    const read = await namedProfile(server.profile, folder)
    return read.ok ? ok(known(read.value, `the settings ("${server.profile}")`)) : read
  }
  const found = matchByOrigin(server, shippedIndex())
  return ok(found && known(await shippedProfile(found.name), found.by))
}

/** The shipped profile of a server that introduced itself by this name. */
export async function profileByServerInfo(name: string | undefined): Promise<KnownServer | undefined> {
  const found = matchByServerInfo(name, shippedIndex())
  const by = `the name that it gives itself, ${name}`
  return found === undefined ? undefined : withProperties({ profile: await shippedProfile(found), lowers: false, by })
}
