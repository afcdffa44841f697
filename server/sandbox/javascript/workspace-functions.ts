// The functions by which JavaScript reads and writes its workspace. They answer with text: `V` and a value, or `E` and what is
// wrong, which the guest throws as an error of its own.
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import { contentOf, filesBelow, nodeAt } from '../workspace/file-tree.ts'
import type { FileTree, FolderNode, TreeNode } from '../workspace/file-tree.ts'
import { workspaceParts } from '../workspace/paths.ts'

/** `readText`, `writeText`, `filesJson` and `remove`, in this order. */
export function workspaceFunctions(
  context: QuickJSContext,
  tree: FileTree,
  workspace: FolderNode,
): readonly QuickJSHandle[] {
  const define = (name: string, run: (path: string, text: string) => string): QuickJSHandle =>
    context.newFunction(name, (path, text) =>
      context.newString(
        run(path === undefined ? '' : context.getString(path), text === undefined ? '' : context.getString(text)),
      ),
    )
  return [
    define('readText', (path) => {
      const node = find(workspace, path)
      if (node === undefined) return missing(path)
      return node.kind === 'folder' ? `E${path} is a folder` : `V${pack(Buffer.from(contentOf(node)).toString())}`
    }),
    define('writeText', (path, text) => write(tree, workspace, path, unpack(text))),
    define('filesJson', () => `V${JSON.stringify([...filesBelow(workspace)].map(([path]) => path).toSorted())}`),
    define('remove', (path) => {
      const parts = workspaceParts(path)
      const name = parts?.at(-1)
      if (parts === undefined || name === undefined) return outside(path)
      const folder = nodeAt(workspace, parts.slice(0, -1))
      if (folder?.kind !== 'folder' || folder.entries.get(name)?.kind !== 'file') return missing(path)
      tree.remove(folder, name)
      return 'V'
    }),
  ]
}

/** Text for the guest, which would end at its first NUL: `T` and the text, or `N` and the text escaped. */
const pack = (text: string): string =>
  text.includes('\0') ? `N${text.replaceAll('\\', '\\\\').replaceAll('\0', '\\0')}` : `T${text}`

/** Text that the guest packed in the same way. */
export const unpack = (text: string): string =>
  text.startsWith('N')
    ? text.slice(1).replaceAll(/\\([\\0])/g, (_, escaped: string) => (escaped === '0' ? '\0' : escaped))
    : text.slice(1)

const outside = (path: string): string => `E'${path.slice(0, 300)}' lies outside of the workspace`
const missing = (path: string): string =>
  workspaceParts(path) === undefined ? outside(path) : `Eno such file in the workspace: '${path.slice(0, 300)}'`

const find = (workspace: FolderNode, path: string): TreeNode | undefined => {
  const parts = workspaceParts(path)
  return parts === undefined ? undefined : nodeAt(workspace, parts)
}

function write(tree: FileTree, workspace: FolderNode, path: string, text: string): string {
  const parts = workspaceParts(path)
  if (parts === undefined || parts.length === 0) return outside(path)
  if (nodeAt(workspace, parts)?.kind === 'folder') return `E${path.slice(0, 300)} is a folder`
  const written = tree.put(workspace, [{ path: parts.join('/'), bytes: Buffer.from(text) }])
  return written ? 'V' : 'Ethe workspace is full, or a part of the path is a file'
}
