// Paths of a workspace, as programs and callers write them.

/** Where programs see their workspace. */
export const workspacePlace = '/app'

const longestPath = 1024
const longestName = 255

// oxlint-disable-next-line no-control-regex -- a name with a control character deceives whoever reads a list of files.
const hidden = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/

/** Whether an entry of a folder may have this name. */
export const isName = (name: string): boolean =>
  name !== '' &&
  name !== '.' &&
  name !== '..' &&
  name.length <= longestName &&
  !name.includes('/') &&
  !hidden.test(name)

/** The parts of a path below the workspace; `undefined` where it leads elsewhere or names nothing. */
export function workspaceParts(path: string): readonly string[] | undefined {
  if (path.length > longestPath) return undefined
  const inside = path === workspacePlace ? '' : path.startsWith(`${workspacePlace}/`) ? path.slice(5) : path
  if (inside.startsWith('/')) return undefined
  const parts: string[] = []
  for (const part of inside.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else if (isName(part)) parts.push(part)
    else return undefined
  }
  return parts
}
