// Which variables of the environment servers are started with.
import type { Server } from './host-entry.ts'

/** The names of the variables that servers refer to. */
export const variablesOf = (servers: readonly Server[]): readonly string[] => [
  ...new Set(
    [...JSON.stringify(servers).matchAll(/(\$?)\$\{(?:env:)?([A-Za-z_]\w*)(?::-[^}]*)?\}/g)].flatMap(
      ([, escape, name]) => (escape === '' && name !== undefined ? [name] : []),
    ),
  ),
]
