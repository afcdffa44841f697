// The image itself, where something on this machine can build it; elsewhere what its first stage does, with the packages that
// are here. Docker's client alone builds nothing, so it is asked whether its server answers.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { longest } from '../../longest.ts'
import { place } from '../at-end.ts'
import { environment } from '../processes.ts'
import { copied, read, root } from './dockerfile.ts'

const { version } = JSON.parse(read('package.json')) as { readonly version: string }

const answers = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0

interface Builder {
  readonly build: readonly [command: string, ...args: string[]]
  /** Runs the image of this name with these arguments. */
  readonly run: (image: string, args: readonly string[]) => readonly [command: string, ...args: string[]]
  readonly remove: readonly [command: string, ...args: string[]]
}

const engine = (command: string): Builder => ({
  build: [command, 'build'],
  run: (image, args) => [command, 'run', '--rm', image, ...args],
  remove: [command, 'rmi', '--force'],
})

/** Buildah runs no image: in a container of it, what its entry point would start. */
const buildah: Builder = {
  build: ['buildah', 'build'],
  run: (image, args) => [
    'sh',
    '-c',
    'c=$(buildah from "$1") && trap "buildah rm $c >/dev/null" EXIT && shift && buildah run "$c" -- node dist/program/countersign.js "$@"',
    'sh',
    image,
    ...args,
  ],
  remove: ['buildah', 'rmi', '--force'],
}

const builder = answers('docker', 'info')
  ? engine('docker')
  : answers('podman', 'info')
    ? engine('podman')
    : answers('buildah', 'info')
      ? buildah
      : undefined

const of = ([command, ...args]: readonly [string, ...string[]], ...more: readonly string[]): string =>
  execFileSync(command, [...args, ...more], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

test.skipIf(builder === undefined)(
  builder === undefined
    ? 'the image is built (skipped: neither docker with a server, nor podman, nor buildah is here)'
    : 'the image is built, and says its version',
  () => {
    const { build, run, remove } = builder as Builder
    const image = `countersign-test-${process.pid}`
    of(build, '--tag', image, '.')
    try {
      expect(of(run(image, ['--version'])).trim()).toBe(version)
    } finally {
      of(remove, image)
    }
  },
  // It fetches a base image and every package.
  4 * longest,
)

test('what it copies is all that the build needs', () => {
  const src = place()
  for (const source of copied) {
    mkdirSync(dirname(join(src, source)), { recursive: true })
    // What a machine has beside the sources does not get into the image.
    cpSync(join(root, source), join(src, source), {
      recursive: true,
      filter: (from) => !/(?:^|[/\\])node_modules(?:$|[/\\])/.test(from.slice(root.length)),
    })
  }
  symlinkSync(join(root, 'node_modules'), join(src, 'node_modules'))
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: src,
    env: { ...environment(), npm_config_cache: join(src, 'cache') },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const said = execFileSync(process.execPath, [join(src, 'dist/program/countersign.js'), '--version'], {
    encoding: 'utf8',
  })
  expect(said.trim()).toBe(version)
})
