// What programs of Python do to files, each paid for by its length before it is done, with the error numbers of WASI.
import { workOf } from '../instance.ts'
import { contentOf, movedBy } from '../workspace/file-tree.ts'
import type { FileNode, FileTree, FolderNode, TreeNode } from '../workspace/file-tree.ts'
import { errno, type WasiHost } from './wasi-host.ts'

/** Numbers of the specification (`filetype`). */
export const fileTypes = { input: 2, output: 2, control: 2, folder: 3, file: 4 } as const

/** Work on the files of a tree. What fails answers with an error number; without one `resize` and `writeInto` answer 0. */
export interface FileWork {
  readonly resize: (file: FileNode, size: number) => number
  readonly writeInto: (file: FileNode, at: number, bytes: Uint8Array) => number
  /** How many bytes were read. */
  readonly readFrom: (file: FileNode, at: number, into: Uint8Array) => number
  readonly add: (folder: FolderNode, name: string, kind: 'file' | 'folder') => TreeNode | number
}

/** The work on `tree`, paid by `pay`. */
export function fileWork(tree: FileTree, pay: WasiHost['pay']): FileWork {
  const resize = (file: FileNode, size: number): number => {
    if (!tree.hasRoom(file, size)) return errno.nospc
    pay(workOf.copy(movedBy(file, size)))
    return tree.resize(file, size) ? 0 : errno.nospc
  }
  return {
    resize,
    writeInto: (file, at, bytes) => {
      const end = at + bytes.length
      const failed = end > file.size ? resize(file, end) : 0
      if (failed !== 0) return failed
      pay(workOf.copy(bytes.length))
      return tree.write(file, at, bytes) ? 0 : errno.nospc
    },
    readFrom: (file, at, into) => {
      const taken = contentOf(file).subarray(at, at + into.length)
      pay(workOf.copy(taken.length))
      into.set(taken)
      return taken.length
    },
    add: (folder, name, kind) => {
      const added = tree.add(folder, name, kind)
      return typeof added === 'object' ? added : added === 'full' ? errno.nospc : errno.nametoolong
    },
  }
}

/** What a listing of a folder has, in its order. */
export const entriesOf = (folder: FolderNode): readonly (readonly [name: string, id: number, type: number])[] => [
  ['.', folder.id, 3],
  ['..', folder.id, 3],
  ...[...folder.entries].map(([name, { id, kind }]) => [name, id, fileTypes[kind]] as const),
]
