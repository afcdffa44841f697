// Servers of many hosts as those of one file: each under a name of its own, with references in place of its secrets.
import { showInvisible } from '../../cards/invisible-characters.ts'
import type { Server } from './host-entry.ts'
import { withReferences } from './references-to-secrets.ts'
import type { RuledTools } from './tool-rules.ts'

export interface MergeOptions {
  /** Where secrets go: among those that are kept on this machine, or into variables that a person sets. */
  readonly secrets: 'kept' | 'environment'
  /** Those that are kept already. */
  readonly kept?: ReadonlyMap<string, string>
  /** The servers of the gateway file that is there already, by name. */
  readonly existing?: Readonly<Record<string, unknown>>
}

/** A server's name as the gateway's file takes it. */
export const slugOf = (name: string): string => {
  const plain = name
    .trim()
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[^A-Za-z0-9_]+|(?<!-)-+$/g, '')
    .slice(0, 40)
  return plain === '' || plain === '__proto__' ? 'server' : plain
}

/** Twice the same server is one server; two of one name are both kept. */
export function createMerge({ secrets: where, kept = new Map(), existing = {} }: MergeOptions) {
  const plain = new Map<string, string>()
  const servers: Record<string, Server> = {}
  const known = new Set<string>()
  const secrets = new Map<string, string>()
  const hidden = new Set<string>()
  const shown: string[] = []

  /** With what it refers to; nothing is kept before the server is. */
  function referring(name: string, server: Server) {
    const own = new Map<string, string>()
    const spelled = (text: string): string =>
      where === 'kept'
        ? text.replace(/[^A-Za-z0-9_.-]+/g, '-').slice(0, 110)
        : text
            .toUpperCase()
            .replace(/[^A-Z0-9]+/g, '_')
            .replace(/^(?=\d)/, '_')
    const refer = (use: string, value: string): string => {
      const wanted = spelled(`${name}${where === 'kept' ? '.' : '_'}${use}`)
      const heldBy = (free: string): string | undefined => own.get(free) ?? secrets.get(free) ?? kept.get(free)
      let free = wanted
      for (let count = 2; heldBy(free) !== undefined && heldBy(free) !== value; count++)
        free = `${wanted}${where === 'kept' ? '-' : '_'}${count}`
      own.set(free, value)
      hidden.add(value)
      return where === 'kept' ? `\${secret:${free}}` : `\${${free}}`
    }
    return { server: withReferences(server, refer), own }
  }

  return {
    /** Answers the server as the gateway file has it, and under which name. */
    add(name: string, server: Server, path: string): { name: string; server: Server; isNew: boolean } {
      const text = JSON.stringify(server)
      const slug = slugOf(name)
      let free = slug
      for (let count = 2; ; count++) {
        const referred = referring(free, server)
        const there = { name: free, server: referred.server, isNew: false }
        if (plain.get(free) === text) return there
        if (Object.hasOwn(existing, free)) {
          if (JSON.stringify(existing[free]) === JSON.stringify(referred.server)) {
            known.add(free)
            plain.set(free, text)
            return there
          }
        } else if (!plain.has(free)) {
          plain.set(free, text)
          servers[free] = referred.server
          for (const [secret, value] of referred.own) if (kept.get(secret) !== value) secrets.set(secret, value)
          shown.push(showInvisible(`${free}: ${startOf(referred.server)} (${path})`))
          return { ...there, isNew: true }
        }
        free = `${slug.slice(0, 36)}-${count}`
      }
    },
    done: () => ({ servers, known: [...known], secrets, hidden, shown }),
  }
}

/** With what its host says elsewhere; what is left out by either is left out. */
export const withLists = (server: Server, { disabled_tools: not, ...lists }: RuledTools['lists']): Server => ({
  ...server,
  ...lists,
  ...(not === undefined ? {} : { disabled_tools: [...new Set([...(server.disabled_tools ?? []), ...not])] }),
})

/** What a server starts, word by word, or calls; of variables and headers the names. */
function startOf(server: Server): string {
  const { command, args = [], env = {}, cwd, url, headers = {}, enabled } = server
  const { enabled_tools: only, disabled_tools: not = [] } = server
  const words = command === undefined ? [String(url)] : [command, ...args]
  const names = Object.keys(command === undefined ? headers : env)
  return [
    words.map((word) => (/^[\w@%+=:,./${}-]+$/.test(word) ? word : JSON.stringify(word))).join(' '),
    ...(names.length === 0 ? [] : [`with ${names.join(', ')}`]),
    ...(cwd === undefined ? [] : [`in ${cwd}`]),
    ...(enabled === false ? ['switched off'] : []),
    ...(only === undefined ? [] : [`only ${only.join(', ') || 'none'} of its tools`]),
    ...(not.length === 0 ? [] : [`without ${not.join(', ')}`]),
  ].join(', ')
}
