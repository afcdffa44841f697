// One variable that is not set must not take the other servers away, and nobody should have to guess why its own tools
// are not there.
import { expect, test } from 'vitest'
import { overStdio } from './agent.ts'
import { freshDatabase } from './at-end.ts'
import { gatewayFile, rudeServer } from './gateway-reach.ts'
import { binary } from './processes.ts'
import { readsOnly } from '../server/gateway/rating/reads-only.ts'
import { runCommand } from './terminal.ts'

const why = 'it needs the environment variable NOT_SET_HERE, which is not set'

test('a gateway whose one server lacks a variable serves the others, and says why that one is away', async () => {
  const config = gatewayFile({
    rude: rudeServer('polite', '', readsOnly('echo')),
    mail: rudeServer('polite', '', { env: { KEY: '${NOT_SET_HERE}' } }),
  })
  const agent = await overStdio([...binary, 'gateway', '--config', config, '--db', freshDatabase()])
  const intent = { operation_type: 'read', reason: 'To see whether it answers.' }
  const call = (name: string) => agent.call('call_tool_read', { name, args_json: '{"n":1}', intent })
  expect(await call('rude:echo')).toMatchObject({ isError: false })
  expect((await call('mail:echo')).text).toContain(why)
  expect((await agent.call('retrieve_tools', { query: 'echo' })).text).toContain(why)

  const ill = await runCommand(['doctor', '--config', config, '--db', freshDatabase()])
  expect(ill).toMatchObject({ code: 1, stdout: expect.stringContaining(`does not answer: ${why}`) })
  expect(ill.stdout).toContain('rude 9.9.9 over stdio')
  expect(await runCommand(['config', 'check', config])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('mcpServers.mail needs the environment variable NOT_SET_HERE'),
  })
})
