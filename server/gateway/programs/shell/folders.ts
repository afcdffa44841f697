// In which folder a command of a line runs. `cd` changes it and may fail, so there may be several; nothing stands for one
// that nobody knows.
import { isAbsolute, join } from 'node:path'
import type { ShellWord } from './words.ts'

export type Folders = readonly (string | undefined)[]

/** All of these, each once. */
export const anyOf = (...each: readonly Folders[]): Folders => [...new Set(each.flat())]

/** Where a word leads from each of these folders. */
export function leadsTo(word: ShellWord | undefined, from: Folders, home: string | undefined): Folders {
  const path = word?.home === true ? home && word.exact?.replace('~', () => home) : word?.exact
  // A shell goes up by the words and git by the links; and "-" stands for where a shell was before.
  if (path === undefined || path === '' || /^[-+~]|(?:^|\/)\.\.(?:\/|$)/.test(path)) return [undefined]
  return isAbsolute(path) ? [path] : anyOf(from.map((each) => each && join(each, path)))
}

/** Where `cd` with these words leads, if it does not fail. */
export const cdLeadsTo = (args: readonly ShellWord[], from: Folders, home: string | undefined): Folders =>
  args.length > 1 ? [undefined] : args.length === 0 ? [home] : leadsTo(args[0], from, home)
