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

/**
 * Where Linux lets us: processes of its own, which end with the line, no network, and nothing but its home to write to. The
 * last two words are the home and what comes behind it.
 */
const alone = ['unshare', '--mount', '--pid', '--fork', '--kill-child', '--net', '--mount-proc', 'sh', '-ec']
const closed =
  'mount --bind "$0" "$0"; mount -o remount,bind,ro /; for at in /dev/shm /var/tmp; do mount -t tmpfs none $at; done; cd "$0"; exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"'

/** Whether a line can be shut in like that. */
export const canBeAlone =
  'uid' in nobody && spawnSync(alone[0] ?? '', [...alone.slice(1), closed, tmpdir(), 'true']).status === 0

/** Lines that are shut in together. */
const together = 50

/** The status of a run that nothing ended before its last line. */
const toTheEnd = 33

const folders = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'].filter((each) => existsSync(each))

export interface ShellSandbox {
  /** Runs a line in a shell, or in one after the other, each for `most` milliseconds. Answers what differs then, or nothing. */
  run(shells: string | readonly string[], line: string, most?: number): string | undefined
  /**
   * Those of many lines that change something, with what differs then. Most of what a line costs is being shut in, so many
   * are shut in together, and each by itself only where one of them changed something.
   */
  changing(
    shells: readonly string[],
    lines: readonly string[],
    most?: number,
  ): readonly { readonly line: string; readonly changed: string }[]
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
    // `tac` makes a file there, and deletes it: in the home the time of its folder would be another one.
    TMPDIR: '/var/tmp',
    TRACE: join(home, 'TRACE'),
    X: '-o b',
    f: '-delete',
    LC_ALL: 'C.UTF-8',
  }
  const before = stateOf(home)
  /** Runs each line in each shell, one after the other. */
  const runAll = (shells: readonly string[], lines: readonly string[], most: number): string | undefined => {
    // It ends what a line has started, too.
    const one = `/usr/bin/timeout -s KILL ${most / 1000} "/bin/$shell" -c "$line"`
    const each = `for line; do for shell in ${shells.join(' ')}; do ${one}; done; done; exit ${toTheEnd}`
    const limited = ['/bin/sh', '-c', each, 'sh', ...lines]
    const [program = '', ...args] = canBeAlone ? [...alone, closed, home, ...limited] : limited
    const outside = { PATH: process.env['PATH'] }
    const within = Object.entries(env).map(([name, value]) => `${name}=${value}`)
    if (canBeAlone) args.splice(alone.length + 1, 0, '/usr/bin/env', '-i', ...within)
    const { status } = spawnSync(program, args, {
      cwd: home,
      stdio: 'ignore',
      ...(canBeAlone ? { env: outside } : { env, ...nobody }),
    })
    const after = stateOf(home)
    if (after === before && status === toTheEnd) return undefined
    fill()
    if (status !== toTheEnd) return `it did not come to its end (${status})`
    return (
      after
        .split('\n')
        .filter((line) => !before.split('\n').includes(line))
        .join(', ') || 'something is gone'
    )
  }
  return {
    run: (shells, line, most = 2000) => runAll([shells].flat(), [line], most),
    changing: (shells, lines, most = 2000) => {
      const parts = Array.from({ length: Math.ceil(lines.length / together) }, (_, at) =>
        lines.slice(at * together, (at + 1) * together),
      )
      return parts
        .filter((part) => runAll(shells, part, most) !== undefined)
        .flat()
        .flatMap((line) => {
          const changed = runAll(shells, [line], most)
          return changed === undefined ? [] : [{ line, changed }]
        })
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Every file with its size, its mode, its time and what it holds. */
const stateOf = (folder: string): string =>
  ['.', ...readdirSync(folder, { recursive: true }).map(String)]
    .toSorted()
    .map((name) => {
      const at = join(folder, name)
      const { mode, size, mtimeMs } = lstatSync(at)
      const holds = lstatSync(at).isFile() && size < 10_000 ? readFileSync(at, 'utf8') : ''
      return JSON.stringify([name, mode, size, mtimeMs, holds])
    })
    .join('\n')
