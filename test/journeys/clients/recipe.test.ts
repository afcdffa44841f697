// The lines that docs/recipes/frameworks.md shows for each framework stand in its program, which full runs put before the server.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeBlocks } from '../package/code-blocks.ts'
import { clients } from './packages.ts'

const blocks = await codeBlocks()
const page = blocks.filter((block) => block.page === 'docs/recipes/frameworks.md')
const marked = page.flatMap(({ mark, text }) => (mark === undefined ? [] : [{ client: mark[1], text }]))

test('the page has a program for each framework', () => {
  expect(marked.map(({ client }) => client)).toStrictEqual(['ai-sdk', 'langchain', 'openai-agents', 'mastra'])
})

test.each(marked)('what the page shows for $client is what its program does', ({ client, text }) => {
  const program = readFileSync(join(clients, `${client}.mjs`), 'utf8')
  for (const part of text.split('\n\n')) {
    const lines = part.split('\n')
    const imports = lines.filter((line) => line.startsWith('import '))
    for (const line of imports) expect(program.split('\n')).toContain(line)
    const code = lines.filter((line) => !imports.includes(line))
    if (code.length > 0) expect(program).toContain(`\n${code.join('\n')}\n`)
  }
})
