// Profiles as operators meet them: one to begin with, what is wrong with it, whether it fits, and what is said of it.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { describe, expect, test } from 'vitest'
import { freshDatabase, place } from '../at-end.ts'
import { ledgerOf } from './ledger.ts'
import { gatewayFile, officialServer, realPlace, misbehavingServer } from './reach.ts'
import { agentHere } from '../in-process.ts'
import { fixture } from '../processes.ts'
import { runCommand } from '../terminal.ts'

const commandOf = ({ command, args }: Readonly<Record<string, unknown>>): readonly string[] => [
  String(command),
  ...(args as string[]),
]
const files = (): Readonly<Record<string, unknown>> => officialServer('filesystem', [realPlace()])

const written = (text: string): string => {
  const file = join(place(), 'ours.profile.yaml')
  writeFileSync(file, text)
  return file
}

describe('`profile new`', () => {
  test('writes one that its server fits at once, of a command or of a server in the settings', async () => {
    const server = files()
    const out = join(place(), 'files.profile.yaml')
    const made = await runCommand(['profile', 'new', '--out', out, '--', ...commandOf(server)])
    expect(made).toMatchObject({ code: 0, stdout: '' })
    expect(statSync(out).mode & 0o777).toBe(0o644)
    expect(await runCommand(['profile', 'check', out])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('10'),
    })
    const config = gatewayFile({ docs: server })
    const printed = await runCommand(['profile', 'new', 'docs', '--config', config])
    expect(printed.stdout).toBe(readFileSync(out, 'utf8'))
    expect(parse(printed.stdout)).toMatchObject({
      name: 'filesystem',
      match: { npm: ['@modelcontextprotocol/server-filesystem'], server: ['secure-filesystem-server'] },
      tools: { list_directory: 'read', write_file: { operation: 'destructive', risk: 'high', title: 'Write file' } },
    })
    expect(printed.stdout).toMatch(/list_directory: read # The server marks it as read-only\./)
    expect(await runCommand(['profile', 'test', out, '--', ...commandOf(server)])).toMatchObject({
      code: 0,
      stderr: '',
    })
  })

  test('replaces no file unless it is told to', async () => {
    const out = written('mine\n')
    const args = ['profile', 'new', '--out', out, '--', ...commandOf(files())]
    expect(await runCommand(args)).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') })
    expect(readFileSync(out, 'utf8')).toBe('mine\n')
    expect(await runCommand(['profile', 'new', '--force', ...args.slice(2)])).toMatchObject({ code: 0 })
    expect(readFileSync(out, 'utf8')).toMatch(/^profile: 1$/m)
  })

  test('of a server that calls itself by the secrets of its entry, writes none of them', async () => {
    const script = join(place(), 'telling.mjs')
    writeFileSync(
      script,
      `import { createInterface } from 'node:readline'
      const said = [process.env.API_KEY, ...process.argv.slice(2)].join(' ')
      const serverInfo = { name: 'telling ' + said, title: 'Telling ' + said, version: '1 ' + said }
      const tools = [{ name: 'get_x', title: said, description: said, inputSchema: { type: 'object' } }]
      createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method, params } = JSON.parse(line)
        if (id === undefined) return
        const greeting = { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo }
        const result = method === 'initialize' ? greeting : method === 'tools/list' ? { tools } : {}
        console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
      })`,
    )
    const telling = {
      command: process.execPath,
      args: [script, '--token', 'argument-secret-0123'],
      env: { API_KEY: 'variable-secret-0123' },
    }
    const made = await runCommand(['profile', 'new', 'telling', '--config', gatewayFile({ telling })])
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('Telling [redacted]') })
    expect(made.stdout + made.stderr).not.toMatch(/secret/)
  })

  test('says why a server does not start', async () => {
    const dead = await runCommand(['profile', 'new', '--', ...commandOf(misbehavingServer('die-at-once'))])
    expect(dead).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('no API key was given') })
  })
})

const echo = `profile: 1
name: rude
title: Rude
match: { server: [rude] }
tools:
  echo: read
  fail:
    operation: destructive
    risk: high
    title: Fail {n}
    before:
      - { call: ehco, label: Before, show: { as: text } }
tested: [{ version: '1', definitions: {} }]
`

describe('`profile check`', () => {
  test('names every mistake by its line, also as JSON and YAML', async () => {
    const file = written(
      echo.replace('risk: high', 'risk: huge').replace('title: Rude', 'titel: Rude').replace('label', 'lable'),
    )
    const { code, stdout, stderr } = await runCommand(['profile', 'check', file])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr.split('\n').map((line) => line.replace(/^.*ours\.profile\.yaml:/, ''))).toEqual([
      '1:1: title is missing: it must be a text. Correct it and start again.',
      '3:8: "titel" is an unknown key. Did you mean "title"?',
      expect.stringMatching(/^9:11: tools\.fail\.risk cannot be "huge": it must be "low" or /),
      '12:9: tools.fail.before.0.label is missing: it must be a text. Correct it and start again.',
      '12:30: tools.fail.before.0 has an unknown key "lable". Did you mean "label"?',
      '',
    ])
    const json = await runCommand(['profile', 'check', file, '-o', 'json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, problems: { length: 5 } })
    expect(parse((await runCommand(['profile', 'check', file, '-o', 'yaml'])).stdout)).toEqual(JSON.parse(json.stdout))
    expect(await runCommand(['profile', 'check', join(place(), 'none.yaml')])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('ENOENT'),
    })
  })

  test('a pattern that no server of ours would run is a mistake', async () => {
    const none = `show: { as: text }, none: { matches: '(?=x)', says: No }`
    const file = written(echo.replace('ehco', 'echo').replace('show: { as: text }', none))
    const { code, stderr } = await runCommand(['profile', 'check', file])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/:12:\d+: .* must be a regular expression of RE2/)])
  })
})

