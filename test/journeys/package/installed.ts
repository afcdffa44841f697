// A project with this package installed, as npm lays it out, and with a Zod of its own choice.
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { place } from '../at-end.ts'

export const root = join(import.meta.dirname, '..', '..', '..')

const oldest = join(root, 'test', 'types', 'oldest', 'node_modules')

/** The oldest and the newest version that is supported. */
export const zods = { oldest: join(oldest, 'zod'), newest: join(root, 'node_modules', 'zod') } as const
export const compilers = {
  oldest: join(oldest, 'typescript', 'lib', 'tsc.js'),
  newest: join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
} as const

/**
 * A folder to write programs into. They are run and compiled with their links preserved: what the package imports is then found
 * from where the package lies, as in a real project.
 */
export function installed(zod: keyof typeof zods): string {
  const project = place()
  const modules = join(project, 'node_modules')
  const own = join(modules, 'countersign')
  mkdirSync(own, { recursive: true })
  for (const name of ['package.json', 'dist', 'cheatsheets', 'profiles', 'sandbox-packages'])
    symlinkSync(join(root, name), join(own, name))
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('.') && name !== 'zod') symlinkSync(join(root, 'node_modules', name), join(modules, name))
  symlinkSync(zods[zod], join(modules, 'zod'))
  return project
}
