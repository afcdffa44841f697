// The commands of a line that is known to read, as far as it is known beforehand what they are given.
import type { TextRange } from '../text-range.ts'
import type { Folders } from './folders.ts'
import type { ShellWord } from './words.ts'

/** One command; `for` counts as one, with the words that it goes through. */
export interface Called extends TextRange {
  readonly name: string
  readonly args: readonly ShellWord[]
  /** Files that it gets as its input (`< a`). */
  readonly inputs: readonly ShellWord[]
  /** Whether it gets its input from something in the line. */
  readonly fed: boolean
  /** Whether what it writes becomes words of another command. */
  readonly substituted: boolean
  /** The folders in which it may run, as far as they are known. */
  readonly folders: Folders
}

/** `/usr/bin/ls` is `ls`; what lies elsewhere may be anything. */
export const bare = (called: string): string => called.replace(/^\/(?:usr\/)?bin\/(?=[^/]+$)/, '')

/** A command, and those that it starts: `timeout 60 env`. What `xargs` starts is given more than stands there. */
export function withStarted(called: Called, given = false): readonly (Called & { readonly given: boolean })[] {
  const { name, args } = called
  const isXargs = bare(name) === 'xargs'
  const at = isXargs
    ? args.findIndex(({ exact = '' }) => !/^-|^\d+$|^(?:\{\}|%)$/.test(exact))
    : bare(name) === 'timeout'
      ? 1
      : -1
  const started = args[at]?.exact
  const inner = started === undefined ? [] : [{ ...called, name: started, args: args.slice(at + 1) }]
  return [{ ...called, given }, ...inner.flatMap((each) => withStarted(each, given || isXargs))]
}
