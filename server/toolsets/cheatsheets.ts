// A cheatsheet is what an agent must read before it guesses a property name. It is the operator's text or ours: files,
// never anything that a client or an upstream sent (docs/DESIGN.md, section 5).
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { cheatsheetTtlSeconds, type Cheatsheet } from '../model/cheatsheet.ts'
import { defineOwnTool } from '../tools/define-tool.ts'
import type { Contract } from '../tools/contract.ts'

/** A cheatsheet with its etag: a strong validator over the text. */
export const toCheatsheet = (name: string, text: string): Cheatsheet => ({
  name,
  text,
  etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
})

/** `get_cheatsheet`: the same texts for clients that read no resources. */
export function cheatsheetTool(sheets: readonly Cheatsheet[]): Contract {
  const names = sheets.map((sheet) => sheet.name)
  return defineOwnTool({
    name: 'get.cheatsheet',
    title: 'Get a cheatsheet',
    description: `Answers the cheatsheet of a provider: names, formats, examples. There are: ${names.join(', ')}.`,
    category: 'help',
    operation: 'read',
    risk: 'low',
    input: z.strictObject({ name: z.enum(names as [string, ...string[]]).describe('Name of the cheatsheet.') }),
    output: z.strictObject({ name: z.string(), etag: z.string(), ttl_seconds: z.number(), text: z.string() }),
    failures: {},
    cards: {
      result: (_, sheet) => ({ title: `Cheatsheet: ${sheet.name}`, blocks: [{ kind: 'text', text: sheet.text }] }),
    },
    run: ({ name }) => {
      const sheet = sheets.find((candidate) => candidate.name === name)
      return { name, etag: sheet?.etag ?? '', ttl_seconds: cheatsheetTtlSeconds, text: sheet?.text ?? '' }
    },
  })
}
