// MCP has a mark for a call that failed (`isError`), and many servers do not set it: they answer "Failed to create refund"
// as if that were a result. Such a call must not stand in the record as one that ran.
import type { RawResult } from '../upstream.ts'
import { textOf } from './upstream-call.ts'

/** How a text begins whose server has caught an error and answers with it. */
const begins =
  /^\W*(?:(?:error|failure|exception|fatal(?: error)?)\s*(?:[:!(\n]|$)|traceback|error (?:\w+ing|while|occurred)\b|(?:failed|unable) to\b|could not\b|cannot\b|can't\b)/i

/** Whether a server says of a call that it failed: by the mark, in its structured answer, or in how its text begins. */
export function saysFailed(result: RawResult): boolean {
  if (result.isError === true) return true
  if (isFailure(result.structuredContent)) return true
  const text = textOf(result).trim()
  return begins.test(text.slice(0, 200)) || isFailure(asJson(text))
}

/** An object that names an error, or says that there was no success. */
function isFailure(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { error, success, ok, status, id } = value as Record<string, unknown>
  const named =
    typeof error === 'string' ? error !== '' : typeof error === 'object' && Object.keys(error ?? {}).length > 0
  // What has an id is a thing that was written, such as a job, and its status may be the very change that was asked for.
  const stated = id === undefined && (status === 'error' || status === 'failed')
  return named || success === false || ok === false || stated
}

/** Longer texts are documents, not the report of an error. */
const longestReport = 20_000

function asJson(text: string): unknown {
  if (!text.startsWith('{') || text.length > longestReport) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
