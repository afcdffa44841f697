// Whether a line of a shell changes anything is asked of the shell itself: in a folder of its own, in which every program but
// those that are known to read is a stand-in that leaves a trace.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { existsSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { knownCommands } from '../../server/gateway/programs/shell/commands.ts'

/** Nobody, where the tests run as root: nothing outside of the folder can be written then. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

const folders = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'].filter((each) => existsSync(each))

export interface ShellSandbox {
  /** Runs a line, for `most` milliseconds. Answers what it changed: nothing, or what differs. */
  run(shell: string, line: string, most?: number): string | undefined
  remove(): void
}

/** A home with a few files, and the programs that are known to read. */
export function shellSandbox(): ShellSandbox {
  const root = mkdtempSync(join(tmpdir(), 'countersign-shell-'))
  const [home, bin] = [join(root, 'home'), join(root, 'bin')]
  const fill = (): void => {
    rmSync(home, { recursive: true, force: true })
    mkdirSync(join(home, 'src'), { recursive: true })
    for (const name of ['a', 'b', 'x', 'f', '-delete', '-o', 'a b', 'src/a.ts', 'src/b.ts'])
      writeFileSync(join(home, name), 'one two\nthree\none two\n')
    writeFileSync(join(home, 'a.json'), '{"a": [1, 2]}')
    for (const each of [home, ...readdirSync(home, { recursive: true }).map((name) => join(home, String(name)))]) {
      if ('uid' in nobody) chownSync(each, 65534, 65534)
      utimesSync(each, 1_700_000_000, 1_700_000_000)
    }
  }
  fill()
  mkdirSync(bin)
  writeFileSync(
    join(bin, '.trace'),
    '#!/bin/sh\ncase "$*" in --version|-v|-V) exit 0;; esac\necho "${0##*/} $*" >> "$TRACE"\n',
  )
  chmodSync(join(bin, '.trace'), 0o755)
  for (const name of new Set(folders.flatMap((each) => readdirSync(each)))) {
    const real = knownCommands.includes(name) ? folders.find((each) => existsSync(join(each, name))) : undefined
    symlinkSync(real === undefined ? join(bin, '.trace') : join(real, name), join(bin, name))
  }
  chmodSync(root, 0o755)
  const env = {
    PATH: bin,
    HOME: home,
    TMPDIR: home,
    TRACE: join(home, 'TRACE'),
    X: '-o b',
    f: '-delete',
    LC_ALL: 'C.UTF-8',
  }
  const before = stateOf(home)
  return {
    run: (shell, line, most = 2000) => {
      // It ends what the line has started, too.
      const limited = ['-s', 'KILL', String(most / 1000), join('/bin', shell), '-c', line]
      spawnSync('/usr/bin/timeout', limited, { cwd: home, env, ...nobody, stdio: ['ignore', 'ignore', 'ignore'] })
      const after = stateOf(home)
      if (after === before) return undefined
      fill()
      return (
        after
          .split('\n')
          .filter((each) => !before.split('\n').includes(each))
          .join(', ') || 'something is gone'
      )
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Every file with its size, its mode, its time and what it holds. */
const stateOf = (folder: string): string =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .toSorted()
    .map((name) => {
      const at = join(folder, name)
      const { mode, size, mtimeMs } = lstatSync(at)
      const holds = lstatSync(at).isFile() && size < 10_000 ? readFileSync(at, 'utf8') : ''
      return JSON.stringify([name, mode, size, mtimeMs, holds])
    })
    .join('\n')
