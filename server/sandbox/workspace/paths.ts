// Paths of a workspace, as programs and callers write them.

/** Where programs see their workspace. */
export const workspacePlace = '/app'
/** Where packages are mounted. */
export const packagesPlace = '/packages'

/** A name has at most so many bytes, as in most file systems, a path so many characters and names. */
const longest = { nameBytes: 255, path: 500, names: 32 } as const

/** The same, for whoever made one that is longer. */
export const lengthRule = `A name has at most ${longest.nameBytes} bytes, a path at most ${longest.path} characters and ${longest.names} names`

// oxlint-disable-next-line no-control-regex -- a name with a control character deceives whoever reads a list of files.
const hidden = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/

/** Whether an entry of a folder may have this name, as far as its characters go. */
export const isName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !hidden.test(name)

/** Whether a path, as it is written, is longer than any that leads to a file. */
export const isTooLong = (path: string): boolean =>
  path.length > longest.path + workspacePlace.length + 1 || path.split('/').some(isLongName)

const isLongName = (name: string): boolean =>
  name.length > longest.nameBytes / 3 && Buffer.byteLength(name) > longest.nameBytes

/** Whether a place so deep and with a path of so many characters may be made. */
export const isTooDeep = ({ names, length }: { readonly names: number; readonly length: number }): boolean =>
  names > longest.names || length > longest.path

/** Whether that is why `workspaceParts` does not take a path. */
export const isWrongByLength = (path: string): boolean =>
  isTooLong(path) || isTooDeep({ names: path.split('/').length, length: path.length })

/** What is wrong with a path that `workspaceParts` does not take, and what to write instead. */
export const wrongPath = (path: string): string => {
  const shown = JSON.stringify(path.slice(0, 300))
  return isWrongByLength(path)
    ? `${shown} is too long. ${lengthRule}.`
    : `${shown} is no path in the workspace. Write it relative to the workspace, without "..".`
}

/** The parts of a path below the workspace; `undefined` where it leads elsewhere, names nothing or is too long. */
export function workspaceParts(path: string): readonly string[] | undefined {
  if (isTooLong(path)) return undefined
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
  return isTooDeep({ names: parts.length, length: parts.join('/').length }) ? undefined : parts
}
