// What others would draw for the same preview: title, line items, total, what follows, the agent's claim, two buttons.
// Each peer gets its own document for it and its own renderer in one file, as a server would ship it to an MCP Apps host.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'

export interface Peer {
  readonly name: string
  readonly html: string
  /** What the page loads beside itself, by path. */
  readonly assets?: (path: string) => Promise<Buffer | undefined>
  /** The tool result that makes it draw a preview with so many lines. */
  resultOf(lines: number): CallToolResult
}

export const titleOf = (lines: number): string => `Create an order with ${lines} lines`

interface Line {
  readonly item: string
  readonly qty: string
  readonly price: string
  readonly from: string
}

const linesOf = (count: number): readonly Line[] =>
  Array.from({ length: count }, (_, at) => ({
    item: `Oak desk ${String(at + 1).padStart(4, '0')}`,
    qty: String((at * 7) % 90),
    price: `€${(at * 13) % 900}.50`,
    from: '28 Nov 2026',
  }))

const heads = { item: 'Item', qty: 'Qty', price: 'Price', from: 'From' } as const
const keys = Object.keys(heads) as (keyof Line)[]
const effect = 'Stock of DESK-01 goes from 9 to 7'
const claim = 'The agent says: “Customer asked for two desks and four lamps by phone.”'

const folderOf = (name: string): string => fileURLToPath(new URL(`node_modules/${name}`, import.meta.url))
const readFrom = (name: string, path: string): Promise<string> => readFile(join(folderOf(name), path), 'utf8')

const page = (style: string, script: string, type = ''): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><style>${style}</style><body><div id="root"></div><script${type}>${script.replaceAll('</script', '<\\/script')}</script></body></html>`

const prefab = (version: string, lines: number): CallToolResult => {
  const view = {
    type: 'Column',
    children: [
      { type: 'Heading', level: 1, content: titleOf(lines) },
      {
        type: 'DataTable',
        columns: keys.map((key) => ({ key, header: heads[key], sortable: true })),
        rows: linesOf(lines),
        paginated: true,
        pageSize: 50,
      },
      { type: 'Text', content: 'Total €998.00' },
      { type: 'Text', content: effect },
      { type: 'Text', content: claim },
      {
        type: 'Row',
        children: [
          { type: 'Button', label: 'Cancel', variant: 'outline' },
          { type: 'Button', label: 'Create order', variant: 'default' },
        ],
      },
    ],
  }
  const wire = { $prefab: { version }, view }
  return { content: [{ type: 'text', text: JSON.stringify(wire) }], structuredContent: wire }
}

const adaptiveCard = (lines: number): unknown => ({
  type: 'AdaptiveCard',
  version: '1.5',
  body: [
    { type: 'TextBlock', size: 'Large', weight: 'Bolder', text: titleOf(lines) },
    {
      type: 'Table',
      firstRowAsHeader: true,
      columns: keys.map(() => ({ width: 1 })),
      rows: [heads, ...linesOf(lines)].map((line) => ({
        type: 'TableRow',
        cells: keys.map((key) => ({ type: 'TableCell', items: [{ type: 'TextBlock', text: line[key] }] })),
      })),
    },
    { type: 'TextBlock', text: 'Total €998.00' },
    { type: 'TextBlock', text: effect, wrap: true },
    { type: 'TextBlock', text: claim, wrap: true },
  ],
  actions: [
    { type: 'Action.Submit', title: 'Cancel' },
    { type: 'Action.Submit', title: 'Create order' },
  ],
})

/** Adaptive Cards know nothing of MCP Apps: the least that greets the host and hands over what it sends. */
const glue = `
addEventListener('message', ({ data }) => {
  if (data.id === 1) parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/initialized', params: {} }, '*')
  if (data.method !== 'ui/notifications/tool-result') return
  const card = new AdaptiveCards.AdaptiveCard()
  card.parse(data.params.structuredContent.card)
  document.getElementById('root').append(card.render())
})
parent.postMessage({ jsonrpc: '2.0', id: 1, method: 'ui/initialize', params: { appInfo: { name: 'x', version: '1' }, appCapabilities: {}, protocolVersion: '2026-01-26' } }, '*')`

/** The renderers that others ship, each in one file. */
export const readPeers = async (): Promise<readonly Peer[]> => [
  {
    name: '@maxhealth.tech/prefab',
    html: page(
      await readFrom('@maxhealth.tech/prefab', 'dist/prefab.css'),
      await readFrom('@maxhealth.tech/prefab', 'dist/renderer.auto.min.js'),
    ),
    resultOf: (lines) => prefab('0.3', lines),
  },
  {
    name: 'adaptivecards',
    html: page('', `${await readFrom('adaptivecards', 'dist/adaptivecards.min.js')}${glue}`),
    resultOf: (lines) => ({ content: [], structuredContent: { card: adaptiveCard(lines) } }),
  },
  {
    name: '@prefecthq/prefab-ui',
    html: page(
      await readFrom('@prefecthq/prefab-ui', 'dist/app/renderer.css'),
      await readFrom('@prefecthq/prefab-ui', 'dist/app/renderer.js'),
      ' type="module"',
    ),
    assets: (path) => readFile(join(folderOf('@prefecthq/prefab-ui'), 'dist/app', path)).catch(() => undefined),
    resultOf: (lines) => prefab('0.2', lines),
  },
]