describe('`profile test`', () => {
  test('names what does not fit its server, and writes down what does', async () => {
    const rude = misbehavingServer()
    const config = gatewayFile({ rude: { ...rude, profile: './ours.yaml' } })
    const file = join(config, '..', 'ours.yaml')
    writeFileSync(file, echo.replace('ehco', 'echo').replace('  echo: read', '  ehco: read\n  echo: read # a comment'))
    const wrong = await runCommand(['profile', 'test', file, '--config', config, '--record'])
    expect([wrong.code, wrong.stdout]).toEqual([1, ''])
    expect(wrong.stderr).toMatch(/ours\.yaml:6:9: The server lists no tool ehco\. Did you mean "echo"\?/)
    expect(wrong.stderr).toMatch(/ours\.yaml:\d+:\d+: fail takes no argument "n"/)
    expect(wrong.stderr).toMatch(/The profile does not have hang/)
    expect(wrong.stderr).toMatch(/ours\.yaml:7:\d+: echo is defined otherwise/)
    expect(readFileSync(file, 'utf8')).toContain('definitions: {}')
    const more = 'hang crash garbage flood odd spoof refuse broken slow rename nothing meta'.split(' ')
    const right = readFileSync(file, 'utf8')
      .replace('  ehco: read\n', more.map((name) => `  ${name}: { operation: write, risk: high }\n`).join(''))
      .replace('Fail {n}', 'Fail')
    writeFileSync(file, right)
    const recorded = await runCommand(['profile', 'test', file, '--config', config, '--record'])
    expect(recorded).toMatchObject({ code: 0, stdout: expect.stringContaining('fits rude 9.9.9: 14 tools.') })
    expect(readFileSync(file, 'utf8')).toMatch(/# a comment[\s\S]*version: 9\.9\.9/)
    expect(await runCommand(['profile', 'test', file, '--config', config])).toMatchObject({ code: 0, stderr: '' })
  })

  test('asks for a command where no server of the settings has the profile', async () => {
    const ended = await runCommand(['profile', 'test', written(echo.replace('ehco', 'echo'))])
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('after two dashes') })
  })
})

test('`profile list` has those that are shipped', async () => {
  expect((await runCommand(['profile', 'list'])).stdout).toMatch(
    /^filesystem +Filesystem +npm @modelcontextprotocol\/server-filesystem$/m,
  )
  const json = await runCommand(['profile', 'list', '-o', 'json'])
  expect(JSON.parse(json.stdout)).toContainEqual(expect.objectContaining({ name: 'filesystem', tools: 14 }))
})

describe('`doctor` and `tools` say which profile a server has', () => {
  const ours = echo.replace('ehco', 'echo')
  const folder = place()
  writeFileSync(join(folder, 'ours.yaml'), ours)
  const config = join(folder, 'countersign.json')
  const servers = {
    files: files(),
    rude: { ...misbehavingServer(), profile: './ours.yaml' },
    plain: { ...officialServer('filesystem', [realPlace()]), profile: false },
  }
  writeFileSync(config, JSON.stringify({ mcpServers: servers }))

  test('doctor: by what it was found, and of which tools it does not speak', async () => {
    const { stdout } = await runCommand(['doctor', '--config', config, '--db', freshDatabase()])
    expect(stdout).toMatch(
      /files +.*\n +profile filesystem, found by its npm package @modelcontextprotocol\/server-filesystem\n/,
    )
    expect(stdout).toMatch(/rude +.*\n +profile rude, found by the settings \("\.\/ours\.yaml"\)\n/)
    expect(stdout).toMatch(/defined otherwise than in the profile, rated by the general rules: echo, fail\n/)
    expect(stdout).toMatch(/not in the profile, rated by the general rules: hang, crash, /)
    expect(stdout).toMatch(/plain +.*\n +no profile: the general rules rate its tools\n/)
  })

  test('tools: each with the profile that rates it', async () => {
    const list = await runCommand(['tools', 'list', '--config', config, '--db', freshDatabase(), '-o', 'json'])
    const of = (name: string): unknown =>
      (JSON.parse(list.stdout) as { name: string; profile: unknown }[]).find((tool) => tool.name === name)?.profile
    expect(['files:write_file', 'rude:echo', 'plain:write_file'].map(of)).toEqual(['filesystem', null, null])
    const args = ['tools', 'show', 'files:write_file', '--config', config, '--db', freshDatabase()]
    expect((await runCommand(args)).stdout).toMatch(/^  profile +filesystem, found by its npm package /m)
  })
})

