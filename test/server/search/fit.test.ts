// "Nothing fits" sends an agent away, so it is said of a query that shares next to nothing with any tool, and of no other.
import { expect, test } from 'vitest'
import { createToolIndex } from '../../../server/search/tool-index.ts'
import type { IndexedTool } from '../../../server/search/tool-text.ts'

const tool = (server: string, name: string, description: string): IndexedTool => ({
  server,
  name: `${server}:${name}`,
  description,
  inputSchema: { type: 'object' },
})
const index = createToolIndex([
  tool('files', 'read_text_file', 'Reads the contents of a text file.'),
  tool('files', 'move_file', 'Moves or renames a file.'),
  tool('files', 'list_directory', 'Lists what is in a directory.'),
  tool('memory', 'search_nodes', 'Searches nodes of the knowledge graph.'),
  tool('memory', 'delete_entities', 'Deletes entities and their relations.'),
  tool('charts', 'generate_pie_chart', 'Generates a pie chart for proportions.'),
  tool('charts', 'generate_line_chart', 'Generates a line chart for trends.'),
  tool('mail', 'get_unread', 'Gets messages that nobody has read.'),
  tool('clock', 'get_current_date', 'Gets the current date and time.'),
])
const fits = (query: string): boolean => index.fits(query, index.search(query))

test.each([
  'read a file',
  'move_file',
  'files:move_file',
  'rename the report of last year to report-2025.md',
  'draw a pie chart of sales',
  'which folder is it in',
  'remove the entities of Ada',
  'read the notes at /data/notes.md, then draw a line chart of what they say and tell me what you think of it',
])('fits: %s', (query) => {
  expect(fits(query)).toBe(true)
})

test.each([
  'refund a payment in Stripe',
  'turn off the lights in the kitchen',
  'book a flight to London',
  'scale the Kubernetes deployment of our shop',
  'xyzzy',
  // That a tool knows the date serves nobody who wants something done this month.
  'pay the salaries of this month',
])('nothing fits: %s', (query) => {
  expect(fits(query)).toBe(false)
})

test('among many tools one common word of a query is chance, and two are not', () => {
  const many = Array.from({ length: 60 }, (_, at) =>
    tool(
      'shelf',
      `sort_${at % 2 === 0 ? 'books' : 'records'}_${at}`,
      `Sorts ${at % 2 === 0 ? 'books' : 'records'} by shelf ${at}.`,
    ),
  )
  const large = createToolIndex(many)
  const fitsThere = (query: string): boolean => large.fits(query, large.search(query))
  expect(fitsThere('change the DNS records of example.com')).toBe(false)
  expect(fitsThere('sort the records by year')).toBe(true)
})

test('nothing fits where nothing is found, and what is filtered out does not count', () => {
  expect(index.fits('pie chart', [])).toBe(false)
  const filters = { server: 'mail' }
  expect(index.fits('pie chart', index.search('pie chart', { filters }))).toBe(false)
})
