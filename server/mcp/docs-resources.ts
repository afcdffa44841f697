// Documentation as resources: one template, so that no client's list is crowded, whose addresses errors name. MCP says nothing
// of fragments, and clients send an address as it stands, so `#section` is a part of it like any other.
import type { ReadResourceResult, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { docsUri, isDocsAddress, type Docs } from '../model/docs.ts'
import { noSuchResource } from './no-such-resource.ts'

/** The pages as a resource template (RFC 6570). */
export const docsTemplate = {
  uriTemplate: `${docsUri}{page}`,
  name: 'countersign-docs',
  title: 'Documentation',
  description:
    'Pages on this server: errors and what to do, previews and tickets, settings, operators. `#section` after the page answers one section, as `related_docs` of an error names it.',
  mimeType: 'text/markdown',
} as const satisfies ResourceTemplate & { readonly title: string }

/** The documentation at this address; `undefined` where the address is of something else. */
export async function readDocs(docs: Docs, uri: string): Promise<ReadResourceResult | undefined> {
  if (!isDocsAddress(uri)) return undefined
  const found = await docs.read(uri)
  if (!found.ok) throw noSuchResource(uri, found.failure)
  return { contents: [{ uri, mimeType: docsTemplate.mimeType, text: found.value }] }
}

const asked = z.looseObject({
  ref: z.looseObject({ type: z.literal('ref/resource'), uri: z.literal(docsTemplate.uriTemplate) }),
  argument: z.looseObject({ name: z.literal('page'), value: z.string() }),
})

/** Pages that begin like this. */
export const pageNames = (docs: Docs, begun: string): string[] => docs.pages.filter((page) => page.startsWith(begun))

/** Answers `completion/complete` for the pages; `undefined` where it is about something else. */
export function completePages(docs: Docs, params: unknown): Record<string, unknown> | undefined {
  const read = asked.safeParse(params)
  if (!read.success) return undefined
  const values = pageNames(docs, read.data.argument.value)
  return { completion: { values, total: values.length, hasMore: false } }
}
