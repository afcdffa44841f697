// What git would run where a line looks into a repository. The line says where, the repository says what (ADR 43).
import type { RepositoryLook } from '../git/look.ts'
import { longestLook, type Machine } from '../git/machine.ts'
import { bare, type Called } from './called.ts'
import { leadsTo } from './folders.ts'
import { gitCall, gitReads } from './git.ts'

/** Sentences on the calls of git in a line. */
export interface RepositoryReads {
  /** What makes more than a read of it. */
  readonly more: readonly (readonly [Called, string])[]
  /** What prints a secret. */
  readonly secrets: readonly (readonly [Called, string])[]
}

/** What is said of each call of git that reads only where nothing is configured that runs. */
export function repositoryReads(line: readonly Called[], machine: Machine | undefined): RepositoryReads {
  // A line is looked at as of one moment, so each folder once.
  const seen = new Map<string, RepositoryLook>()
  const until = performance.now() + longestLook
  const found = line.flatMap((called): readonly RepositoryReads[] => {
    const call = bare(called.name) === 'git' && !gitReads(called.args) ? gitCall(called.args) : undefined
    if (call === undefined || machine === undefined) return []
    const { folders, name, args } = call
    const places = folders.reduce((from, word) => leadsTo(word, from, machine.home), called.folders)
    const known = places.filter((each) => each !== undefined)
    if (known.length < places.length) return [{ more: [[called, nowhere]], secrets: [] }]
    if (new Set([...seen.keys(), ...known]).size > mostFolders) return [{ more: [[called, tooMany]], secrets: [] }]
    const looks = known.map((each) => {
      const look = seen.get(each) ?? machine.look(each, until)
      seen.set(each, look)
      return look
    })
    const prints = name === 'remote' && args.length > 0 && looks.some(({ secretAddress }) => secretAddress)
    return [
      {
        more: looks.flatMap(({ objections }) => objections.map((each) => [called, each] as const)),
        secrets: prints
          ? [[called, 'Prints an address with a password or a token in it, which goes to the agent.']]
          : [],
      },
    ]
  })
  return { more: found.flatMap(({ more }) => more), secrets: found.flatMap(({ secrets }) => secrets) }
}

const mostFolders = 4

const tooMany = `Looks into more than ${mostFolders} folders with git, which are not all looked at here: a line for each says it.`

const nowhere =
  'Looks into a repository with git, which runs whatever that configures, and nobody knows in which folder: `git -C /its/folder …` says it.'
