// A project with this package installed, as npm lays it out, and with a Zod of its own choice.
import { mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { place } from '../at-end.ts'

export const root = join(import.meta.dirname, '..', '..', '..')

const oldest = join(root, 'test', 'types', 'oldest', 'node_modules')

/** The oldest and the newest version that is supported. */
export const zods = { oldest: join(oldest, 'zod'), newest: join(root, 'node_modules', 'zod') } as const
export const compilers = {
  oldest: join(oldest, 'typescript', 'lib', 'tsc.js'),
  newest: join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
} as const

const { optionalDependencies, peerDependenciesMeta } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: object
}

/** What `npm install --omit=optional` leaves out. */
export const omitted = Object.keys(optionalDependencies)
/** All that may be missing. */
export const optional: readonly string[] = [...omitted, ...Object.keys(peerDependenciesMeta)]

/** So that what the package imports is found from where it lies, as in a real project. */
export const linked = ['--no-warnings', '--preserve-symlinks', '--preserve-symlinks-main'] as const

/**
 * A folder to write programs into, without some packages. They are run and compiled with their links preserved: what the package
 * imports is then found from where the package lies, as in a real project.
 */
export function installed(zod: keyof typeof zods, without: readonly string[] = []): string {
  const project = place()
  const modules = join(project, 'node_modules')
  const own = join(modules, 'countersign')
  mkdirSync(own, { recursive: true })
  for (const name of ['package.json', 'dist', 'cheatsheets', 'profiles', 'sandbox-packages'])
    symlinkSync(join(root, name), join(own, name))
  for (const name of packagesIn(join(root, 'node_modules'), without)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  symlinkSync(zods[zod], join(modules, 'zod'))
  return project
}

/** A scope is a folder of its own only where one of its packages is left out. */
function packagesIn(modules: string, without: readonly string[]): readonly string[] {
  const left = new Set(['zod', ...without])
  return readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      without.some((each) => each.startsWith(`${name}/`))
        ? readdirSync(join(modules, name)).map((each) => `${name}/${each}`)
        : [name],
    )
    .filter((name) => !left.has(name))
}
