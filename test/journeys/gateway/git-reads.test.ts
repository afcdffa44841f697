// Desktop Commander behind `wrap`: what looks into a repository runs at once, until the repository names a program for it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasGit, plainRepository, type Repository } from '../../kit/hostile-repository.ts'
import { confirm, type Agent } from '../agent.ts'
import { freshDatabase, place } from '../at-end.ts'
import { agentHere } from '../in-process.ts'

const commander = fileURLToPath(
  new URL('../../../node_modules/@wonderwhy-er/desktop-commander/dist/index.js', import.meta.url),
)

let it: Repository
let desk: Agent

beforeAll(async () => {
  if (!hasGit) return
  it = plainRepository()
  const home = place()
  mkdirSync(join(home, '.claude-server-commander'))
  writeFileSync(
    join(home, '.claude-server-commander', 'config.json'),
    JSON.stringify({ telemetryEnabled: false, pendingWelcomeOnboarding: false }),
  )
  desk = await agentHere(['wrap', '--db', freshDatabase(), '--', process.execPath, commander, '--no-onboarding'], {
    env: { HOME: home, SHELL: '/bin/bash' },
  })
})
afterAll(() => it?.remove())

const start = (command: string) => desk.call('start_process', { command, timeout_ms: 5000 })

test.skipIf(!hasGit)('git status, diff and log run unasked in a repository that names no program', async () => {
  expect((await start(`cd ${it.folder} && git status && git --no-pager diff --stat`)).text).toContain('On branch main')
  expect((await start(`git -C ${it.folder} log --oneline -5`)).text).toContain('three')
})

test.skipIf(!hasGit)('once it names one, the same line asks, says which, and has run nothing', async () => {
  it.configure(`[core]\n  fsmonitor = ${it.program('evil')}\n`)
  const preview = await start(`cd ${it.folder} && git status`)
  expect(preview.status).toBe('previewed')
  expect(preview.text).toContain('core.fsmonitor')
  expect(preview.text).toContain(join(it.folder, '.git', 'config'))
  expect(it.traces()).toEqual([])
  // The server answers with what the line has printed by then, which may be the warning of that program alone.
  expect(await confirm(desk, preview)).toMatchObject({ status: 'applied' })
  await expect.poll(() => it.traces()).toEqual(['evil'])
})
