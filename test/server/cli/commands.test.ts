// A command is loaded when it is named; so what the help lists and what a name loads must be the same commands.
import { expect, test } from 'vitest'
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
  expect([help.code, names.length]).toEqual([0, 24])
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
