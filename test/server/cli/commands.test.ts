// A command is loaded when it is named; so what the help lists and what a name loads must be the same commands.
import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { packageRoot } from '../../../server/package-root.ts'
import { place } from '../../journeys/at-end.ts'
import { start } from '../../journeys/processes.ts'
import { runCommand } from '../../journeys/terminal.ts'

const run = async (...args: readonly string[]): Promise<{ readonly code: number | null; readonly text: string }> => {
  const { code, stdout, stderr } = await runCommand(args)
  return { code, text: stdout + stderr }
}

test('every command that the help lists has a help of its own', async () => {
  const help = await run('--help')
  const names = [...help.text.matchAll(/^  ([a-z-]+) .*$/gm)].flatMap(([, name]) =>
    name === 'help' ? [] : (name ?? []),
  )
  expect([help.code, names.length]).toEqual([0, 26])
  for (const name of names) {
    const own = await run(name, '--help')
    expect([own.code, own.text.split(/ \[| </)[0]]).toEqual([0, `Usage: countersign ${name}`])
  }
})

test('the help of a command is also found by `help` and its name', async () => {
  expect(await run('help', 'approvals')).toEqual(await run('approvals', '--help'))
})

test('of a command with subcommands the help says what each of them takes', async () => {
  expect((await run('account', '--help')).text).toMatch(/^ {2}add \[options\] <name> /m)
})

test('a wrong word is refused with the command that it may have meant', async () => {
  const { code, text } = await run('aprovals')
  expect([code, text]).toEqual([2, expect.stringContaining('Did you mean approvals?')])
})

test('the version is printed alone', async () => {
  expect(await run('--version')).toEqual({ code: 0, text: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
})

describe('a command that prints what is kept', () => {
  const db = join(place(), 'commands.db')
  const lists = [
    ['approvals', 'list'],
    ['grants', 'list'],
    ['account', 'list'],
    ['account', 'delegations'],
    ['admin', 'grace'],
    ['feedback', 'list'],
    ['insights'],
    ['activity', 'list'],
    ['token', 'list'],
    ['login', '--list'],
    ['profile', 'list'],
    ['secrets', 'list'],
  ]

  test.each(lists.map((line) => ({ line, name: line.join(' ') })))(
    'takes -o and --json alike: $name',
    async ({ line }) => {
      const withDatabase = ['profile', 'secrets'].includes(line[0] ?? '') ? line : [...line, '--db', db]
      const json = await runCommand([...withDatabase, '--json'])
      const yaml = await runCommand([...withDatabase, '-o', 'yaml'])
      expect([json.code, yaml.code]).toEqual([0, 0])
      const value: unknown = JSON.parse(json.stdout)
      expect(value).toBeInstanceOf(Array)
      expect(parse(yaml.stdout)).toEqual(value)
      expect(await runCommand([...withDatabase, '--output', 'json'])).toEqual(json)
    },
  )

  test('says what is installed as sections, and whether all is well', async () => {
    const { code, stdout } = await runCommand(['doctor', '--json', '--db', db])
    const found = JSON.parse(stdout) as { readonly sections: readonly { readonly rows: readonly object[] }[] }
    expect([code, found]).toEqual([0, { ok: true, sections: [{ title: 'Installed', rows: expect.any(Array) }] }])
    expect(found.sections[0]?.rows).toContainEqual({ name: 'node', text: process.versions.node })
  })

  test('refuses a form that it does not have', async () => {
    expect(await run('token', 'list', '-o', 'xml')).toEqual({
      code: 2,
      text: expect.stringContaining('Allowed choices are table, json, yaml.'),
    })
  })
})

describe('a shell that completes a line', () => {
  const program = ['--no-warnings', join(packageRoot(), 'server/cli/countersign.ts')]
  /** The words that it offers, of a program as it is started. */
  async function offered(...line: readonly string[]): Promise<readonly string[]> {
    const { stdout } = await start([...program, 'complete', '--', ...line]).ended
    return stdout
      .split('\n')
      .flatMap((each) => (each === '' || each.startsWith(':') ? [] : (each.split('\t')[0] ?? [])))
  }

  test('is told commands, options and their values, and nothing of another program’s line', async () => {
    expect(await offered('comp')).toEqual(['completion'])
    expect(await offered('approvals', 'list', '--state', 're')).toEqual(['rejected'])
    expect(await offered('wrap', '--', 'node', '--')).toEqual([])
  })

  test('runs nothing that stands on the line: bash', async () => {
    const { code, stdout } = await start([...program, 'completion', 'bash']).ended
    expect(code).toBe(0)
    const folder = place()
    const made = join(folder, 'made')
    writeFileSync(join(folder, 'countersign'), `#!/bin/sh\nexec "${process.execPath}" ${program.join(' ')} "$@"\n`, {
      mode: 0o755,
    })
    const session = `${stdout}
      complete -p countersign
      COMP_WORDS=(countersign token list --subject '$(touch ${made})' '>${made}' --out); COMP_CWORD=6
      _countersign; echo "\${COMPREPLY[*]}"`
    const { stdout: said } = await promisify(execFile)('bash', ['-c', session], {
      env: { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` },
    })
    expect(said).toBe('complete -o default -F _countersign countersign\n--output\n')
    expect(existsSync(made)).toBe(false)
  })

  test.each(['zsh', 'fish'])('has a script for %s', async (shell) => {
    expect((await run('completion', shell)).text).toContain('countersign complete -- ')
  })
})
