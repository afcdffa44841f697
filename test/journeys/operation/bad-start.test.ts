// A server that cannot start is met by a person in a terminal or, worse, by a host that shows one line of a log. So it is
// one line: what is wrong, where, what to do. And what lay on the disk before lies there afterwards, byte for byte.
import { hash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { overStdio } from '../agent.ts'
import { atEnd, place } from '../at-end.ts'
import { bundled } from '../bundles.ts'
import { binary, runToEnd, start, type Ended, type Start } from '../processes.ts'
import { runCommand } from '../terminal.ts'
import { listening } from '../../kit/listening.ts'

/** A database of the demo that has been used and closed, with its key file beside it. */
let used: string

beforeAll(async () => {
  used = join(place(), 'used.db')
  const agent = await overStdio([...binary, 'demo', '--stdio', '--db', used])
  await agent.call('orders_create', { customer: 'ACME', lines: [{ sku: 'DESK-01', quantity: 1 }] })
  await agent.close()
})

/** A copy of the used database in a directory of its own. */
function copyOfUsed(directory = place()): string {
  const file = join(directory, 'desk.db')
  for (const end of ['', '.key']) copyFileSync(used + end, file + end)
  return file
}

/** Every file below a directory, with a hash of its content. */
const contentOf = (directory: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(directory, name)).isFile())
      .map((name) => [name, hash('sha256', readFileSync(join(directory, name)))]),
  )

/** One line for a person, nothing for a protocol, no trace of our code. */
function expectOneLine({ code, stdout, stderr }: Ended, says: RegExp): void {
  expect(stderr).toMatch(says)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  expect(stderr).toMatch(/^countersign: /)
  expect(stdout).toBe('')
  expect(code).toBe(1)
}

