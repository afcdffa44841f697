// Servers of many hosts as those of one file: each under a name of its own, with references in place of its secrets.
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { showInvisible } from '../../cards/invisible-characters.ts'
import { leftOutBy } from '../rules/tool-overrides.ts'
import type { Server } from './host-entry.ts'
import { leftOutWords, limitsOfBoth, offerOf, type Limits } from './limits.ts'
import { withReferences } from './references-to-secrets.ts'

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

/** A server that is in the file by now. */
interface Merged {
  /** As its first host has it, with its secrets. */
  readonly plain: Server
  /** As the file has it. */
  server: Server
  /** What each of its hosts leaves out. */
  readonly hosts: { readonly host: string; readonly limits: Limits }[]
  readonly paths: string[]
  /** In the gateway file that is there already. */
  readonly wasThere: boolean
  /** What its hosts call it; its name here where no other server has that. */
  readonly called: string
}

/** Twice the same server is one server, with the limits of both; two that only have the same name are both kept. */
export function createMerge({ secrets: where, kept = new Map(), existing = {} }: MergeOptions) {
  const merged = new Map<string, Merged>()
  const secrets = new Map<string, string>()
  const hidden = new Set<string>()

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

  /** What stands under a name by now, where it is this server. */
  function same(name: string, server: Server, referred: Server, called: string): Merged | undefined {
    const held = merged.get(name)
    if (held !== undefined) return isSame(held.plain, server) ? held : undefined
    const read = entrySchema.safeParse(Object.hasOwn(existing, name) ? existing[name] : undefined)
    const there = read.success ? (read.data as Server) : undefined
    if (there === undefined || !isSame(there, referred)) return undefined
    const hosts = [{ host: 'the gateway file', limits: offerOf(there) }]
    return { plain: server, server: there, hosts, paths: [], wasThere: true, called }
  }

  return {
    /** Answers the server as the gateway file has it, and under which name. */
    add(name: string, server: Server, host: string, path: string): { name: string; server: Server; isNew: boolean } {
      const slug = slugOf(name)
      let free = slug
      for (let count = 2; ; count++) {
        const referred = referring(free, server)
        const isFree = !merged.has(free) && !Object.hasOwn(existing, free)
        const found: Merged | undefined = isFree
          ? { plain: server, server: referred.server, hosts: [], paths: [], wasThere: false, called: slug }
          : same(free, server, referred.server, slug)
        if (found !== undefined) {
          if (isFree)
            for (const [secret, value] of referred.own) if (kept.get(secret) !== value) secrets.set(secret, value)
          found.server = together(found, server)
          found.hosts.push({ host, limits: offerOf(server) })
          found.paths.push(path)
          merged.set(free, found)
          return { name: free, server: found.server, isNew: isFree }
        }
        free = `${slug.slice(0, 36)}-${count}`
      }
    },
    done() {
      const all = [...merged]
      const known = all.filter(([, { wasThere }]) => wasThere).map(([name]) => name)
      const written = all.filter(
        ([name, { server, wasThere }]) => !wasThere || !isDeepStrictEqual(server, existing[name]),
      )
      return {
        servers: Object.fromEntries(written.map(([name, { server }]) => [name, server])),
        known,
        secrets,
        hidden,
        shown: all
          .filter(([, { wasThere }]) => !wasThere)
          .map(([name, { server, paths }]) =>
            showInvisible(`${name}: ${startOf(server)} (${[...new Set(paths)].join(', ')})`),
          ),
        differences: [...written.flatMap(([name, held]) => differenceIn(name, held)), ...namesakes(all)],
      }
    },
  }
}

/** What an entry of a gateway file has in common with one of ours; what else stands in it stays. */
const entrySchema = z.looseObject({
  type: z.enum(['http', 'sse']).optional(),
  enabled: z.boolean().optional(),
  timeout_ms: z.number().optional(),
  start_timeout_ms: z.number().optional(),
  enabled_tools: z.array(z.string()).optional(),
  disabled_tools: z.array(z.string()).optional(),
})

/** Whether two entries start the same program, or call the same address, with the same settings. */
function isSame(one: Server, other: Server): boolean {
  const started = ({ command, args = [], env = {}, cwd, url, headers = {} }: Server) => [
    command,
    args,
    env,
    cwd,
    url,
    headers,
  ]
  return (one.type ?? other.type) === (other.type ?? one.type) && isDeepStrictEqual(started(one), started(other))
}

/** The server with what another host says of it. Of one that was there only what is offered becomes less. */
function together({ server: held, wasThere, hosts }: Merged, other: Server): Server {
  const both = limitsOfBoth(held, wasThere ? offerOf(other) : other)
  const { enabled_tools: only, disabled_tools: not, ...limits } = both
  const { enabled_tools: _, disabled_tools: before, ...rest } = held
  // Where all that is offered is named, what is left out need not be. What only its first host says stays as it says it.
  const isNamed = hosts.length > 0 && only?.some((tool) => tool.includes('*')) === false
  const left = isNamed ? only.filter((tool) => leftOutBy({ disabled_tools: not }, tool) === undefined) : only
  const out = isNamed ? (wasThere ? before : undefined) : not
  const type = held.type ?? (wasThere ? undefined : other.type)
  return {
    ...rest,
    ...(type === undefined ? {} : { type }),
    ...limits,
    ...(left === undefined ? {} : { enabled_tools: left }),
    ...(out === undefined ? {} : { disabled_tools: out }),
  }
}

/** Says what became of a server that its hosts limit differently. */
function differenceIn(name: string, { hosts, server, wasThere }: Merged): readonly string[] {
  const words = hosts.map(({ limits }) => leftOutWords(limits).join(', '))
  if (new Set(words).size < 2) return []
  const where = [...new Set(hosts.map(({ host }) => host))].join(', ')
  const left = leftOutWords(server).join(', ')
  return [
    `${name} (${where}): its hosts limit it differently; here it is one server, with the limits of all: ${left}.${wasThere ? ' Its entry in the gateway file may offer more.' : ''}`,
  ]
}

/** Says where servers of one name stay apart, and one offers what another leaves out: every agent reaches all of them. */
function namesakes(all: readonly (readonly [string, Merged])[]): readonly string[] {
  const called = Map.groupBy(all, ([, held]) => held.called)
  return [...called.values()].flatMap((group) => {
    const [names, words] = [group.map(([name]) => name), group.map(([, { server }]) => leftOutWords(server).join())]
    return new Set(words).size < 2 || group.every(([, { wasThere }]) => wasThere)
      ? []
      : [`${names.join(', ')} are not started alike and stay apart; what one leaves out is not left out of the others.`]
  })
}

/** What a server starts, word by word, or calls; of variables and headers the names. */
function startOf(server: Server): string {
  const { command, args = [], env = {}, cwd, url, headers = {} } = server
  const words = command === undefined ? [String(url)] : [command, ...args]
  const names = Object.keys(command === undefined ? headers : env)
  return [
    words.map((word) => (/^[\w@%+=:,./${}-]+$/.test(word) ? word : JSON.stringify(word))).join(' '),
    ...(names.length === 0 ? [] : [`with ${names.join(', ')}`]),
    ...(cwd === undefined ? [] : [`in ${cwd}`]),
    ...leftOutWords(server),
  ].join(', ')
}
