// The gateway from a terminal, as scripts use it: what it prints, and with which exit code it ends.
import { existsSync, readFileSync, statSync, writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshDatabase, place } from '../at-end.ts'
import { gatewayFile, officialServer, realPlace, misbehavingServer } from './reach.ts'
import { ledgerOf } from './ledger.ts'
import { atTerminal, runCommand } from '../terminal.ts'

describe('countersign call', () => {
  const folder = realPlace()
  const db = freshDatabase()
  const ledger = join(folder, 'ledger')
  // A command starts every server of its file, so each server has one of its own.
  const configs: Readonly<Record<string, string>> = {
    files: gatewayFile({ files: officialServer('filesystem', [folder]) }),
    memory: gatewayFile({
      memory: officialServer('memory', [], { env: { MEMORY_FILE_PATH: join(folder, 'memory.json') } }),
    }),
    rude: gatewayFile({ rude: misbehavingServer('polite', ledger) }),
  }
  const configOf = (tool: string): readonly string[] => ['--config', configs[tool.split(':')[0] ?? ''] ?? 'none']

  const call = (variant: string, tool: string, args: object, ...more: readonly string[]) =>
    runCommand([
      'call',
      variant,
      `--tool-name=${tool}`,
      `--json_args=${JSON.stringify(args)}`,
      ...configOf(tool),
      '--db',
      db,
      ...more,
    ])

  test('a read prints what the tool answers, and ends with 0', async () => {
    writeFileSync(join(folder, 'a.txt'), 'first\tsecond\n\u001B[31mred')
    const ended = await call('tool-read', 'files:read_text_file', { path: join(folder, 'a.txt') })
    expect(ended).toMatchObject({ code: 0, stdout: 'first\tsecond\n[U+001B][31mred\n' })
  })

  test('a tool that fails ends with 1', async () => {
    expect(await call('tool-read', 'files:read_text_file', { path: '/etc/hostname' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Access denied'),
    })
  })

  test('a write without a person is only previewed, and ends with 2', async () => {
    const path = join(folder, 'new.txt')
    const ended = await call('tool-destructive', 'files:write_file', { path, content: 'new' })
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('Nothing has happened.') })
    expect(ended.stderr).toContain('Write new.txt')
    expect(existsSync(path)).toBe(false)
  })

  test('a preview printed as JSON holds no ticket', async () => {
    const args = { path: join(folder, 'new.txt'), content: 'new' }
    const ended = await call('tool-destructive', 'files:write_file', args, '-o', 'json')
    expect(JSON.parse(ended.stdout)).toMatchObject({ status: 'previewed' })
    expect(ended.stdout + ended.stderr).not.toContain('cs1_')
  })

  test('with --yes it happens, and -o json prints the envelope', async () => {
    const path = join(folder, 'yes.txt')
    const ended = await call('tool-destructive', 'files:write_file', { path, content: 'yes' }, '--yes', '-o', 'json')
    expect(ended.code).toBe(0)
    expect(JSON.parse(ended.stdout)).toMatchObject({ status: 'applied', tool: 'files:write_file' })
    expect(readFileSync(path, 'utf8')).toBe('yes')
  })

  test('what is critical waits for an approval, --yes or not', async () => {
    const ended = await call(
      'tool-destructive',
      'memory:delete_entities',
      { entityNames: ['x'] },
      '--yes',
      '-o',
      'json',
    )
    expect(ended.code).toBe(2)
    expect(JSON.parse(ended.stdout)).toMatchObject({ requires_human_approval: true })
  })

  describe('without a terminal, once a person has approved', () => {
    /** Asks for a critical call; answers how it ended and its approval. */
    const asked = async (name: string, ...more: readonly string[]) => {
      const ended = await call('tool-destructive', 'memory:delete_entities', { entityNames: [name] }, '--yes', ...more)
      const id = /--ticket (ap_[0-9a-z]{16})/.exec(ended.stderr)?.[1] ?? ''
      return { ...ended, id }
    }
    /** A person pastes the command that was printed into a terminal of their own. */
    const approve = async ({ stderr }: { readonly stderr: string }) => {
      const pasted = /run: countersign (approvals approve .+)$/m.exec(stderr)?.[1] ?? ''
      const word = 'delete_entities'
      const { stderr: said } = await atTerminal(pasted.split(' '), [[`Type ${word} to let it happen: `, word]])
      return said
    }

    test('the call is finished by --ticket and no other call is, and a repeat has its outcome', async () => {
      const first = await asked('one')
      expect(first).toMatchObject({ code: 2, stderr: expect.stringContaining(`--config ${configs.memory} --db ${db}`) })
      expect(await asked('one')).toMatchObject({ code: 2, id: first.id })
      expect(await approve(first)).toContain(`Approved ${first.id}.`)
      const finish = async (name: string, ...more: readonly string[]) => {
        const ended = await call('tool-destructive', 'memory:delete_entities', { entityNames: [name] }, ...more)
        return [ended.code, JSON.parse(ended.stdout)]
      }
      const ticket = ['--ticket', first.id, '-o', 'json'] as const
      expect(await finish('two', ...ticket)).toMatchObject([2, { status: 'mismatch' }])
      expect(await finish('one', ...ticket)).toMatchObject([0, { status: 'applied' }])
      expect(await finish('one', '-o', 'json')).toMatchObject([0, { status: 'replayed' }])
    })

    test('a repeat hears of a rejection, and asks anew with --again only', async () => {
      const first = await asked('four')
      await runCommand(['approvals', 'reject', first.id, '--reason', 'Keep it.', '--db', db])
      expect(await asked('four')).toMatchObject({ code: 2, id: '', stderr: expect.stringContaining('Keep it.') })
      const anew = await asked('four', '--again')
      expect(anew.id).toMatch(/^ap_/)
      expect(anew.id).not.toBe(first.id)
    })
  })

  test.each([
    [
      'tool-read',
      'files:write_file',
      "Tool 'files:write_file' is marked destructive by server, use call_tool_destructive",
    ],
    ['tool-read', 'files:nothing_such', 'There is no tool named "files:nothing_such" here.'],
    ['tool-sometimes', 'files:write_file', 'Allowed choices are tool-read, tool-write, tool-destructive'],
  ])('%s of %s is refused with 2: %s', async (variant, tool, message) => {
    expect(await call(variant, tool, {})).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })

  test('why it was refused is said once at a terminal, and not again as a line of the log', async () => {
    const tool = 'rude:nothing_such'
    const command = ['call', 'tool-read', `--tool-name=${tool}`, '--json_args={}', ...configOf(tool), '--db', db]
    const { code, stderr } = await runCommand(command)
    expect([code, stderr]).toStrictEqual([2, expect.stringContaining(`There is no tool named "${tool}" here.`)])
    expect(stderr).not.toContain('catalog.find')
  })

  test('arguments that are no JSON object, and a file that is not there, are bad usage', async () => {
    const bad = await runCommand([
      'call',
      'tool-read',
      '--tool-name=rude:echo',
      '--json_args=[',
      ...configOf('rude:echo'),
      '--db',
      db,
    ])
    expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('/args_json') })
    const none = await runCommand(['call', 'tool-read', '--tool-name=a:b', '--config', join(folder, 'none.json')])
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be read (ENOENT)') })
    expect(ledgerOf(ledger)).not.toContain('echo')
  })

  test.each([
    ['The notes are out of date.', 'The notes are out of date.'],
    ['tidying', 'Called by a person at the terminal: tidying'],
    [undefined, 'Called by a person at the terminal.'],
  ])('--reason %s is what the preview and the record give as the rationale: %s', async (reason, rationale) => {
    const own = freshDatabase()
    const said = reason === undefined ? [] : [`--reason=${reason}`, '--sensitivity=internal']
    const line = (variant: string, name: string) =>
      runCommand([
        'call',
        variant,
        `--tool-name=${name}`,
        ...said,
        ...configOf(name),
        '--db',
        own,
        '--json_args={"path":"x"}',
      ])
    const preview = await line('tool-write', 'files:create_directory')
    expect(preview).toMatchObject({ code: 2, stderr: expect.stringContaining(`“${rationale}”`) })
    expect((await line('tool-read', 'files:write_file')).stderr).toContain('marked destructive by server')
    const { stdout } = await runCommand(['activity', 'list', '-o', 'json', '--db', own])
    const declared = { data_sensitivity: reason === undefined ? null : 'internal', reason: reason ?? null }
    expect(JSON.parse(stdout)).toMatchObject([
      { status: 'refused', rationale, tool_variant: 'call_tool_read', intent: { operation_type: 'read', ...declared } },
      {
        status: 'previewed',
        rationale,
        tool_variant: 'call_tool_write',
        intent: { operation_type: 'write', ...declared },
      },
    ])
  })

  test.each([
    ['yes', 0],
    ['no', 2],
  ])('a person who types %s at the terminal ends it with %d', async (said, code) => {
    const line = ['--tool-name=memory:delete_entities', '--json_args={"entityNames":["nobody"]}', '-o', 'json']
    const ended = await atTerminal(
      ['call', 'tool-destructive', ...line, ...configOf('memory:delete_entities'), '--db', freshDatabase()],
      [['Forget? [y/N] ', said]],
    )
    expect(ended.code).toBe(code)
  })
})

