// Where a server runs, as far as its command says: what it finds there decides what some of its calls do.
import { basename, resolve } from 'node:path'
import { matchByOrigin } from '../../gateway/profiles/match-profile.ts'
import type { Profile } from '../../gateway/profiles/profile.schema.ts'
import type { KnownServer } from '../../gateway/profiles/tool-profile.ts'
import { lookInto, type RepositoryLook } from '../../gateway/programs/git/look.ts'
import type { Machine } from '../../gateway/programs/git/machine.ts'
import { originOf } from '../../gateway/upstream/settings/started-from.ts'
import { isStdio, type ServerConfig } from '../../gateway/upstream/settings/upstream-config.schema.ts'
import { surroundings } from '../../model/surroundings.ts'

/** A server that is started here inherits the shell of its user; on Windows, and at an address, nobody knows what it has. */
export function unixOf(server: ServerConfig, profile: Profile): KnownServer['onUnix'] {
  if (!isStdio(server) || originOf(server).host !== undefined || process.platform === 'win32') return undefined
  const shell = basename(server.env['SHELL'] ?? surroundings().env['SHELL'] ?? 'sh')
  return { posixShell: /^(?:ba|da|k|z)?sh$/.test(shell), machine: machineOf(server, profile) }
}

/** Programs that start a server with other variables than it is given here. */
const wrappers = /^(?:env|cross-env|cmd)(?:\.exe)?$/

/** Options that leave the folder as it is; with any other (`-C /x`, `--call …`, `-r file`) nobody knows where a server starts. */
const staying = /^(?:-m|-q|-v+|-y|--(?:debug|no-onboarding|prefer-offline|quiet|repository(?:=.*)?|verbose|yes)?)$/

/** This machine, where the command starts the very program of the profile, and not one that leads to another machine. */
function machineOf(server: Extract<ServerConfig, { command: string }>, profile: Profile): Machine | undefined {
  const isOurs = matchByOrigin(server, [{ name: '', match: profile.match }]) !== undefined
  if (!isOurs || originOf(server).image !== undefined || wrappers.test(basename(server.command))) return undefined
  // What the SDK hands on of ours (`getDefaultEnvironment`), as far as git and the shell read it, and what its settings say.
  const { PATH, HOME, LOGNAME, USER } = surroundings().env
  const env = { PATH, HOME, LOGNAME, USER, ...server.env }
  // With it `cd a` leads to other folders of that name.
  if ('CDPATH' in env) return undefined
  return {
    folder: server.args.every((each) => !each.startsWith('-') || staying.test(each))
      ? resolve(server.cwd ?? '.')
      : undefined,
    home: env.HOME,
    look: oncePerTick((folder, until) => lookInto(folder, env, until)),
  }
}

/** Where a look took long and found a reason to ask, that is kept for so many times as long: a look stops all other work. */
const restsFor = 10

/**
 * A look that is made once for each folder until this process turns to something else: one call is rated five times on its
 * way, without a pause, and each look starts git three times. A call after it may find another repository there.
 */
export function oncePerTick(look: Machine['look'], now = (): number => performance.now()): Machine['look'] {
  const ofThisTick = new Map<string, RepositoryLook>()
  const resting = new Map<string, { readonly until: number; readonly found: RepositoryLook }>()
  return (folder, until) => {
    const begun = now()
    for (const [each, { until: end }] of resting) if (end <= begun) resting.delete(each)
    const before = ofThisTick.get(folder) ?? resting.get(folder)?.found
    if (before !== undefined) return before
    const found = look(folder, until)
    if (ofThisTick.size === 0) setImmediate(() => ofThisTick.clear())
    ofThisTick.set(folder, found)
    if (found.objections.length > 0) resting.set(folder, { until: now() + (now() - begun) * restsFor, found })
    return found
  }
}
