// The command as somebody runs it on a server that is not ours: what it says, and the exit code that a CI reads.
import { beforeAll, describe, expect, test } from 'vitest'
import { fixture, runToEnd, type Ended } from '../journeys/processes.ts'
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
    [['--args', '{}'], '--args is one JSON object, and needs --tool'],
    [['--tool', 'note', '--args', 'no'], '--args is one JSON object'],
    [['--url', 'http://127.0.0.1:1/mcp', '--', 'node'], 'either --url or a command'],
    [['--url', 'http://127.0.0.1:1/mcp'], 'The server did not start'],
    [['--', 'no-such-command'], 'The server did not start'],
  ])('%j is refused in one line', async (args, message) => {
    const { code, stderr } = await runCommand(['test-host', ...args], { env })
    expect([code, stderr.trim().split('\n')]).toEqual([1, [expect.stringContaining(message)]])
  })
})
