// Each host has its own way of writing "the variable X" into a value, and takes what looks like the way of another for
// plain text. Ours is `${X}`; so a host's own placeholders become that, and all else that we would read as one is escaped.
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { hasReference } from '../../config/references.ts'
import { pathsOf, type HostFile, type Machine, type Placeholder } from './host-kind.ts'

/** What is heard of a value besides. */
export interface Heard {
  /** Variables that somebody has to set, files that nobody reads. */
  readonly note: (note: string) => void
  /** A variable that the host puts in, and how it is written there. */
  readonly variable: (name: string, written: string) => void
}

const anyPlaceholder = /\$\{([^{}]+)\}|\{(env|file):([^{}]+)\}|\$([A-Za-z_]\w*)/g

/** Translates the placeholders in one value. `use` is what the value is for: server and key, as names of secrets are written. */
export function translate(value: string, file: HostFile, machine: Machine, use: string, heard: Heard): string {
  const has = (...kinds: readonly Placeholder[]): boolean => kinds.some((kind) => file.kind.placeholders.includes(kind))
  const ofFile = (path: string): string => {
    // A project's file may call its server as one of the user's is called; that gets it none of the other's secrets.
    const secretName = `${use}.${createHash('sha256').update(file.path).digest('hex').slice(0, 8)}`
    heard.note(
      `${path.trim()} is not read here; keep what stands in it with \`countersign secrets set ${secretName}\`.`,
    )
    return `\${secret:${secretName}}`
  }
  const variable = (name: string, written: string): string => {
    heard.variable(name.replace(/:-.*$/s, ''), written)
    return `\${${name}}`
  }
  return value.replace(anyPlaceholder, (whole, inner?: string, kind?: string, named?: string, dollar?: string) => {
    if (dollar !== undefined) return has('dollar') ? variable(dollar, whole) : whole
    if (kind !== undefined) {
      if (!has('curly')) return whole
      return kind === 'env' ? variable(named?.trim() ?? '', whole) : ofFile(named ?? '')
    }
    const text = inner ?? ''
    const [head = '', ...rest] = text.split(':')
    const name = rest.join(':')
    if (head === 'env' && has('env')) return variable(name, whole)
    if (head === 'file' && has('file')) return ofFile(name)
    if (head === 'input' && has('input')) {
      const asked = name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')
      heard.note(`set the environment variable ${asked}; the host asked for it at start.`)
      return variable(asked, whole)
    }
    const folder = has('folders') ? folderOf(text, file, machine) : undefined
    if (folder !== undefined) return folder
    if (/^[A-Za-z_]\w*(?::-.*)?$/s.test(text) && has('braces')) return variable(text, whole)
    // This host hands it on as it stands, and so do we.
    return hasReference(whole) ? `$${whole}` : whole
  })
}

function folderOf(name: string, { folder }: HostFile, machine: Machine): string | undefined {
  const workspace = folder ?? machine.cwd
  switch (name) {
    case 'userHome':
      return machine.home
    case 'workspaceFolder':
    case 'workspaceRoot':
      return workspace
    case 'workspaceFolderBasename':
      return basename(workspace)
    case 'pathSeparator':
    case '/':
      return pathsOf(machine).sep
    default:
      return undefined
  }
}
