// Whether a model has repeated the call that it was asked for. Members may come in another order, since no server sees one; a call
// tool's `args_json` is compared as the arguments that it holds.
import { compareArguments } from '../rail/intake/argument-differences.ts'
import { readCallArguments } from './models/model.ts'
import type { Values } from './stage/values.ts'

/** What a sentence shows of a value. */
const shown = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? 'nothing')
  return text.length > 160 ? `${text.slice(0, 159)}…` : text
}

/** The arguments behind a gateway travel as a text, whose blanks and order mean nothing. */
const opened = (args: Values): Values => {
  const inner = args['args_json']
  const read = typeof inner === 'string' ? readCallArguments(inner).args : undefined
  return read === undefined ? args : { ...args, args_json: read }
}

/** The places at which two calls differ, in words; empty where they are the same call. */
export const differencesOf = (expected: Values, got: Values): readonly string[] =>
  compareArguments(opened(expected), opened(got)).map(
    ({ pointer, confirmed, received }) => `${pointer}: ${shown(received)} for ${shown(confirmed)}`,
  )
