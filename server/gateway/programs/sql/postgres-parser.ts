// The parser of PostgreSQL itself, as WebAssembly: 1.8 MB that only a process needs which sees such a text.
import { packageOnFirstUse } from '../../../errors/optional-package.ts'
import type { PostgresParse } from './postgres.ts'

let parse: PostgresParse | undefined

/** Loads the parser; until then `postgresParser` has none. */
export const loadPostgresParser = packageOnFirstUse('libpg-query', async () => {
  const { loadModule, parseSync } = await import('libpg-query')
  await loadModule()
  parse = parseSync
})

/** The parser, once it is loaded. */
export const postgresParser = (): PostgresParse | undefined => parse
