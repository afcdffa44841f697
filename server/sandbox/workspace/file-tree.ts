// The files that a program sees: in memory, within a quota of bytes and of entries, so that nothing of the machine is in
// reach. Each file counts its versions, by which a run is told what it changed.
import { isTooDeep, isTooLong } from './paths.ts'

export interface FileNode {
  readonly kind: 'file'
  readonly id: number
  /** May be longer than the file: it grows by halves. */
  buffer: Uint8Array<ArrayBuffer>
  size: number
  /** Counts the changes of the whole tree: when this one was changed last. */
  version: number
}

export interface FolderNode {
  readonly kind: 'folder'
  readonly id: number
  readonly readOnly: boolean
  readonly entries: Map<string, TreeNode>
  /** When an entry came or went. CPython reads a folder again only where its time has changed. */
  version: number
  /** Where it lies; what is mounted lies nowhere. */
  above: { readonly folder: FolderNode; readonly name: string } | undefined
}

export type TreeNode = FileNode | FolderNode

export interface Quota {
  readonly bytes: number
  readonly entries: number
}

/** A file whose content is `bytes`. */
export interface GivenFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** What a run did to one file; without `bytes` it was deleted. */
export interface ChangedFile {
  readonly path: string
  readonly change: 'created' | 'modified' | 'deleted'
  readonly bytes?: Uint8Array
}

/** Versions of all files below a folder, by path. */
export type Versions = ReadonlyMap<string, string>

export class FileTree {
  readonly #quota: Quota
  #bytes = 0
  #entries = 0
  #nextId = 1
  #changes = 0

  constructor(quota: Quota) {
    this.#quota = quota
  }

  /** How often anything of it was changed: the same number, the same files. */
  get changes(): number {
    return this.#changes
  }

  /** A folder that nobody writes into, with these files, whose bytes are not copied. */
  static mount(files: readonly GivenFile[]): FolderNode {
    const tree = new FileTree({ bytes: 0, entries: 0 })
    const root = tree.folder(true)
    for (const { path, bytes } of files) {
      tree.put(root, [{ path, bytes: new Uint8Array(0) }])
      const node = nodeAt(root, path.split('/'))
      if (node?.kind === 'file') Object.assign(node, { buffer: bytes, size: bytes.length })
    }
    return root
  }

