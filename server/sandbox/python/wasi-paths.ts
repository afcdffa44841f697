// Paths as programs give them to WASI: below an open folder, and never out of it. There are no links to follow.
import { workOf } from '../instance.ts'
import { foldersAbove, isRoomFor } from '../workspace/file-tree.ts'
import type { FileTree, FolderNode, TreeNode } from '../workspace/file-tree.ts'
import { isName, isTooLong } from '../workspace/paths.ts'
import { errno, type WasiHost } from './wasi-host.ts'

/** Where a path leads: the entry, where there is one, and the folder it lies in or would. */
export interface Place {
  readonly folder: FolderNode | undefined
  readonly name: string
  readonly node: TreeNode | undefined
}

/** Follows a path within a folder; an error number where it cannot be followed or leads out of it. */
export function walk(from: FolderNode, path: string): Place | number {
  if (path.startsWith('/')) return errno.notcapable
  if (isTooLong(path)) return errno.nametoolong
  const trail: FolderNode[] = [from]
  let place: Place = { folder: undefined, name: '', node: from }
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (place.node === undefined) return errno.noent
    if (place.node.kind !== 'folder') return errno.notdir
    if (part === '..') {
      trail.pop()
      const node = trail.at(-1)
      if (node === undefined) return errno.notcapable
      place = { folder: undefined, name: '', node }
      continue
    }
    const folder = place.node
    const node = folder.entries.get(part)
    place = { folder, name: part, node }
    if (node?.kind === 'folder') trail.push(node)
  }
  return place
}

/** Renames what lies at `from`, over a file or an empty folder at `to`; an error number, or 0. All below it is gone through. */
export function rename(tree: FileTree, from: Place, to: Place, pay: WasiHost['pay']): number {
  if (from.node === undefined) return errno.noent
  if (from.folder === undefined || to.folder === undefined) return errno.notcapable
  if (from.folder.readOnly || to.folder.readOnly) return errno.rofs
  if (!isName(to.name)) return errno.inval
  if (to.node === from.node) return 0
  if (from.node.kind === 'folder' && [...foldersAbove(to.folder)].includes(from.node)) return errno.inval
  if (!isRoomFor(to.folder, to.name, from.node, () => pay(workOf.text(1)))) return errno.nametoolong
  if (to.node !== undefined) {
    if (to.node.kind !== from.node.kind) return to.node.kind === 'folder' ? errno.isdir : errno.notdir
    if (to.node.kind === 'folder' && to.node.entries.size > 0) return errno.notempty
    tree.remove(to.folder, to.name)
  }
  tree.move(from.folder, from.name, to.folder, to.name)
  return 0
}
