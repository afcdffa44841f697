// Two servers that nobody named share one database: neither may hold the other's tools back.
import { expect, test } from 'vitest'
import { wrapConfig } from '../../../../server/compose/settings/gateway-files.ts'

const keysOf = async (args: readonly string[], name?: string) => {
  const config = await wrapConfig({ command: 'node', args, env: {}, name })
  if (!config.ok) throw new Error(config.failure.message)
  const { servers, pinKeys } = config.value
  return { names: Object.keys(servers), pinKeys }
}

test('servers that are called alike and started differently have pins of their own, under the same name', async () => {
  const one = await keysOf(['/a/index.mjs'])
  const two = await keysOf(['/b/index.mjs'])
  expect(one.names).toEqual(['index'])
  expect(two.names).toEqual(['index'])
  expect(one.pinKeys?.['index']).toMatch(/^index#[0-9a-f]{8}$/)
  expect(one.pinKeys).not.toEqual(two.pinKeys)
  expect(await keysOf(['/a/index.mjs'])).toEqual(one)
})

test.each([
  'https://ada:stern@mcp.example.com/mcp',
  'https://mcp.example.com/mcp?key=1',
  'https://mcp.example.com/ZmE3NjM4ZTktMWQ4Zi00/mcp',
])('the command that agents read does not repeat what may be secret in %s', async (command) => {
  const config = await wrapConfig({ command, args: [], env: {} })
  expect(config).toMatchObject({ ok: true, value: { loginWords: { example: ['ADDRESS'] } } })
})

test('a server that was named keeps its pins under its name, however it is started', async () => {
  expect(await keysOf(['/a/index.mjs'], 'notes')).toEqual({ names: ['notes'], pinKeys: undefined })
})