  /** A folder that no path leads to yet. */
  folder(readOnly = false): FolderNode {
    const id = this.#nextId++
    return { kind: 'folder', id, readOnly, entries: new Map(), version: this.#changes, above: undefined }
  }

  /** A new entry; why there is none where its name or path is too long, or the workspace has no room for one more. */
  add(folder: FolderNode, name: string, kind: 'file' | 'folder'): TreeNode | 'too_long' | 'full' {
    if (!isRoomFor(folder, name)) return 'too_long'
    if (!folder.readOnly && this.#entries >= this.#quota.entries) return 'full'
    if (!folder.readOnly) this.#entries += 1
    const node: TreeNode =
      kind === 'folder'
        ? this.folder(folder.readOnly)
        : { kind, id: this.#nextId++, buffer: new Uint8Array(0), size: 0, version: 0 }
    if (node.kind === 'folder') node.above = { folder, name }
    node.version = this.#changed(folder)
    folder.entries.set(name, node)
    return node
  }

  /** Takes an entry out; its content is given back to the quota. */
  remove(folder: FolderNode, name: string): void {
    const node = folder.entries.get(name)
    if (node === undefined) return
    folder.entries.delete(name)
    this.#changed(folder)
    this.#entries -= 1
    if (node.kind === 'file') this.resize(node, 0)
  }

  /** Whether a file may have this size. */
  hasRoom(file: FileNode, size: number): boolean {
    return this.#bytes + size - file.size <= this.#quota.bytes
  }

  /** Sets the size of a file; false where the workspace has no room for it. */
  resize(file: FileNode, size: number): boolean {
    if (!this.hasRoom(file, size)) return false
    if (size > file.buffer.length) {
      const grown = new Uint8Array(Math.max(size, Math.min(Math.ceil(file.buffer.length * 1.5), this.#quota.bytes)))
      grown.set(file.buffer.subarray(0, file.size))
      file.buffer = grown
    } else if (size <= file.buffer.length / 2)
      // What is given back to the quota is given back to the machine.
      file.buffer = file.buffer.slice(0, size)
    else if (size < file.size) file.buffer.fill(0, size, file.size)
    this.#bytes += size - file.size
    file.size = size
    this.#changed(file)
    return true
  }

  /** Writes at a place, beyond the end too; false where the workspace has no room for it. */
  write(file: FileNode, at: number, bytes: Uint8Array): boolean {
    if (at + bytes.length > file.size && !this.resize(file, at + bytes.length)) return false
    file.buffer.set(bytes, at)
    this.#changed(file)
    return true
  }

  /** Gives an entry another name or folder, where there is none. */
  move(from: FolderNode, name: string, to: FolderNode, newName: string): void {
    const node = from.entries.get(name)
    if (node === undefined) return
    from.entries.delete(name)
    to.entries.set(newName, node)
    if (node.kind === 'folder') node.above = { folder: to, name: newName }
    this.#changed(from)
    this.#changed(to)
  }

  #changed(node: TreeNode): number {
    this.#changes += 1
    node.version = this.#changes
    return this.#changes
  }

  /** Writes whole files, and the folders that they lie in; false where one found no room. */
  put(root: FolderNode, files: readonly GivenFile[]): boolean {
    return files.every(({ path, bytes }) => {
      const parts = path.split('/')
      const name = parts.pop() ?? ''
      let folder: FolderNode = root
      for (const part of parts) {
        const next = folder.entries.get(part) ?? this.add(folder, part, 'folder')
        if (typeof next === 'string' || next.kind === 'file') return false
        folder = next
      }
      const file = folder.entries.get(name) ?? this.add(folder, name, 'file')
      return typeof file !== 'string' && file.kind === 'file' && this.resize(file, 0) && this.write(file, 0, bytes)
    })
  }

  /** Empties a folder. */
  clear(folder: FolderNode): void {
    for (const [name, node] of folder.entries) {
      if (node.kind === 'folder') this.clear(node)
      this.remove(folder, name)
    }
  }
}

/** Bytes that `resize` copies or fills. */
export const movedBy = ({ buffer, size }: FileNode, next: number): number =>
  next > buffer.length || next <= buffer.length / 2 ? Math.max(size, next) : Math.abs(next - size)

/** The folders in which a folder lies, itself first. */
export function* foldersAbove(folder: FolderNode): Generator<FolderNode> {
  for (let at: FolderNode | undefined = folder; at !== undefined; at = at.above?.folder) yield at
}

/** Whether an entry may have this name in a folder, with what it holds itself; `pass` is called before each entry of that. */
export function isRoomFor(folder: FolderNode, name: string, node?: TreeNode, pass: () => void = free): boolean {
  if (isTooLong(name)) return false
  const below = sizeBelow(node, pass)
  let names = 1 + below.names
  let length = name.length + below.length
  for (const { above } of foldersAbove(folder)) {
    if (above === undefined) break
    names += 1
    length += above.name.length + 1
  }
  return !isTooDeep({ names, length })
}

/** Names and characters of the longest path below an entry, each for itself. */
function sizeBelow(node: TreeNode | undefined, pass: () => void): { readonly names: number; readonly length: number } {
  let [names, length] = [0, 0]
  if (node?.kind === 'folder')
    for (const [name, entry] of node.entries) {
      pass()
      const below = sizeBelow(entry, pass)
      names = Math.max(names, 1 + below.names)
      length = Math.max(length, 1 + name.length + below.length)
    }
  return { names, length }
}

/** Where parts of a path lead. */
export const nodeAt = (from: FolderNode, parts: readonly string[]): TreeNode | undefined => {
  let node: TreeNode | undefined = from
  for (const part of parts) node = node?.kind === 'folder' ? node.entries.get(part) : undefined
  return node
}

/** All files below a folder, with their paths; `pass` is called before each entry, folders too. */
export function* filesBelow(
  folder: FolderNode,
  above = '',
  pass: () => void = free,
): Generator<readonly [path: string, file: FileNode]> {
  for (const [name, node] of folder.entries) {
    pass()
    if (node.kind === 'file') yield [above + name, node]
    else yield* filesBelow(node, `${above}${name}/`, pass)
  }
}

const free = (): void => undefined

/** The content of a file, without a copy. */
export const contentOf = (file: FileNode): Uint8Array<ArrayBuffer> => file.buffer.subarray(0, file.size)

/** What is to be compared with later. */
export const versionsOf = (root: FolderNode): Versions =>
  new Map([...filesBelow(root)].map(([path, { id, version }]) => [path, `${id}.${version}`]))

/** What has changed since, sorted by path. */
export function changesSince(before: Versions, root: FolderNode): readonly ChangedFile[] {
  const now = new Map(filesBelow(root))
  const gone = [...before.keys()].filter((path) => !now.has(path))
  const changed = [...now].filter(([path, { id, version }]) => before.get(path) !== `${id}.${version}`)
  return [
    ...gone.map((path) => ({ path, change: 'deleted' as const })),
    ...changed.map(([path, file]) => ({
      path,
      change: before.has(path) ? ('modified' as const) : ('created' as const),
      bytes: contentOf(file).slice(),
    })),
  ].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}