describe('countersign tools', () => {
  const servers = (mode: string) => ({
    rude: misbehavingServer(mode),
    files: officialServer('filesystem', [realPlace()]),
  })

  test('list, show and search say what is there', async () => {
    const [config, db] = [gatewayFile(servers('polite')), freshDatabase()]
    const at = ['--config', config, '--db', db]
    const list = await runCommand(['tools', 'list', ...at, '-o', 'json'])
    expect(JSON.parse(list.stdout)).toContainEqual(
      expect.objectContaining({
        name: 'files:move_file',
        risk: 'high',
        call_with: 'call_tool_destructive',
        held: false,
      }),
    )
    const show = await runCommand(['tools', 'show', 'files:edit_file', ...at])
    expect(show.stdout).toContain('dry run      dryRun=true')
    const search = await runCommand(['tools', 'search', 'move', 'a', 'file', ...at, '--limit', '3'])
    expect(search.stdout).toContain('files:move_file')
    expect(search.stdout.trim().split('\n')).toHaveLength(3)
    expect(await runCommand(['tools', 'show', 'files:nope', ...at])).toMatchObject({ code: 2 })
  })

  test('a changed definition is held back until review accepts it', async () => {
    const db = freshDatabase()
    const before = ['--config', gatewayFile({ rude: misbehavingServer('polite') }), '--db', db]
    const after = ['--config', gatewayFile({ rude: misbehavingServer('redefined') }), '--db', db]
    await runCommand(['tools', 'list', ...before])
    expect((await runCommand(['tools', 'list', ...after])).stdout).toContain('changed, waits for review')
    const call = ['call', 'tool-read', '--tool-name=rude:echo', ...after]
    expect(await runCommand(call)).toMatchObject({ code: 1, stderr: expect.stringContaining('upstream_held') })

    const review = await runCommand(['tools', 'review', '--db', db])
    expect(review.stdout).toContain('rude:echo\n/description\n- Does as its name says.\n+ Now does something else.')
    expect(await runCommand(['tools', 'review', '--db', db, '--accept', 'rude:nothing_such'])).toMatchObject({
      code: 2,
    })
    const accept = ['tools', 'review', '--db', db, '--accept', 'rude:echo', '--by', 'Grace']
    expect(await runCommand(accept)).toMatchObject({ code: 0 })
    const record = (await runCommand(['activity', 'list', '--db', db, '--output', 'json'])).stdout
    expect(record).toMatch(/definition\.accepted/)
    expect(record).toContain('Grace')
    expect(await runCommand(call)).toMatchObject({ code: 0, stdout: '{}\n' })
  })
})

