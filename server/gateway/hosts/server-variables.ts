// Which variables of the environment servers are started with.
import type { Server } from './host-entry.ts'

const variable = /(\$?)\$\{(?:env:)?([A-Za-z_]\w*)(:-[^}]*)?\}/g

function named(servers: readonly Server[], counts: (fallback: string | undefined) => boolean): readonly string[] {
  const found = [...JSON.stringify(servers).matchAll(variable)].flatMap(([, escape, name, fallback]) =>
    escape === '' && name !== undefined && counts(fallback) ? [name] : [],
  )
  return [...new Set(found)]
}

/** The names of the variables that servers refer to. */
export const variablesOf = (servers: readonly Server[]): readonly string[] => named(servers, () => true)

/** Of these, those without which a server does not start. */
export const neededVariables = (servers: readonly Server[]): readonly string[] =>
  named(servers, (fallback) => fallback === undefined)
