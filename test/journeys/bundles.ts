// Where the programs that journeys start lie, each with all that it imports: `setup.ts` makes them.
import { join } from 'node:path'

export const bundles = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'journeys')

/** The file of one program. */
export const bundled = (name: string): string => join(bundles, `${name}.js`)

/** Servers from npm that journeys start a hundred times; two thirds of what their start costs is the loading of modules. */
export const officialServers = ['everything', 'filesystem', 'memory'] as const

/** Where such a server lies in its package, as npm publishes it. */
export const publishedServer = (name: string): string =>
  `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`

/** The file of such a server. Its address names its package, as that of the published one does. */
export const bundledServer = (name: string): string => join(bundles, publishedServer(name))
