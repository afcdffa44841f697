// A person who has switched tools off in a host does not want them back behind the gateway: what the settings leave out is
// not there for agents, and whoever asks for it all the same hears which setting it was.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { casesOf } from '../../full.ts'
import { sharedBrowser } from '../../hosts/browser.ts'
import { violationsInBothThemes } from '../../kit/axe.ts'
import { adminToken, openSignedIn } from '../operators/admin-page.ts'
import { freshDatabase, place } from '../at-end.ts'
import { ledgerOf } from './ledger.ts'
import { actingServer, gatewayFile, officialServer, openReach, realPlace, type ReachKind } from './reach.ts'
import { webHere } from '../in-process.ts'
import { runCommand } from '../terminal.ts'

const folder = realPlace()
writeFileSync(join(folder, 'plan.txt'), 'Launch on 28 November')
const files = (lists: object) => officialServer('filesystem', [folder], { ...lists })

const kinds: readonly ReachKind[] = ['gateway over stdio', 'wrap over stdio']

async function namesSeen(kind: ReachKind, reach: Awaited<ReturnType<typeof openReach>>): Promise<string> {
  const agent = reach.agent('files')
  const found =
    kind === 'gateway over stdio'
      ? await agent.call('retrieve_tools', { query: 'file directory write read list edit move', limit: 20 })
      : undefined
  return JSON.stringify([agent.tools.map(({ name }) => name), found?.raw])
}

test.each(kinds)('through a %s only the tools that the settings name are listed, found and called', async (kind) => {
  const reach = await openReach(kind, { files: files({ enabled_tools: ['list_dir*', 'read_text_file'] }) })
  const seen = await namesSeen(kind, reach)
  for (const name of ['list_directory', 'read_text_file']) expect(seen).toContain(name)
  for (const name of ['write_file', 'move_file', 'read_media_file']) expect(seen).not.toContain(name)
  const listed = await reach.call('files', 'read', 'list_directory', { path: folder })
  expect(listed.text).toContain('plan.txt')
  const refused = await reach.call('files', 'write', 'write_file', { path: join(folder, 'x'), content: '' })
  expect(refused).toMatchObject({ isError: true, planId: '', guidance: { error_type: 'unknown_tool' } })
  expect(refused.text).toMatch(/write_file.* is left out by mcpServers\.files\.enabled_tools in the settings/)
  const misspelt = await reach.call('files', 'read', 'list_directroy', { path: folder })
  expect(misspelt.text).toContain('list_directory')
  expect(misspelt.text).not.toContain('left out')
})

test.each(casesOf(kinds, String, ['gateway over stdio']))(
  'through a %s what they leave out by a pattern is left out, also where the other list has it',
  async (kind) => {
    const lists = { enabled_tools: ['write_file', 'edit_file', 'read_*'], disabled_tools: ['*_file'] }
    const reach = await openReach(kind, { files: files(lists) })
    const seen = await namesSeen(kind, reach)
    expect(seen).toContain('read_multiple_files')
    for (const name of ['write_file', 'edit_file', 'read_text_file']) expect(seen).not.toContain(name)
    const refused = await reach.call('files', 'destructive', 'edit_file', {
      path: join(folder, 'plan.txt'),
      edits: [],
    })
    expect(refused.text).toMatch(/edit_file.* is left out by mcpServers\.files\.disabled_tools in the settings/)
  },
)

test('a server that is not started yet is not started for a tool that is left out', async () => {
  const ledger = join(place(), 'ledger')
  const pay = actingServer(ledger, { start: 'lazy', disabled_tools: ['create_refund'] })
  const reach = await openReach('gateway over stdio', { pay })
  const refused = await reach.call('pay', 'write', 'create_refund', { charge: 'ch_1', amount: 20 })
  expect(refused.text).toContain('is left out by mcpServers.pay.disabled_tools')
  expect(ledgerOf(ledger)).toEqual([])
})

test('`doctor` and `tools list` say how many tools are left out, and `doctor` names what fits no tool', async () => {
  const db = freshDatabase()
  const right = gatewayFile({ files: files({ disabled_tools: ['write_file', 'edit_file', 'read_media*'] }) })
  const well = await runCommand(['doctor', '--config', right, '--db', db])
  expect(well).toMatchObject({ code: 0 })
  expect(well.stdout).toMatch(/3 of its tools are left out \("disabled_tools"\)/)
  const none = gatewayFile({ files: files({ enabled_tools: [] }) })
  const empty = await runCommand(['doctor', '--config', none, '--db', db])
  expect(empty.stdout).toMatch(/all of its tools are left out \("enabled_tools"\)/)
  expect(empty.stdout).not.toContain('no profile')
  const listed = await runCommand(['tools', 'list', '--config', right, '--db', db])
  expect(listed.stdout).not.toContain('files:write_file')
  expect(listed.stderr).toMatch(/files: 3 of its tools are left out/)
  const misspelt = { enabled_tools: ['read_text_file', 'wirte_file'], disabled_tools: ['x*'] }
  const wrong = gatewayFile({ files: files(misspelt) }, { db })
  const said = await runCommand(['doctor', '--config', wrong])
  expect(said.code).toBe(1)
  expect(said.stdout).toMatch(
    /gateway\.json:1:\d+: mcpServers\.files\.enabled_tools names "wirte_file", and no tool of files is called that\. Did you mean "write_file"\?/,
  )
  expect(said.stdout).toMatch(/mcpServers\.files\.disabled_tools names "x\*", and no tool of files fits that/)
  const checked = await runCommand(['config', 'check', wrong])
  expect(checked).toMatchObject({ code: 1, stderr: expect.stringContaining('enabled_tools names "wirte_file"') })
})

test('the page of tools names those that the settings leave out, with the setting', async () => {
  const config = gatewayFile({ files: files({ disabled_tools: ['write_file', 'edit_file'] }) })
  const { mcp } = await webHere(['gateway', '--config', config, '--http', '0', '--db', freshDatabase()], {
    env: { COUNTERSIGN_ADMIN_TOKEN: adminToken },
  })
  const { page, complaints, close } = await openSignedIn(await sharedBrowser(), `${mcp.origin}/admin/tools`)
  const row = page.getByRole('table', { name: 'Servers behind' }).locator('tbody tr')
  await row.getByText('disabled_tools: write_file, edit_file').waitFor()
  // It may ask for what it answers, and is a read all the same.
  const reading = page.getByRole('row').filter({ hasText: 'files:read_text_file' })
  expect(await reading.getByRole('cell').first().textContent()).toBe('read')
  expect(await violationsInBothThemes(page)).toEqual([])
  expect(complaints).toEqual([])
  await close()
})
