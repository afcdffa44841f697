// One variable that is not set must not take the other servers away, and nobody should have to guess why its own tools
// are not there.
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { freshDatabase, place } from '../at-end.ts'
import { gatewayFile, misbehavingServer } from './reach.ts'
import { agentHere } from '../in-process.ts'
import { fixture } from '../processes.ts'
import { ok } from '../../../server/errors/result.ts'
import { changeSecrets, secretsFile } from '../../../server/store/store.ts'
import { readsOnly } from '../../server/gateway/rating/reads-only.ts'
import { atTerminal, runCommand } from '../terminal.ts'

const why = 'it needs the environment variable NOT_SET_HERE, which is not set'

test('a gateway whose one server lacks a variable serves the others, and says why that one is away', async () => {
  const config = gatewayFile({
    rude: misbehavingServer('polite', '', readsOnly('echo')),
    mail: misbehavingServer('polite', '', { env: { KEY: '${NOT_SET_HERE}' } }),
  })
  const agent = await agentHere(['gateway', '--config', config, '--db', freshDatabase()])
  const intent = { operation_type: 'read', reason: 'To see whether it answers.' }
  const call = (name: string) => agent.call('call_tool_read', { name, args_json: '{"n":1}', intent })
  expect(await call('rude:echo')).toMatchObject({ isError: false })
  const { text } = await call('mail:echo')
  expect(text).toContain(`${why}; a person sets it and starts Countersign anew; it is not started again before that`)
  expect(text).toContain('Tell the person how mail stands')
  expect((await agent.call('retrieve_tools', { query: 'echo' })).text).toContain(why)

  const ill = await runCommand(['doctor', '--config', config, '--db', freshDatabase()])
  expect(ill).toMatchObject({ code: 1, stdout: expect.stringContaining(`does not answer: ${why}`) })
  expect(ill.stdout).toContain('rude 9.9.9 over stdio')
  expect(await runCommand(['config', 'check', config])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('mcpServers.mail needs the environment variable NOT_SET_HERE'),
  })
})

test('a secret that is kept reaches the server that names it, and nothing that is printed', async () => {
  const env = { XDG_DATA_HOME: place() }
  const config = gatewayFile({
    rude: misbehavingServer('polite', '', { args: [...fixture('misbehaving-server'), '${secret:mode}'] }),
  })
  const doctor = () => runCommand(['doctor', '--config', config, '--db', freshDatabase()], { env })
  expect((await doctor()).stdout).toContain('it needs the secret mode, which is not kept on this machine')
  await atTerminal(['secrets', 'set', 'mode'], [['Value of mode: ', 'die-at-once']], { env })
  expect((await doctor()).stdout).toContain('does not answer: it ended at once')
  expect(await runCommand(['secrets', 'set', 'mode'], { env, input: 'polite\n' })).toMatchObject({ code: 0 })
  expect(await doctor()).toMatchObject({ code: 0, stdout: expect.stringContaining('rude 9.9.9 over stdio') })
  const listed = await runCommand(['secrets', 'list'], { env })
  expect([listed.stdout, listed.stderr.includes('polite')]).toEqual(['mode\n', false])
  expect(await runCommand(['secrets', 'remove', 'mode'], { env })).toMatchObject({ code: 0 })
  expect((await doctor()).code).toBe(1)
})

test('secrets that cannot be opened stop the servers that need one, and no other; nothing of them is lost', async () => {
  const env = { XDG_DATA_HOME: place() }
  const config = gatewayFile({
    rude: misbehavingServer('polite', '', readsOnly('echo')),
    mail: misbehavingServer('polite', '', { env: { KEY: '${secret:mail}' } }),
  })
  expect(await runCommand(['secrets', 'set', 'mail'], { env, input: 'k3y' })).toMatchObject({ code: 0 })
  const file = secretsFile(env)
  const broken = readFileSync(file, 'utf8').slice(0, -9)
  writeFileSync(file, broken)
  const line = ['gateway', '--config', config, '--db', freshDatabase()]
  const agent = await agentHere(line, { env })
  const intent = { operation_type: 'read', reason: 'To see whether it answers.' }
  const call = (name: string) => agent.call('call_tool_read', { name, args_json: '{"n":1}', intent })
  expect(await call('rude:echo')).toMatchObject({ isError: false })
  const away = await call('mail:echo')
  expect(away.text).toContain('it needs the secret mail, and the secrets on this machine cannot be opened')
  expect(away.text).not.toContain(file)
  for (const words of [
    ['config', 'check', config],
    ['secrets', 'list'],
    ['secrets', 'remove', 'mail'],
  ])
    expect(await runCommand(words, { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot be opened: it is no JSON.*from a backup/s),
    })
  expect(await runCommand(['secrets', 'set', 'new'], { env, input: 'x' })).toMatchObject({ code: 1 })
  expect(readFileSync(file, 'utf8')).toBe(broken)
})

test.each(['__proto__', 'constructor', 'a b', '.hidden', ''])('%j is no name of a secret', async (name) => {
  const { code, stderr } = await runCommand(['secrets', 'set', name], { env: { XDG_DATA_HOME: place() }, input: 'x' })
  expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be the name of a secret')])
})

test('a secret that another command keeps while a person types is still there afterwards', async () => {
  const env = { XDG_DATA_HOME: place() }
  const meanwhile = async (): Promise<string> => {
    const kept = await changeSecrets(secretsFile(env), (now) => ok(new Map([...now, ['other', 'o']])))
    expect(kept).toMatchObject({ ok: true })
    return 'v'
  }
  expect(await atTerminal(['secrets', 'set', 'one'], [['Value of one: ', meanwhile]], { env })).toMatchObject({
    code: 0,
  })
  expect((await runCommand(['secrets', 'list'], { env })).stdout).toBe('one\nother\n')
})
