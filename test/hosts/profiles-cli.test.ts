// The command as somebody runs it on a server that is not ours: what it says, and the exit code that a CI reads.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { fixture, runToEnd, startDemo, type Ended } from '../journeys/processes.ts'
import { freshDatabase, place } from '../journeys/at-end.ts'
import { runCommand } from '../journeys/terminal.ts'
import { testBrowser } from './browser.ts'

const thirdParty = [process.execPath, ...fixture('third-party-server')]
let env: Record<string, string> = {}

beforeAll(async () => {
  const browser = await testBrowser()
  env = { ...browser.env, CHROMIUM_PATH: browser.path }
})

const testHost = (...args: readonly string[]): Promise<Ended> => runToEnd(['test-host', ...args], { env })

describe('countersign test-host', () => {
  test('passes a server in the hosts in which its view works, and says what the person sees', async () => {
    const { code, stdout } = await testHost('--profile', 'turn', 'prefill', '--', ...thirdParty)
    expect([code, stdout]).toEqual([0, expect.stringContaining('all as they should be')])
    expect(stdout).toMatch(/turn +in the card +in the card +– +– +Write a note The note is written\./)
    expect(stdout).toMatch(/prefill +in the card/)
  })

  test('fails it where a person would be stuck, with the host and what is seen there', async () => {
    const { code, stdout } = await testHost('--profile', 'refuse', 'foreign-result', 'reload', '--', ...thirdParty)
    expect(code).toBe(1)
    expect(stdout).toContain('a host that refuses the message while its message box is not empty')
    expect(stdout).toContain('after a refused message nothing can be done')
    expect(stdout).toContain('a foreign result was shown in this view')
    expect(stdout).toContain('a used Confirm came alive again')
  })

  test.each([
    [['--profile', 'mars'], 'There is no host profile mars'],
    [['--args', '{}'], '--args is one JSON object, and needs one --tool'],
    [['--tool', 'a', 'b', '--args', '{}'], '--args is one JSON object, and needs one --tool'],
    [['--args', '{}', '--args-file', 'no.json'], 'Both --args and --args-file say the arguments'],
    [['--tool', 'note', '--args-file', 'no.json'], 'There is no file'],
    [['--url', 'nowhere'], '--url nowhere is no address'],
    [['--tool', 'notr', '--', ...thirdParty], 'has no tool "notr". Did you mean note?'],
    [['--tool', 'something_else', '--', ...thirdParty], 'Its tools that write: '],
    [['--tool', 'note', '--args', 'no'], '--args is one JSON object'],
    [['--url', 'http://127.0.0.1:1/mcp', '--', 'node'], 'either --url or a command'],
  ])('%j is refused in one line, before a browser starts', async (args, message) => {
    const { code, stderr } = await runCommand(['test-host', ...args], { env: { ...env, CHROMIUM_PATH: '/none' } })
    expect([code, stderr.trim().split('\n')]).toEqual([2, [expect.stringContaining(message)]])
  })

  test.each([[['--url', 'http://127.0.0.1:1/mcp']], [['--', 'no-such-command']]])(
    '%j is a server that does not start',
    async (args) => {
      const { code, stderr } = await runCommand(['test-host', ...args], { env })
      expect([code, stderr.trim().split('\n')]).toEqual([1, [expect.stringContaining('The server did not start')]])
    },
  )

  test('takes arguments for each journey from a file, so that an address can be checked whose state they change', async () => {
    const notes = join(place(), 'notes.mjs')
    const id = "host === 'turn' ? 'SO-1005' : 'SO-1007'"
    writeFileSync(notes, `export default (journey, host, n) => ({ id: ${id}, note: 'Ring at door ' + n })`)
    const { mcp } = await startDemo(freshDatabase())
    const options = ['--tool', 'orders_modify', '--args-file', notes, '--profile', 'turn', 'prefill', '--url', mcp.href]
    const { code, stdout } = await testHost(...options)
    expect([code, stdout]).toEqual([0, expect.stringContaining('8 journeys of 1 tool in 2 hosts: all as')])
    expect(stdout).toMatch(/turn +in the card +in the card +in the card +in the card/)
  })
})
