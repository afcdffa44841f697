// A cheatsheet is what an agent must read before it guesses a property name. It is the operator's text or ours: files,
// never anything that a client or an upstream sent (docs/DESIGN.md, section 5).
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { cheatsheetTtlSeconds, type Cheatsheet } from '../model/cheatsheet.ts'
import type { Docs } from '../model/docs.ts'
import { packageRoot } from '../package-root.ts'
import { customIssue } from '../tools/custom-issue.ts'
import { defineOwnTool } from '../tools/define-tool.ts'
import { ok } from '../errors/result.ts'
import type { Contract } from '../tools/contract.ts'
import { cheatsheetUri } from '../tools/names.ts'

/** A cheatsheet with its etag: a strong validator over the text. */
export const toCheatsheet = (name: string, text: string): Cheatsheet => ({
  name,
  text,
  etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
})

/** The text of one that ships with us. */
export const shippedCheatsheet = (name: string): string =>
  readFileSync(join(packageRoot(), 'cheatsheets', `${name}.md`), 'utf8')

/** Of a page or a cheatsheet, as errors and descriptions name it. */
const address = /^(?:countersign|mcp):\/\//

/** `get_cheatsheet`: the same texts, and those that errors name, for clients that read no resources. */
export function cheatsheetTool(sheets: readonly Cheatsheet[], docs: Docs): Contract {
  const names = sheets.map((sheet) => sheet.name)
  const known = `one of ${names.map((name) => JSON.stringify(name)).join(', ')}, or an address that an error names`
  const sheetOf = (name: string) => sheets.find((sheet) => name === sheet.name || name === cheatsheetUri(sheet.name))
  return defineOwnTool({
    name: 'get.cheatsheet',
    title: 'Get a cheatsheet',
    description: `Answers the cheatsheet of a provider: names, formats, examples; also the page at an address that an error names. There are: ${names.join(', ')}.`,
    category: 'help',
    operation: 'read',
    risk: 'low',
    input: z.strictObject({
      name: z
        .union([
          z.enum(names as [string, ...string[]]),
          z.string().refine((name) => address.test(name), customIssue(known)),
        ])
        .describe('Name of the cheatsheet, or an address.'),
    }),
    output: z.strictObject({ name: z.string(), etag: z.string(), ttl_seconds: z.number(), text: z.string() }),
    failures: {
      no_such_page: {
        effect: 'none',
        guidance: 'Use an address that an error names in `related_docs`, or one of those that the message lists.',
        retryable: 'after_change',
      },
    },
    cards: {
      result: (_, sheet) => ({ title: `Cheatsheet: ${sheet.name}`, blocks: [{ kind: 'text', text: sheet.text }] }),
    },
    run: async ({ name }, ctx) => {
      const sheet = sheetOf(name)
      const text = sheet === undefined ? await docs.read(name) : ok(sheet.text)
      if (!text.ok) return ctx.fail('no_such_page', text.failure)
      const { etag } = toCheatsheet(name, text.value)
      return { name: sheet?.name ?? name, etag, ttl_seconds: cheatsheetTtlSeconds, text: text.value }
    },
  })
}
