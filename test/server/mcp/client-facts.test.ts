import { expect, test } from 'vitest'
import { cardsOf } from '../../../server/mcp/client-facts.ts'

const apps = (settings: unknown): object => ({ extensions: { 'io.modelcontextprotocol/ui': settings } })

test.each([
  ['that says so in the words of MCP Apps', apps({ mimeTypes: ['text/html;profile=mcp-app'] }), 'yes'],
  ['of other views', apps({ mimeTypes: ['text/html;profile=other'] }), 'no'],
  ['that names the extension and no view, as Mastra does', apps({}), 'no'],
  ['that names no view at all', { elicitation: {} }, 'no'],
  ['that says something else where views stand', apps({ mimeTypes: 'all' }), 'no'],
  ['that says null where views stand', apps({ mimeTypes: null }), 'no'],
  ['that has not said anything yet', undefined, 'unknown'],
])('whether a client %s renders cards', (_, capabilities, cards) => {
  expect(cardsOf(capabilities)).toBe(cards)
})
