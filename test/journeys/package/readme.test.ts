// A README that does not run is worse than none. Its program is taken from the page and served to a real client.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const readme = readFileSync(join(root, 'README.md'), 'utf8')

const programIn = (page: string): string => {
  const found = /<!-- test: program -->\s*```ts\n([\s\S]*?)```/.exec(page)?.[1]
  if (found === undefined) throw new Error('The README has no program any more.')
  return found
}

describe('the README', () => {
  const client = new Client({ name: 'reader', version: '1' })

  beforeAll(async () => {
    // Inside the package, so that `countersign` means this one, as npm built it.
    const folder = join(root, 'dist', 'readme')
    mkdirSync(folder, { recursive: true })
    const file = join(folder, 'program.ts')
    writeFileSync(file, programIn(readme))
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [file],
        env: { PATH: process.env['PATH'] ?? '', COUNTERSIGN_DB: ':memory:' },
      }),
    )
  })
  afterAll(() => client.close())

  const call = async (args: Record<string, unknown>) =>
    CallToolResultSchema.parse(
      await client.callTool({ name: 'notes_write', arguments: { rationale: 'The reader tries the README.', ...args } }),
    )

  test('its program previews a note, and writes it once the plan is named', async () => {
    const note = { name: 'plan', text: 'Launch on 5 December' }
    const preview = await call(note)
    expect(preview.structuredContent).toMatchObject({ status: 'previewed', dry_run: true })
    const ticket = preview.structuredContent?.['plan_id']
    const applied = await call({ ...note, ticket, preview: false })
    const result = { before: { text: 'Launch on 28 November' }, after: note }
    expect(applied.structuredContent).toMatchObject({ status: 'applied', result })
    const again = await call({ ...note, ticket, preview: false })
    expect(again.structuredContent).toMatchObject({ status: 'replayed', result })
  })

  test('its program answers a declared failure with what to do next', async () => {
    const failed = await call({ name: 'plan', text: 'x'.repeat(1001) })
    expect(failed.isError).toBe(true)
    expect(failed.structuredContent).toMatchObject({ status: 'failed', error: { code: 'too_long' } })
  })

  test('names two commands, and both are scripts of the package', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
    expect(readme).toContain('npm ci && npm start')
    expect(readme).toContain('npm ci && npm test')
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'test']))
  })

  test('every file that it links to is there', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) => match[1] ?? '')
    for (const link of links) expect(() => readFileSync(join(root, link)), link).not.toThrow(/ENOENT/)
  })
})
