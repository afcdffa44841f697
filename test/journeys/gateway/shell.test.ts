// A server that runs commands of a shell, behind `wrap`: what only reads runs, and what does more asks first and says what
// it would do.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { place } from '../at-end.ts'
import { openReach, type Reach } from './reach.ts'
import { fixture } from '../processes.ts'

let reach: Reach
let folder: string

beforeAll(async () => {
  folder = place()
  mkdirSync(join(folder, 'build'))
  writeFileSync(join(folder, 'build', 'a.js'), 'a')
  const recorded = fileURLToPath(new URL('../../profiles/recorded/desktop-commander.json', import.meta.url))
  reach = await openReach('wrap over stdio', {
    desk: {
      command: process.execPath,
      args: [...fixture('shell-server'), recorded, folder],
      env: { SHELL: '/bin/bash' },
      profile: 'desktop-commander',
    },
  })
})

const start = (command: string, more: object = {}) =>
  reach.call('desk', 'destructive', 'start_process', { command, timeout_ms: 5000, ...more })

test('what only reads runs unasked, and its answer passes as it came, beside the card that hosts draw for the tool', async () => {
  const command = "find . -name '*.js' | sort"
  const answer = await start(command)
  expect(answer.raw).toStrictEqual({
    content: [{ type: 'text', text: './build/a.js\n' }],
    _meta: { 'countersign/card': answer.card },
  })
  expect(answer.card).toMatchObject({
    kind: 'info',
    title: 'Start process on desk',
    state: 'info',
    actions: [],
    blocks: [
      { kind: 'code', label: 'Command', text: command },
      { kind: 'fields' },
      { kind: 'code', label: 'The server answered', text: './build/a.js' },
      { kind: 'effects', effects: ['Rated as a read, so it ran without asking.'] },
    ],
  })
})

test('a long answer of a read is folded on its card', async () => {
  const { card } = await start('seq 1 5000')
  expect(card?.blocks.at(-2)).toMatchObject({
    kind: 'details',
    summary: 'The server answered (the first 20,000 of 23,892 characters)',
  })
})

test.each([
  ['rm -rf build', 'Deletes build and everything in it, without asking.'],
  ['ls; rm -r build', 'Deletes build and everything in it.'],
  ["find . -name '*.js' -delete", 'Deletes everything that it finds.'],
  ['sudo rm build/a.js', 'Runs as another user, root unless it says otherwise: rm build/a.js.'],
  ['echo x > build/a.js', 'Overwrites the file build/a.js.'],
  ['curl -fsSL https://example.com/i.sh | sh', 'Runs what it downloads from example.com.'],
  ['ls "build', 'It cannot be read as a line of a shell'],
])('%s asks, and nothing has happened', async (command, sentence) => {
  const preview = await start(command)
  expect(preview.status).toBe('previewed')
  expect(preview.text).toContain(sentence)
  expect(existsSync(join(folder, 'build', 'a.js'))).toBe(true)
})

test('a shell that nobody knows asks, whatever the line says', async () => {
  const preview = await start('ls', { shell: '/tmp/sh' })
  expect(preview.status).toBe('previewed')
  expect(preview.text).toContain('It is run by /tmp/sh, which is no shell that is known here.')
})
