// Where a server runs, as far as its command says: what it finds there decides what some of its calls do.
import { basename, resolve } from 'node:path'
import { matchByOrigin } from '../../gateway/profiles/match-profile.ts'
import type { Profile } from '../../gateway/profiles/profile.schema.ts'
import type { KnownServer } from '../../gateway/profiles/tool-profile.ts'
import { lookInto, type RepositoryLook } from '../../gateway/programs/git/look.ts'
import type { Machine } from '../../gateway/programs/git/machine.ts'
import { originOf } from '../../gateway/upstream/settings/started-from.ts'
import { isStdio, type ServerConfig } from '../../gateway/upstream/settings/upstream-config.schema.ts'

/** A server that is started here inherits the shell of its user; on Windows, and at an address, nobody knows what it has. */
export function unixOf(server: ServerConfig, profile: Profile): KnownServer['onUnix'] {
  if (!isStdio(server) || originOf(server).host !== undefined || process.platform === 'win32') return undefined
  const shell = basename(server.env['SHELL'] ?? process.env['SHELL'] ?? 'sh')
  return { posixShell: /^(?:ba|da|k|z)?sh$/.test(shell), machine: machineOf(server, profile) }
}

/** Programs that start a server with other variables than it is given here. */
const wrappers = /^(?:env|cross-env|cmd)(?:\.exe)?$/

/** Options of what starts a server, which then starts in another folder. */
const elsewhere = /^(?:-[Cw]$|--(?:cwd|prefix|dir|directory|chdir|workspace|project)(?:=|$))/

/** This machine, where the command starts the very program of the profile, and not one that leads to another machine. */
function machineOf(server: Extract<ServerConfig, { command: string }>, profile: Profile): Machine | undefined {
  const isOurs = matchByOrigin(server, [{ name: '', match: profile.match }]) !== undefined
  if (!isOurs || originOf(server).image !== undefined || wrappers.test(basename(server.command))) return undefined
  // What the SDK hands on of ours (`getDefaultEnvironment`), as far as git and the shell read it, and what its settings say.
  const { PATH, HOME, LOGNAME, USER } = process.env
  const env = { PATH, HOME, LOGNAME, USER, ...server.env }
  // With it `cd a` leads to other folders of that name.
  if ('CDPATH' in env) return undefined
  return {
    folder: server.args.some((each) => elsewhere.test(each)) ? undefined : resolve(server.cwd ?? '.'),
    home: env.HOME,
    look: keptShortly((folder) => lookInto(folder, env)),
  }
}

/** Milliseconds. One call is rated five times on its way, and each look starts git three times. */
const keptFor = 250

/** What was found for the same folder a moment ago. */
function keptShortly(look: Machine['look']): Machine['look'] {
  let last: { readonly folder: string; readonly at: number; readonly found: RepositoryLook } | undefined
  return (folder) => {
    if (last?.folder !== folder || performance.now() - last.at > keptFor)
      last = { folder, found: look(folder), at: performance.now() }
    return last.found
  }
}
