// A parser of bash in TypeScript, which only a process needs that sees a line of a shell.
import type { forEachChild, parse } from 'unbash'
import { packageOnFirstUse } from '../../../errors/optional-package.ts'

export interface ShellParser {
  readonly parse: typeof parse
  readonly forEachChild: typeof forEachChild
}

let loaded: ShellParser | undefined

/** Loads the parser; until then `shellParser` has none. */
export const loadShellParser = packageOnFirstUse('unbash', async () => {
  loaded = await import('unbash')
})

/** The parser, once it is loaded. */
export const shellParser = (): ShellParser | undefined => loaded
