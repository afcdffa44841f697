// Two logs of one database: each process sees only what was claimed through its own, and every plan runs twice. These are
// the ways to get there with real files.
import { execFileSync } from 'node:child_process'
import { copyFileSync, linkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isMountPoint } from '../../../server/store/sqlite/one-file.ts'
import { MINUTE } from '../../kit/clock.ts'
import { draft, failed, opened, place, startJob } from './store-fixture.ts'

const made = async () => {
  const directory = place()
  const file = join(directory, 'plans.db')
  const store = await opened({ file })
  await store.plans.open(draft())
  return { directory, file, store }
}

test('a database with a second name is refused by either of them, with what to do', async () => {
  const { directory, file, store } = await made()
  await store.close()
  const second = join(directory, 'second.db')
  linkSync(file, second)
  for (const name of [file, second])
    expect(await failed({ file: name })).toMatchObject({
      kind: 'two-names',
      message: expect.stringContaining('2 names') as string,
      next: expect.stringContaining(`-samefile ${name}`) as string,
    })
  rmSync(second)
  expect((await opened({ file })).file).toBe(file)
})

test('a symbolic link is one name: the log lies beside the file that it leads to', async () => {
  const { directory, file, store } = await made()
  symlinkSync(file, join(directory, 'link.db'))
  copyFileSync(`${file}.key`, join(directory, 'link.db.key'))
  const through = await opened({ file: join(directory, 'link.db') })
  expect((await store.plans.claim('pl_1', 'one', MINUTE)).kind).toBe('claimed')
  expect((await through.plans.claim('pl_1', 'two', MINUTE)).kind).toBe('taken')
})

test('a file that is mounted by itself is found in the words of the system', () => {
  const table = [
    '22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw',
    '36 22 254:0 /srv/my\\040data/plans.db /data/my\\040plans.db rw - ext4 /dev/vda rw',
    '',
  ].join('\n')
  expect(isMountPoint('/data/my plans.db', table)).toBe(true)
  expect(isMountPoint('/data', table)).toBe(false)
  expect(isMountPoint('/data/my plans.db', '')).toBe(false)
})

/** Whether this user may mount something, in a namespace that ends with the process. */
const mayMount = (): boolean => {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test.runIf(mayMount())('a database that is mounted as a file is refused: mount its directory', async () => {
  const { directory, file, store } = await made()
  await store.close()
  const other = join(directory, 'mounted.db')
  writeFileSync(other, '')
  const worker = join(import.meta.dirname, 'worker.ts')
  const script = 'mount --bind "$1" "$2" && echo open | "$3" --no-warnings "$4" "$2"'
  const args = ['--mount', 'sh', '-c', script, 'sh', file, other, process.execPath, worker]
  const said = execFileSync('unshare', args, { encoding: 'utf8' }).trim().split('\n')
  expect(JSON.parse(said.at(-1) ?? '')).toMatchObject({
    kind: 'two-names',
    next: expect.stringContaining('not the file') as string,
  })
})

test.each<[string, (file: string) => void]>([
  ['its log was deleted', (file) => rmSync(`${file}-wal`)],
  ['the index of its log was deleted', (file) => rmSync(`${file}-shm`)],
  [
    'log and index were deleted',
    (file) => {
      rmSync(`${file}-wal`)
      rmSync(`${file}-shm`)
    },
  ],
  [
    'a copy was put in its place',
    (file) => {
      copyFileSync(file, `${file}.copy`)
      renameSync(`${file}.copy`, file)
    },
  ],
])('under a running process %s: it claims nothing more, and another process runs the plan once', async (_, harm) => {
  const { file, store } = await made()
  // On disk, so that whoever opens it anew finds the plan.
  await store.activity.erase({ tenant: 'default', subject: 'nobody' })
  harm(file)
  const job = await startJob(file)
  await job.line()
  job.say('open')
  expect(JSON.parse(await job.line())).toBe('opened')
  job.say('claim pl_1')
  expect(JSON.parse(await job.line())).toStrictEqual(['pl_1'])
  await expect(store.plans.claim('pl_1', 'one', MINUTE)).rejects.toThrow(/deleted|replaced/)
  await expect(store.activityLog.begin(() => expect.unreachable('nothing is written'))).rejects.toThrow()
  expect(await store.probe()).toMatchObject({ unwritable: { error: { kind: 'files-replaced' } } })
})
