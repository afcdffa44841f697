// What a client can know of a gateway before its first call, and what an operator puts beside other people's tools.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshDatabase, place } from '../at-end.ts'
import { gatewayFile, officialServer, openReach, realPlace, recordedServer, misbehavingServer } from './reach.ts'
import { agentHere } from '../in-process.ts'
import { runCommand } from '../terminal.ts'

const files = () => officialServer('filesystem', [realPlace()])

describe('a gateway', () => {
  test('lists four tools for any number of servers, and only those that may change something show a card', async () => {
    const reach = await openReach('gateway over stdio', { files: files(), rude: misbehavingServer() })
    const listed = reach
      .agent('files')
      .tools.map(({ name, annotations, _meta }) => [
        name,
        annotations?.readOnlyHint,
        annotations?.destructiveHint,
        (_meta?.['ui'] as { resourceUri?: string } | undefined)?.resourceUri,
      ])
    const card = 'ui://countersign/card.html'
    expect(listed).toEqual(
      expect.arrayContaining([
        ['retrieve_tools', true, false, undefined],
        ['call_tool_read', true, false, undefined],
        ['call_tool_write', false, false, card],
        ['call_tool_destructive', false, true, card],
      ]),
    )
    expect(listed.filter(([name]) => /^(call_tool|files|rude)/.test(String(name)))).toHaveLength(3)
  })

  test("serves an operator's cheatsheet, and says so once for its server where a tool of it is found, and in a whole description", async () => {
    const folder = place()
    writeFileSync(join(folder, 'files.md'), '# Files\n\nPaths are absolute.\n')
    const config = gatewayFile({
      files: { ...files(), cheatsheet: join(folder, 'files.md') },
      rude: misbehavingServer(),
    })
    const agent = await agentHere(['gateway', '--config', config, '--db', freshDatabase()])
    const sheet = await agent.client.readResource({ uri: 'mcp://files/cheatsheet' })
    expect(sheet.contents).toMatchObject([{ text: '# Files\n\nPaths are absolute.\n' }])
    const found = (await agent.call('retrieve_tools', { query: 'move a file' })).data as {
      servers: Record<string, string[]>
    }
    const advice = /^Before any write or non-trivial query, fetch `mcp:\/\/files\/cheatsheet` first\./
    expect(found.servers).toEqual({
      files: [expect.stringMatching(advice)],
    })
    const whole = (await agent.call('retrieve_tools', { query: 'files:move_file', detail: 'full' })).data as {
      tools: { description: string }[]
    }
    expect(whole.tools[0]?.description).toMatch(advice)
    expect((await agent.call('get_cheatsheet', { name: 'files' })).text).toContain('Paths are absolute.')
  })

  test('serves the cheatsheet of a known server under the name that the server has here; the operator’s own comes first', async () => {
    const folder = place()
    writeFileSync(join(folder, 'ours.md'), '# Our CRM\n')
    const hubspot = recordedServer('hubspot', { profile: 'hubspot' })
    const config = gatewayFile({ crm: hubspot, ours: { ...hubspot, cheatsheet: join(folder, 'ours.md') } })
    const agent = await agentHere(['gateway', '--config', config, '--db', freshDatabase()])
    const shipped = readFileSync('cheatsheets/hubspot.md', 'utf8')
    const textOf = async (uri: string) => (await agent.client.readResource({ uri })).contents
    expect(await textOf('mcp://crm/cheatsheet')).toMatchObject([{ mimeType: 'text/markdown', text: shipped }])
    expect(await textOf('mcp://ours/cheatsheet')).toMatchObject([{ text: '# Our CRM\n' }])
    expect((await agent.call('get_cheatsheet', { name: 'crm' })).text).toContain('Association types')
    const found = (await agent.call('retrieve_tools', { query: 'update contacts', filters: { server: 'crm' } }))
      .data as {
      tools: unknown[]
      servers: Record<string, string[]>
    }
    expect(found.tools.length).toBeGreaterThan(0)
    expect(found.servers['crm']?.[0]).toMatch(
      /^Before any write or non-trivial query, fetch `mcp:\/\/crm\/cheatsheet` first\./,
    )
  })

  test('a profile that names a cheatsheet which is not shipped stops the start with those that are', async () => {
    const profile = join(place(), 'crm.yaml')
    const text = readFileSync('profiles/hubspot.yaml', 'utf8')
    writeFileSync(profile, text.replace('cheatsheet: hubspot', 'cheatsheet: hubspott'))
    const config = gatewayFile({ crm: recordedServer('hubspot', { profile }) })
    const ended = await runCommand(['gateway', '--config', config, '--db', freshDatabase()])
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('the cheatsheet "hubspott"') })
    expect(ended.stderr).toMatch(/Shipped are .*hubspot.*salesforce/)
  })

  test('a cheatsheet that is not there stops the start with its name', async () => {
    const config = gatewayFile({ files: { ...files(), cheatsheet: '/nowhere/files.md' } })
    const ended = await runCommand(['gateway', '--config', config, '--db', freshDatabase()])
    expect(ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The cheatsheet of files, /nowhere/files.md, cannot be read (ENOENT).'),
    })
  })
})

describe('wrap', () => {
  test('serves the cheatsheet of the server that it knows, and each tool begins with where to read it', async () => {
    const server = recordedServer('hubspot') as { readonly command: string; readonly args: readonly string[] }
    const options = ['--name', 'crm', '--profile', 'hubspot', '--db', freshDatabase()]
    const agent = await agentHere(['wrap', ...options, '--', server.command, ...server.args])
    const [sheet] = (await agent.client.readResource({ uri: 'mcp://crm/cheatsheet' })).contents
    expect(sheet).toMatchObject({ text: readFileSync('cheatsheets/hubspot.md', 'utf8') })
    const update = agent.tools.find(({ name }) => name === 'hubspot-batch-update-objects')
    expect(update?.description).toMatch(
      /^Before any write or non-trivial query, fetch `mcp:\/\/crm\/cheatsheet` first\./,
    )
  })

  test('lists the tools of the server under their own names, and its reads ask for nothing but a rationale', async () => {
    const reach = await openReach('wrap over stdio', { files: files() })
    const { tools } = reach.agent('files')
    const names = tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['edit_file', 'read_text_file', 'move_file']))
    expect(names.filter((name) => /retrieve|call_tool/.test(name))).toEqual([])
    const read = tools.find(({ name }) => name === 'list_allowed_directories')
    expect(read?.inputSchema.required).toEqual(['rationale'])
    expect(read?.inputSchema.properties).toEqual({
      rationale: {
        type: 'string',
        minLength: 10,
        maxLength: 500,
        description: 'Why. Operators see it. Required.',
      },
    })
    expect((await reach.call('files', 'read', 'list_allowed_directories')).isError).toBe(false)
    const edit = tools.find(({ name }) => name === 'edit_file')
    expect(Object.keys(edit?.inputSchema.properties ?? {})).toEqual(
      expect.arrayContaining(['path', 'edits', 'dryRun', 'rationale', 'preview', 'ticket']),
    )
    const { uri } = (edit?._meta?.['countersign/contract'] ?? {}) as { readonly uri: string }
    const { contents } = await reach.agent('files').client.readResource({ uri })
    expect(JSON.parse((contents[0] as { readonly text: string }).text)).toMatchObject({
      name: 'files:edit_file',
      failures: { upstream_refused: { effect: 'none' } },
    })
  })
})
