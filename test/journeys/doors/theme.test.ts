// The look of a server's cards is in the view that it serves, at an address of its own, whichever way that is reached.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createCountersign, CountersignError, type CardTheme } from '../../../server/index.ts'
import { connect as inProcess } from '../../../server/testing/index.ts'
import { atEnd, place } from '../at-end.ts'
import { markTools } from '../fixtures/marks.ts'

const base = 'ui://countersign/card.html'

const serverWith = (theme?: CardTheme) => {
  const directory = place()
  const server = createCountersign({
    store: ':memory:',
    tools: markTools({ marks: join(directory, 'marks'), hold: join(directory, 'hold') }),
    ...(theme === undefined ? {} : { theme }),
  })
  atEnd(() => server.close())
  return server
}

/** Over stdio or HTTP it is the same list; here the messages stay in the process. */
const attached = async (theme?: CardTheme) => {
  const mcp = new McpServer({ name: 'mine', version: '1.0.0' })
  await serverWith(theme).attach(mcp)
  const client = new Client({ name: 'host', version: '1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await Promise.all([mcp.connect(theirs), client.connect(ours)])
  return client
}

const viewOf = async (client: Client): Promise<{ readonly uri: string; readonly text: string }> => {
  const { tools } = await client.listTools()
  const named = new Set(
    tools.flatMap(({ _meta: meta }) => {
      const uri = (meta?.['ui'] as { readonly resourceUri?: unknown } | undefined)?.resourceUri
      return typeof uri === 'string' ? [uri] : []
    }),
  )
  const [uri = '', ...others] = named
  expect(others).toStrictEqual([])
  const { contents } = await client.readResource({ uri })
  return { uri, text: String((contents[0] as { readonly text?: unknown }).text) }
}

describe('a view with a theme', () => {
  test('is named by every tool that previews, at an address that no other look has', async () => {
    const views = await Promise.all(
      [undefined, { radius: 4 }, { radius: 5 }, { radius: 4 }].map(async (theme) => viewOf(await attached(theme))),
    )
    const [plain, four, five, again] = views
    expect(plain?.uri).toBe(base)
    expect(four?.uri).toMatch(/^ui:\/\/countersign\/card-[0-9a-f]{12}\.html$/)
    expect(again).toStrictEqual(four)
    expect(new Set([plain?.uri, four?.uri, five?.uri]).size).toBe(3)
    expect(
      four?.text.replace('<style>:root{--border-radius-lg:4px!important;--border-radius-sm:2px!important}</style>', ''),
    ).toBe(plain?.text)
  })

  test('is listed once, and read by whoever knows an older address of it', async () => {
    const client = await inProcess(serverWith({ accent: '#0b6e4f' }))
    atEnd(() => client.close())
    const listed = (await client.mcp.listResources()).resources.filter(({ uri }) => uri.startsWith('ui:'))
    expect(listed).toHaveLength(1)
    for (const uri of [base, 'ui://countersign/card-0123456789ab.html', listed[0]?.uri ?? '']) {
      const { contents } = await client.mcp.readResource({ uri })
      expect(contents).toMatchObject([{ uri, text: expect.stringContaining('--go:light-dark(#0b6e4f,') as unknown }])
    }
    await expect(client.mcp.readResource({ uri: 'ui://countersign/card-x.html' })).rejects.toThrow()
  })
})

test('comes from the settings file, and what the program says goes over it', async () => {
  const file = join(place(), 'countersign.json')
  writeFileSync(file, JSON.stringify({ theme: { accent: '#6b2fb3', radius: 9 } }))
  const server = createCountersign({ config: file, store: ':memory:', theme: { radius: 5, accentDark: '#ffffff' } })
  atEnd(() => server.close())
  const client = await inProcess(server)
  atEnd(() => client.close())
  const { contents } = await client.mcp.readResource({ uri: base })
  expect(String((contents[0] as { readonly text?: unknown }).text)).toContain(
    '<style>:root{--go:light-dark(#6b2fb3,#ffffff);--border-radius-lg:5px!important;--border-radius-sm:3px!important}</style>',
  )
})

test.each([
  ['acent', 'Did you mean "accent"?'],
  ['accent_dark', 'Did you mean "accentDark"?'],
  ['logo.dark', 'Did you mean "logoDark"?'],
  ['font', 'Known are accent, accentDark, radius, logo, logoDark.'],
])('a part that there is none of is named, with what there is (%s)', (name, next) => {
  const theme = { [name]: '#0b6e4f' } as CardTheme
  expect(() => createCountersign({ theme })).toThrow(new CountersignError(`The option theme.${name} is unknown.`, next))
})

test.each([
  [null, 'null'],
  ['#0b6e4f', 'a text'],
  [7, 'a number'],
  [true, 'a boolean'],
  [['#0b6e4f'], 'a list'],
  [() => ({}), 'a function'],
  [7n, 'a bigint'],
])('a theme that is no object is refused with what it must be (%#)', (theme, kind) => {
  const message = `The option theme must be an object, and is ${kind}.`
  const next = 'Give it as { accent, accentDark, radius, logo, logoDark }, each of which may be left out.'
  expect(() => createCountersign({ theme: theme as unknown as CardTheme })).toThrow(new CountersignError(message, next))
})

test.each([
  [{ radius: 7n }, 'The option theme.radius cannot be a bigint: it must be a number.'],
  [{ accent: () => '' }, 'The option theme.accent cannot be a function: it must be a text.'],
  [{ accent: null }, 'The option theme.accent cannot be null: it must be a text.'],
])('a part of it that no settings file could have is refused by its name, too (%#)', (theme, message) => {
  const wrong = new CountersignError(message, 'Change it or unset it, and start again.')
  expect(() => createCountersign({ theme: theme as unknown as CardTheme })).toThrow(wrong)
})

test('a part that is undefined is none', () => {
  expect(() => createCountersign({ theme: { accent: undefined, logo: undefined } })).not.toThrow()
})

test('a colour that nobody could read is told to the program that sets it, before a door is opened', () => {
  expect(() => createCountersign({ theme: { accent: '#ff8800' } })).toThrow(CountersignError)
  expect(() => createCountersign({ theme: { accent: '#ff8800' } })).toThrow(/2\.39, and 4\.5 is needed/)
})