describe('countersign import and doctor', () => {
  test('import writes one file that only its owner can read, never over another, and doctor can use it', async () => {
    const home = place()
    const out = join(home, 'gateway.json')
    mkdirSync(join(home, '.cursor'))
    writeFileSync(join(home, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers: { rude: misbehavingServer() } }))
    const env = { HOME: home, XDG_CONFIG_HOME: home }
    const unasked = await runCommand(['import', '--out', out], { env })
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing was written') })
    expect(unasked.stderr).toMatch(/^rude: \S*node .*misbehaving-server/m)
    expect(existsSync(out)).toBe(false)
    const asked = (answer: string) =>
      atTerminal(['import', '--out', out], [[`Write this server to ${out}? [y/N]`, answer]], { env })
    expect(await asked('')).toMatchObject({ code: 2 })
    expect(existsSync(out)).toBe(false)
    expect(await asked('y')).toMatchObject({ code: 0 })
    expect(await runCommand(['import', '--out', out, '--yes', '--force'], { env })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^rude: /m),
    })
    expect(statSync(out).mode & 0o777).toBe(0o600)
    expect(await runCommand(['import', '--out', out, '--yes'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is there already'),
    })
    const db = freshDatabase()
    const well = await runCommand(['doctor', '--config', out, '--db', db], { env })
    expect(well).toMatchObject({ code: 0, stdout: expect.stringContaining('rude 9.9.9 over stdio, ready after') })
    expect(well.stdout).toContain('What this does not protect from')
    expect(well.stdout).toContain('call_tool_destructive')
    expect(existsSync(db)).toBe(false)
  })

  test('doctor names the server that does not start, with what it said, and ends with 1', async () => {
    const config = gatewayFile({ dead: misbehavingServer('die-at-once'), rude: misbehavingServer() })
    const ill = await runCommand(['doctor', '--config', config, '--db', freshDatabase()])
    expect(ill.code).toBe(1)
    expect(ill.stdout).toContain(
      'does not answer: it ended at once (exit code 3); it said: Error: no API key was given',
    )
    expect(ill.stdout).toContain('rude 9.9.9 over stdio')
  })
})