describe('a database that cannot be used', () => {
  /** Puts something into a directory of the test's own and answers what is named as the database. */
  type Prepare = (directory: string) => string
  const holding =
    (content: string | Buffer): Prepare =>
    (directory) => {
      const file = join(directory, 'desk.db')
      writeFileSync(file, content)
      return file
    }
  const cases: readonly (readonly [sentence: string, prepare: Prepare, says: RegExp])[] = [
    ['a text', holding('dear diary,\n'.repeat(50)), /is not a SQLite database .* It was not changed\. Name another/],
    ['a picture', holding(Buffer.concat([Buffer.from('\x89PNG\r\n'), randomBytes(5000)])), /is not a SQLite database/],
    [
      'half a header',
      holding('SQLite format 3\0short'),
      /is damaged: the file ends after 21 bytes\. It was not changed\. Restore a backup/,
    ],
    [
      'a header and rubbish',
      holding(Buffer.concat([Buffer.from('SQLite format 3\0'), randomBytes(20_000)])),
      /It was not changed\./,
    ],
    [
      'a database whose middle was overwritten',
      (directory) => {
        const file = copyOfUsed(directory)
        const bytes = readFileSync(file)
        randomBytes(8192).copy(bytes, 4096)
        writeFileSync(file, bytes)
        return file
      },
      /is damaged: .* Restore a backup with its key file/,
    ],
    ['a directory', (directory) => directory, /is a directory\. Name a file in it as the database\./],
    [
      'a file in a directory that does not exist',
      (directory) => join(directory, 'no', 'desk.db'),
      /The directory .*no does not exist\. Create it \(`mkdir -p /,
    ],
    ['a file in a file', (directory) => join(holding('x')(directory), 'desk.db'), /is not a directory\./],
  ]

  test.each(cases)('%s is refused in one line, and stays as it was', async (_, prepare, says) => {
    const directory = place()
    const file = prepare(directory)
    const before = contentOf(directory)
    expectOneLine(await runCommand(['demo', '--stdio', '--db', file]), says)
    // SQLite may leave its empty side files; what was there is as it was.
    expect(contentOf(directory)).toMatchObject(before)
  })

  // For root no file is read-only, so a root test run lends the files to nobody and gives that right up.
  const nobody = process.getuid?.() === 0 ? 65534 : undefined
  const lend = (...paths: readonly string[]): void => {
    for (const path of paths) if (nobody !== undefined) chownSync(path, nobody, nobody)
  }
  const asOther: Start = { unprivileged: true }

  test('a file in a directory that cannot be written is refused in one line', async () => {
    const directory = join(place(), 'closed')
    mkdirSync(directory)
    chmodSync(join(directory, '..'), 0o755)
    lend(directory)
    chmodSync(directory, 0o555)
    atEnd(() => chmodSync(directory, 0o755))
    const ended = await runToEnd(['demo', '--stdio', '--db', join(directory, 'desk.db')], asOther)
    expectOneLine(ended, /cannot be written \(EACCES\)\. Give the user that runs Countersign the right/)
    expect(readdirSync(directory)).toStrictEqual([])
  })

  test('a file that cannot be read is refused in one line', async () => {
    const file = copyOfUsed()
    chmodSync(join(file, '..'), 0o755)
    lend(join(file, '..'), file, `${file}.key`)
    chmodSync(file, 0o000)
    expectOneLine(await runToEnd(['demo', '--stdio', '--db', file], asOther), /cannot be written \(EACCES\)/)
  })

  test('the web door says the same, and opens no port', async () => {
    const file = holding('dear diary')(place())
    expectOneLine(await runCommand(['demo', '--port', '0', '--db', file]), /is not a SQLite database/)
  })
})

describe('a key that does not fit', () => {
  const demo = (file: string, env: Readonly<Record<string, string>> = {}) =>
    runCommand(['demo', '--stdio', '--db', file], { env })

  test('a secret that is too short names the variable and how to make one', async () => {
    const ended = await demo(join(place(), 'new.db'), { COUNTERSIGN_SECRET: 'short' })
    expectOneLine(ended, /COUNTERSIGN_SECRET must have at least 16 characters; make one with `openssl rand/)
    expect(ended.stderr).not.toContain('short.')
  })

  test('a secret on a database that was made with a key file', async () => {
    const ended = await demo(copyOfUsed(), { COUNTERSIGN_SECRET: 'a secret that was never used here' })
    expectOneLine(ended, /sealed with another key than the secret given\. Set COUNTERSIGN_SECRET to the value/)
    expect(ended.stderr).not.toContain('never used here')
  })

  test('another secret than the one that the database was made with', async () => {
    const file = join(place(), 'desk.db')
    const first = await runToEnd(['demo', '--stdio', '--db', file], {
      env: { COUNTERSIGN_SECRET: 'the first secret of all' },
    })
    expect(first).toMatchObject({ code: 0, stderr: '' })
    const ended = await demo(file, { COUNTERSIGN_SECRET: 'the second secret of all' })
    expectOneLine(ended, /sealed with another key than the secret given/)
  })

  test('a key file that other users may read', async () => {
    const file = copyOfUsed()
    chmodSync(`${file}.key`, 0o644)
    expectOneLine(await demo(file), /has permissions 0644: other users may read it\. Run `chmod 600 /)
  })

  test('a key file that is gone', async () => {
    const file = join(place(), 'desk.db')
    copyFileSync(used, file)
    expectOneLine(await demo(file), /The key of the database is not at .*desk\.db\.key.* Put the key file back/)
    expect(readdirSync(join(file, '..'))).not.toContain('desk.db.key')
  })

  test('a key file of another database', async () => {
    const file = copyOfUsed()
    writeFileSync(`${file}.key`, randomBytes(32))
    expectOneLine(await demo(file), /sealed with another key than the file beside it/)
  })

  test('a key file that was cut short', async () => {
    const file = copyOfUsed()
    writeFileSync(`${file}.key`, randomBytes(7))
    expectOneLine(await demo(file), /has 7 bytes; a key has 32\. Put the right key file back/)
  })

  test('an empty COUNTERSIGN_DB', async () => {
    const ended = await runCommand(['demo', '--stdio'], { env: { COUNTERSIGN_DB: '' } })
    expectOneLine(ended, /The environment variable COUNTERSIGN_DB is empty\. Change it or unset it/)
  })
})

describe('a command line', () => {
  test('with a port that is taken says so and offers 0', async () => {
    const other = createServer()
    const { port } = new URL(await listening(other))
    atEnd(() => void other.close())
    const ended = await runToEnd(['demo', '--port', port, '--db', join(place(), 'desk.db')])
    expectOneLine(
      ended,
      new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is taken by another program\\. .*--port \\(0 takes`),
    )
  })

  test.each<readonly [string, readonly string[], RegExp]>([
    ['a port that is a word', ['demo', '--port', 'http'], /'http' is invalid.*A port is a number from 0 to 65535/],
    ['a port that is too high', ['demo', '--port', '65536'], /A port is a number from 0 to 65535/],
    ['a port below zero', ['demo', '--port', '-1'], /A port is a number from 0 to 65535/],
    ['half a port', ['demo', '--port', '80.5'], /A port is a number from 0 to 65535/],
    ['no port after --port', ['demo', '--port'], /argument missing/],
    ['an option of nowhere', ['demo', '--verbose'], /unknown option '--verbose'/],
    ['a command of nowhere', ['dmeo'], /unknown command 'dmeo'.*\n?.*Did you mean demo/],
    ['one word too many', ['demo', 'orders'], /too many arguments/],
  ])('with %s says so, points to --help and ends with 2', async (_, args, says) => {
    const { code, stdout, stderr } = await runCommand(args)
    expect(stderr).toMatch(says)
    expect(stderr).toMatch(/--help|Did you mean/)
    expect(stderr).not.toMatch(/\n\s+at /)
    expect([code, stdout]).toStrictEqual([2, ''])
  })

  test('without a command says what there is', async () => {
    const { code, stderr } = await runCommand([])
    expect(stderr).toContain('demo')
    expect(code).toBe(2)
  })
})

describe('an old Node', () => {
  const says =
    /^countersign needs Node 22\.13 or newer, this is \d+\.\d+\.\d+\. Install a newer Node, or run it with `npx -p node@24 /

  test.each(['20.20.2', '22.12.0', '18.0.0'])('%s is told which one is needed', async (version) => {
    const faked = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`
    const running = start(['--import', faked, ...binary, 'demo', '--stdio'])
    running.child.stdin?.end()
    const { code, stdout, stderr } = await running.ended
    expect(stderr).toMatch(says)
    expect(stderr).toContain(version)
    expect([code, stdout, stderr.split('\n').length]).toStrictEqual([1, '', 2])
  })

  test('every Node of this machine either runs the binary or is told so by it', async () => {
    const entry = bundled('countersign')
    const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
    const nodes = folders
      .map((folder) => join(folder, 'node'))
      .filter((file) => statSync(file, { throwIfNoEntry: false }))
    for (const node of nodes) {
      const version = (await start(['--version'], { node }).ended).stdout.trim()
      const { code, stdout, stderr } = await start([entry, '--help'], { node }).ended
      if (Number(/^v(\d+)/.exec(version)?.[1]) < 22) {
        expect(stderr).toMatch(says)
        expect([code, stdout, stderr.split('\n').length]).toStrictEqual([1, '', 2])
      } else expect([code, stderr]).toStrictEqual([0, ''])
    }
  })
})
