// The examples of the package, each as a program of its own with the package as npm built it, used by a real client.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buttonText, confirm, overStdio, type Agent } from '../agent.ts'
import { start } from '../processes.ts'
import { installed, root } from './installed.ts'

const text = readFileSync(join(root, 'docs', 'examples', 'tracker.ts'), 'utf8')

async function tracker(): Promise<Agent> {
  const project = installed('newest')
  const file = join(project, 'tracker.ts')
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  writeFileSync(file, text)
  return overStdio(['--no-warnings', '--preserve-symlinks', '--preserve-symlinks-main', file])
}

describe('the tracker', () => {
  test('is written in at most 120 lines, and none of its writes in more than 25', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(120)
    const writes = [...text.matchAll(/^const \w+ = defineWrite\(\{\n[\s\S]*?^\}\)/gm)].map(([write]) => write)
    expect(writes).toHaveLength(3)
    for (const write of writes) expect(write.split('\n').length).toBeLessThanOrEqual(25)
  })

  test('creates, changes and deletes an issue, each once it is signed, and takes back what it changed', async () => {
    const agent = await tracker()
    const created = await confirm(agent, await agent.call('issues_create', { title: 'Try the tracker' }))
    expect(created.data).toMatchObject({
      status: 'applied',
      result: { after: { id: 'ISS-3', title: 'Try the tracker', state: 'open', priority: 'normal', labels: [] } },
    })
    const preview = await agent.call('issues_change', { id: 'ISS-3', assignee: 'ada', due: '2026-12-01' })
    expect(preview.data).toMatchObject({
      summary: 'Changes Assignee and Due of the issue ISS-3.',
      changes: [{ pointer: '/assignee' }, { pointer: '/due', after: { kind: 'date', iso: '2026-12-01' } }],
    })
    const changed = await confirm(agent, preview)
    expect(changed.data).toMatchObject({ status: 'applied', result: { after: { assignee: 'ada' } } })
    expect(buttonText(changed, 'other')).toContain('(id="ISS-3", assignee=null, due=null, ')
    const back = await agent.call('issues_change', { id: 'ISS-3', assignee: null })
    expect((await confirm(agent, back)).data).toMatchObject({ result: { after: { assignee: null } } })
    const gone = await confirm(agent, await agent.call('issues_delete', { id: 'ISS-3' }))
    expect(gone.data).toMatchObject({ status: 'applied', result: { before: { id: 'ISS-3' } } })
    const next = await confirm(agent, await agent.call('issues_create', { title: 'Another one' }))
    expect(next.data).toMatchObject({ result: { after: { id: 'ISS-4' } } })
    const { data } = await agent.call('issues_list')
    expect(data).toMatchObject({ issues: [{ id: 'ISS-1' }, { id: 'ISS-2' }, { id: 'ISS-4' }] })
  })

  test('runs nothing where somebody else was faster, and says by its own failures what cannot be done', async () => {
    const agent = await tracker()
    const first = await agent.call('issues_change', { id: 'ISS-1', priority: 'low' })
    const second = await agent.call('issues_change', { id: 'ISS-1', title: 'Sign-in fails' })
    expect((await confirm(agent, second)).data).toMatchObject({ status: 'applied' })
    expect((await confirm(agent, first)).data).toMatchObject({ status: 'stale' })
    expect((await agent.call('issues_get', { id: 'ISS-1' })).data).toMatchObject({
      issue: { title: 'Sign-in fails', priority: 'urgent' },
    })
    expect((await agent.call('issues_change', { id: 'ISS-1', state: 'closed' })).data).toMatchObject({
      status: 'failed',
      error: { code: 'no_assignee' },
    })
    expect((await agent.call('issues_delete', { id: 'ISS-9' })).data).toMatchObject({ error: { code: 'not_found' } })
  })
})

describe('the library', () => {
  const ended = (text: string, name: string, ...options: string[]) => {
    const project = installed('newest')
    const file = join(project, name)
    writeFileSync(file, text)
    return start(['--no-warnings', '--preserve-symlinks', '--preserve-symlinks-main', ...options, file]).ended
  }

  test('can be loaded by require', async () => {
    const { code, stdout, stderr } = await ended(
      "console.log(typeof require('countersign').defineWrite)",
      'program.cjs',
    )
    expect([code, stdout, stderr]).toStrictEqual([0, 'function\n', ''])
  })

  test('says to a Node that is too old which one it needs', async () => {
    const faked = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})"
    const { code, stderr } = await ended(
      "import 'countersign'",
      'program.mjs',
      '--import',
      `data:text/javascript,${faked}`,
    )
    expect(code).toBe(1)
    expect(stderr).toContain('Error: countersign needs Node 22.13 or newer, this is 20.20.2. Install a newer Node.')
  })
})
