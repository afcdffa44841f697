// Where the programs that journeys start lie, each with all that it imports: `setup.ts` makes them.
import { join } from 'node:path'

export const bundles = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'journeys')

/** The file of one program. */
export const bundled = (name: string): string => join(bundles, `${name}.js`)
