// The arguments of a call as its contract reads them. What that marks as secret is noted before it does: a schema may throw, and
// what it throws may repeat them.
import type { Failure } from '../../errors/failure.ts'
import type { Result } from '../../errors/result.ts'
import type { ToolCall } from '../call-context.ts'
import { noteGiven } from '../record/marked-values.ts'
import { parseArguments, type KnownOfCall, type ParsedArguments } from './parse.ts'

/** Checks and parses these arguments for the tool of the call. */
export function readArguments(call: ToolCall, args: unknown, known: KnownOfCall): Result<ParsedArguments, Failure> {
  noteGiven(call, args)
  return parseArguments(call.tool, args, call.engine.settings.maxArgumentBytes, known)
}
