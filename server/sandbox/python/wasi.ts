// The functions of WASI (preview 1) that CPython asks its host for, over files in memory. Nothing here reaches the machine:
// no file, no clock, no chance, no socket. What a program may not do is answered with an error number, never thrown.
import { workOf } from '../instance.ts'
import type { FileNode, FileTree, FolderNode, TreeNode } from '../workspace/file-tree.ts'
import { isName } from '../workspace/paths.ts'
import { errno, GuestMemory, startOfTime, type Wasi, type WasiHost } from './wasi-host.ts'
import { entriesOf, fileTypes, fileWork } from './wasi-files.ts'
import { type Place, rename, walk } from './wasi-paths.ts'
import { processFunctions } from './wasi-process.ts'

interface OpenFile {
  readonly kind: 'file'
  readonly file: FileNode
  at: number
  readonly append: boolean
  readonly write: boolean
}
interface OpenFolder {
  readonly kind: 'folder'
  readonly folder: FolderNode
  /** Path under which it is open from the start. */
  readonly preopened?: string
}
type Descriptor =
  | OpenFile
  | OpenFolder
  | { readonly kind: 'input' }
  | { readonly kind: 'output'; readonly to: 1 | 2 }
  | { readonly kind: 'control' }

const mostOpen = 256
const allRights = 0x1fffffffn

