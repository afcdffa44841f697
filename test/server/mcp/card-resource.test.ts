import { expect, test } from 'vitest'
import { cardResource } from '../../../server/mcp/listing.ts'

const view = (body: string): string => `<html><head></head><body>${body}</body></html>`

test('the view of a theme has another address where the theme or the view itself is another, and the same where neither is', () => {
  const address = (body: string, style: string): string => cardResource(view(body), style).uri
  const first = address('one', ':root{--go:#111}')
  expect(first).toMatch(/^ui:\/\/countersign\/card-[0-9a-f]{12}\.html$/)
  expect(address('one', ':root{--go:#111}')).toBe(first)
  expect(address('two', ':root{--go:#111}')).not.toBe(first)
  expect(address('one', ':root{--go:#222}')).not.toBe(first)
  expect(address('one', '')).toBe('ui://countersign/card.html')
  expect(address('two', '')).toBe('ui://countersign/card.html')
})