describe('a profile that is not there stops the start, and says what there is', () => {
  test.each([
    ['filesytem', /There is no profile "filesytem"\. Did you mean "filesystem"\?/],
    ['./none.yaml', /The profile \S+none\.yaml cannot be read \(ENOENT\)/],
    ['./broken.yaml', /broken\.yaml:2:1: .*is not YAML|broken\.yaml:\d+:\d+: /],
  ])('%s', async (profile, said) => {
    const config = gatewayFile({ files: { ...files(), profile } })
    writeFileSync(join(config, '..', 'broken.yaml'), 'profile: 1\n- x')
    const gateway = await runCommand(['gateway', '--config', config, '--db', freshDatabase()])
    expect(gateway).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(said) })
    expect(gateway.stderr).toContain('mcpServers.files.profile')
    const wrapped = ['wrap', '--profile', profile === './none.yaml' ? profile : 'filesytem', '--', 'none']
    expect((await runCommand(wrapped)).stderr).toMatch(/There is no profile|cannot be read/)
  })
})

describe('`wrap`', () => {
  const wrap = async (...options: readonly string[]) => {
    const folder = realPlace()
    const server = officialServer('filesystem', [folder])
    const line = ['wrap', '--db', freshDatabase(), ...options, '--', ...commandOf(server)]
    const agent = await agentHere(line)
    return (await agent.call('write_file', { path: join(folder, 'a.txt'), content: 'x' })).card?.title
  }

  test('takes the profile that is shipped, another one by name or file, or none', async () => {
    const own = readFileSync(join(import.meta.dirname, '../../../profiles/filesystem.yaml'), 'utf8')
    const file = written(own.replace('title: Write {path|base}', 'title: Put into {path|base}'))
    expect(await wrap()).toBe('Write a.txt')
    expect(await wrap('--profile', file)).toBe('Put into a.txt')
    expect(await wrap('--no-profile')).toMatch(/^Write File on filesystem/)
    expect(await wrap('--profile', 'sqlite')).toBe('Write File on sqlite')
  })

  test.each(['--no-profile', '--profile=sqlite', '--name=x', '--confirmation=host', '--rationale=optional'])(
    'refuses %s beside --config, which says that itself',
    async (option) => {
      const config = gatewayFile({ docs: files() })
      const name = /^--(?:no-)?(\w+)/.exec(option)?.[1]
      expect(await runCommand(['wrap', '--config', config, option])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(new RegExp(`the file says ${name}[^]*entry of`)),
      })
    },
  )
})

describe('a server that takes the name of a known one', () => {
  const ledger = join(place(), 'ledger')
  const recorded = join(import.meta.dirname, '../../profiles/recorded/filesystem.json')
  const line = [process.execPath, ...fixture('impostor-server'), 'secure-filesystem-server', recorded, ledger]

  test('has its words on its cards, is asked for no dry run, and writes nothing before a person agreed', async () => {
    const agent = await agentHere(['wrap', '--db', freshDatabase(), '--', ...line])
    const edits = [{ oldText: 'a', newText: 'b' }]
    const edit = await agent.call('edit_file', { path: '/x/a.txt', edits })
    expect([edit.status, edit.card?.title]).toEqual(['previewed', 'Edit a.txt'])
    const wrote = await agent.call('write_file', { path: '/x/a.txt', content: 'x' })
    expect([wrote.status, wrote.card?.title]).toEqual(['previewed', 'Write a.txt'])
    expect(ledgerOf(ledger).filter((call) => /write_file|edit_file/.test(call))).toEqual([])
  })

  test('is asked about what the profile calls a read, and the rules do not', async () => {
    const tools = join(import.meta.dirname, '../../profiles/recorded/chrome-devtools.json')
    const chrome = [process.execPath, ...fixture('impostor-server'), 'chrome_devtools', tools, ledger]
    const sized = async (...options: readonly string[]) => {
      const agent = await agentHere(['wrap', '--db', freshDatabase(), ...options, '--', ...chrome])
      return (await agent.call('resize_page', { pageId: 1, width: 800, height: 600 })).status
    }
    expect(await sized()).toBe('previewed')
    expect(ledgerOf(ledger).filter((call) => call.includes('resize_page'))).toEqual([])
    expect(await sized('--profile', 'chrome-devtools')).not.toBe('previewed')
    expect(ledgerOf(ledger).filter((call) => call.includes('resize_page'))).toHaveLength(1)
  })

  test('doctor says that its name lowers nothing', async () => {
    const [command, ...args] = line
    const config = gatewayFile({ it: { command, args } })
    const { stdout } = await runCommand(['doctor', '--config', config, '--db', freshDatabase()])
    expect(stdout).toMatch(/profile filesystem, found by the name that it gives itself, secure-filesystem-server\n/)
    expect(stdout).toContain('"profile": "filesystem" in its entry makes it count in full')
  })
})