/** The imports of one instance. `memory` is asked for only when they are called. */
export function wasi(host: WasiHost, tree: FileTree, folders: ReadonlyMap<string, FolderNode>): Wasi {
  const memory = new GuestMemory(host)
  const { resize, writeInto, readFrom, add } = fileWork(tree, host.pay)
  const open = new Map<number, Descriptor>([
    [0, { kind: 'input' }],
    [1, { kind: 'output', to: 1 }],
    [2, { kind: 'output', to: 2 }],
  ])
  for (const [preopened, folder] of folders) open.set(open.size, { kind: 'folder', folder, preopened })
  const control = tree.folder(true)
  open.set(open.size, { kind: 'folder', folder: control, preopened: '/control' })
  let controlled = false

  const place = (fd: number, pointer: number, length: number): Place | number => {
    const from = open.get(fd)
    if (from === undefined) return errno.badf
    if (from.kind !== 'folder') return errno.notdir
    const path = memory.text(pointer, length)
    if (path === undefined) return errno.ilseq
    return walk(from.folder, path)
  }
  const fileAt = (fd: number): OpenFile | number => {
    const found = open.get(fd)
    if (found === undefined) return errno.badf
    return found.kind === 'file' ? found : found.kind === 'folder' ? errno.isdir : errno.spipe
  }
  const descriptor = (): number | undefined => {
    for (let fd = 3; fd < mostOpen; fd += 1) if (!open.has(fd)) return fd
    return undefined
  }

  return {
    ...processFunctions(host, memory),
    fd_advise: (fd) => (open.has(fd) ? 0 : errno.badf),
    fd_datasync: (fd) => (open.has(fd) ? 0 : errno.badf),
    fd_sync: (fd) => (open.has(fd) ? 0 : errno.badf),
    fd_close: (fd) => {
      const found = open.get(fd)
      if (found === undefined) return errno.badf
      if (found.kind === 'control' || (found.kind === 'folder' && found.preopened !== undefined)) return errno.notsup
      open.delete(fd)
      return 0
    },
    fd_fdstat_get: (fd, out) => {
      const found = open.get(fd)
      if (found === undefined) return errno.badf
      memory.bytes(out, 24).fill(0)
      memory.bytes(out, 1)[0] = fileTypes[found.kind]
      memory.view.setUint16(out + 2, found.kind === 'file' && found.append ? 1 : 0, true)
      // A character device that cannot be sought in is what CPython takes for a terminal.
      memory.u64(out + 8, found.kind === 'file' || found.kind === 'folder' ? allRights : allRights & ~0x24n)
      return memory.u64(out + 16, allRights)
    },
    fd_fdstat_set_flags: (fd) => (open.has(fd) ? 0 : errno.badf),
    fd_filestat_get: (fd, out) => {
      const found = open.get(fd)
      if (found === undefined) return errno.badf
      if (found.kind === 'file') return putStat(memory, out, found.file)
      if (found.kind === 'folder') return putStat(memory, out, found.folder)
      memory.bytes(out, 64).fill(0)
      memory.bytes(out + 16, 1)[0] = fileTypes[found.kind]
      return 0
    },
    fd_filestat_set_size: (fd, size) => {
      const file = fileAt(fd)
      if (typeof file === 'number') return file
      if (!file.write) return errno.badf
      if (size < 0n) return errno.inval
      return resize(file.file, Number(size))
    },
    fd_filestat_set_times: (fd) => (open.has(fd) ? 0 : errno.badf),
    fd_prestat_get: (fd, out) => {
      const found = open.get(fd)
      if (found?.kind !== 'folder' || found.preopened === undefined) return errno.badf
      memory.u32(out, 0)
      return memory.u32(out + 4, Buffer.byteLength(found.preopened))
    },
    fd_prestat_dir_name: (fd, pointer, length) => {
      const found = open.get(fd)
      if (found?.kind !== 'folder' || found.preopened === undefined) return errno.badf
      memory.bytes(pointer, length).set(Buffer.from(found.preopened).subarray(0, length))
      return 0
    },
    fd_read: (fd, list, count, out) => {
      const found = open.get(fd)
      if (found === undefined) return errno.badf
      if (found.kind === 'folder') return errno.isdir
      if (found.kind === 'output') return errno.badf
      if (found.kind === 'input') return memory.u32(out, 0)
      let total = 0
      for (const part of memory.list(list, count)) {
        if (part.length === 0) continue
        if (found.kind === 'control') {
          const taken = host.control.read(part.length)
          part.set(taken)
          total += taken.length
          break
        }
        const taken = readFrom(found.file, found.at, part)
        total += taken
        found.at += taken
        if (taken < part.length) break
      }
      return memory.u32(out, total)
    },
    fd_pread: (fd, list, count, offset, out) => {
      const file = fileAt(fd)
      if (typeof file === 'number') return file
      let at = Number(offset)
      if (at < 0) return errno.inval
      const start = at
      for (const part of memory.list(list, count)) at += readFrom(file.file, at, part)
      return memory.u32(out, at - start)
    },
    fd_write: (fd, list, count, out) => {
      const found = open.get(fd)
      if (found === undefined || found.kind === 'input') return errno.badf
      if (found.kind === 'folder') return errno.isdir
      let total = 0
      for (const part of memory.list(list, count)) {
        total += part.length
        if (found.kind === 'output') {
          host.pay(workOf.copy(part.length))
          host.write(found.to, part)
        } else if (found.kind === 'control') {
          // One part is heard, and the rest not written: what else it says is another call.
          host.control.write(part)
          break
        } else {
          if (found.append) found.at = found.file.size
          const failed = found.write ? writeInto(found.file, found.at, part) : errno.badf
          if (failed !== 0) return failed
          found.at += part.length
        }
      }
      return memory.u32(out, total)
    },
    fd_pwrite: (fd, list, count, offset, out) => {
      const file = fileAt(fd)
      if (typeof file === 'number') return file
      let at = Number(offset)
      if (at < 0) return errno.inval
      const start = at
      for (const part of memory.list(list, count)) {
        const failed = file.write ? writeInto(file.file, at, part) : errno.badf
        if (failed !== 0) return failed
        at += part.length
      }
      return memory.u32(out, at - start)
    },
    fd_seek: (fd, offset, whence, out) => {
      const file = fileAt(fd)
      if (typeof file === 'number') return file
      const at = Number(offset) + (whence === 0 ? 0 : whence === 1 ? file.at : file.file.size)
      if (at < 0 || at > Number.MAX_SAFE_INTEGER) return errno.inval
      file.at = at
      return memory.u64(out, BigInt(at))
    },
    fd_tell: (fd, out) => {
      const file = fileAt(fd)
      return typeof file === 'number' ? file : memory.u64(out, BigInt(file.at))
    },
    fd_readdir: (fd, buffer, length, cookie, out) => {
      const found = open.get(fd)
      if (found === undefined) return errno.badf
      if (found.kind !== 'folder') return errno.notdir
      // Each part of a listing goes through the whole of it.
      host.pay(workOf.text(found.folder.entries.size))
      const written = memory.putEntries(buffer, length, entriesOf(found.folder), Number(cookie))
      return memory.u32(out, written)
    },
    path_create_directory: (fd, pointer, length) => {
      const at = place(fd, pointer, length)
      if (typeof at === 'number') return at
      if (at.node !== undefined) return errno.exist
      const { folder, name } = at
      if (folder === undefined || !isName(name)) return errno.inval
      if (folder.readOnly) return errno.rofs
      const added = add(folder, name, 'folder')
      return typeof added === 'number' ? added : 0
    },
    path_filestat_get: (fd, _flags, pointer, length, out) => {
      const at = place(fd, pointer, length)
      if (typeof at === 'number') return at
      return at.node === undefined ? errno.noent : putStat(memory, out, at.node)
    },
    path_filestat_set_times: (fd, _flags, pointer, length) => {
      const at = place(fd, pointer, length)
      return typeof at === 'number' ? at : at.node === undefined ? errno.noent : 0
    },
    path_open: (fd, _lookup, pointer, length, flags, rights, _inherited, fdFlags, out) => {
      const at = place(fd, pointer, length)
      if (typeof at === 'number') return at
      const { folder, name } = at
      const next = descriptor()
      if (next === undefined) return errno.mfile
      if (folder === control) {
        if (name !== 'channel' || controlled) return errno.noent
        controlled = true
        open.set(next, { kind: 'control' })
        return memory.u32(out, next)
      }
      const [create, onlyFolder, exclusive, truncate] = [flags & 1, flags & 2, flags & 4, flags & 8]
      let { node } = at
      if (node !== undefined && create && exclusive) return errno.exist
      if (node === undefined) {
        if (!create || onlyFolder) return errno.noent
        if (folder === undefined || !isName(name)) return errno.inval
        if (folder.readOnly) return errno.rofs
        const added = add(folder, name, 'file')
        if (typeof added === 'number') return added
        node = added
      }
      if (node.kind === 'folder') {
        open.set(next, { kind: 'folder', folder: node })
        return memory.u32(out, next)
      }
      if (onlyFolder) return errno.notdir
      const write = (rights & 0x40n) !== 0n
      if ((write || truncate) && folder?.readOnly === true) return errno.rofs
      if (truncate) resize(node, 0)
      open.set(next, { kind: 'file', file: node, at: 0, append: (fdFlags & 1) !== 0, write })
      return memory.u32(out, next)
    },
    path_readlink: (fd, pointer, length) => {
      const at = place(fd, pointer, length)
      return typeof at === 'number' ? at : at.node === undefined ? errno.noent : errno.inval
    },
    path_remove_directory: (fd, pointer, length) => {
      const at = place(fd, pointer, length)
      if (typeof at === 'number') return at
      if (at.node === undefined) return errno.noent
      if (at.folder === undefined) return errno.notcapable
      if (at.node.kind !== 'folder') return errno.notdir
      if (at.folder.readOnly) return errno.rofs
      if (at.node.entries.size > 0) return errno.notempty
      tree.remove(at.folder, at.name)
      return 0
    },
    path_unlink_file: (fd, pointer, length) => {
      const at = place(fd, pointer, length)
      if (typeof at === 'number') return at
      if (at.node === undefined) return errno.noent
      if (at.node.kind === 'folder' || at.folder === undefined) return errno.isdir
      if (at.folder.readOnly) return errno.rofs
      tree.remove(at.folder, at.name)
      return 0
    },
    path_rename: (fd, pointer, length, toFd, toPointer, toLength) => {
      const from = place(fd, pointer, length)
      const to = place(toFd, toPointer, toLength)
      if (typeof from === 'number') return from
      return typeof to === 'number' ? to : rename(tree, from, to, host.pay)
    },
  }
}

function putStat(memory: GuestMemory, out: number, node: TreeNode): number {
  memory.bytes(out, 64).fill(0)
  memory.u64(out + 8, BigInt(node.id))
  memory.bytes(out + 16, 1)[0] = fileTypes[node.kind]
  memory.u64(out + 24, 1n)
  for (const time of [40, 48, 56]) memory.u64(out + time, startOfTime + BigInt(node.version) * 1_000_000n)
  return memory.u64(out + 32, BigInt(node.kind === 'file' ? node.size : 0))
}
