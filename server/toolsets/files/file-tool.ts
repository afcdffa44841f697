// Writes are rehearsed (`../rehearsal.ts`); these are the rows that their forecasts rely on.
import { failuresIn } from '../languages.ts'
import { rehearsedTools, type SeenRow } from '../rehearsal.ts'
import type { FilesTables } from './tables.ts'
import { languages, wordsIn } from './words.ts'

const keys = { files_files: 'id', files_links: 'id' } as const

type Seen = SeenRow<keyof typeof keys>

/** Declares a tool that writes. */
export const fileTool = rehearsedTools<FilesTables, keyof typeof keys>({
  prefix: 'files_',
  keys,
  cheatsheet: 'files',
  languages,
  says: failuresIn(wordsIn, languages),
})

/**
 * The row of a file. It moves with whatever a card about the file says: its content, its deletion, a link that is revoked. A
 * new link moves nothing, so that the same link may be asked for by many at once.
 */
export const sawFile = ({ id, version }: { readonly id: string; readonly version: number }, moves: boolean): Seen => ({
  table: 'files_files',
  key: id,
  version,
  moves,
})

/** The row of a link. */
export const sawLink = ({ id, version }: { readonly id: string; readonly version: number }, moves: boolean): Seen => ({
  table: 'files_links',
  key: id,
  version,
  moves,
})
