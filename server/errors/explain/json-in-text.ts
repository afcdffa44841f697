// Many servers wrap a structured error into a sentence: `Error 403: {"message": …}`. The JSON is looked for once, at the first
// bracket that can begin one, so that a hostile text costs no more than one pass.
import { cutJson } from '../cut-json.ts'

/** More values or levels are a document, not an error. */
const limits = { values: 200, levels: 8 }

/** The object or list in a text: the text itself, or what stands in it from its first bracket to the matching one. */
export function jsonInText(text: string): unknown {
  const start = text.search(/[{[]\s{0,20}(?:["{[]|$)/)
  if (start === -1) return undefined
  const end = endOf(text, start)
  if (end === -1) return undefined
  const json = text.slice(start, end)
  try {
    return JSON.parse(cutJson(json, limits)?.text ?? json)
  } catch {
    return undefined
  }
}

/** The place behind the bracket that closes the one at `start`; -1 where none does. */
function endOf(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22) {
      at = closingQuote(text, at)
      if (at === -1) return -1
    } else if (unit === 0x7b || unit === 0x5b) depth++
    else if ((unit === 0x7d || unit === 0x5d) && --depth === 0) return at + 1
  }
  return -1
}

function closingQuote(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x5c) at++
    else if (unit === 0x22) return at
  }
  return -1
}
