// The functions by which JavaScript reads and writes its workspace. They answer with text: `V` and a value, or `E` and what is
// wrong, which the guest throws as an error of its own.
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import { workOf, type FuelGauge } from '../instance.ts'
import { contentOf, filesBelow, movedBy, nodeAt } from '../workspace/file-tree.ts'
import type { FileTree, FolderNode, TreeNode } from '../workspace/file-tree.ts'
import { isWrongByLength, lengthRule, workspaceParts } from '../workspace/paths.ts'

/**
 * The texts that the guest gives a function of the host. After them comes how many characters they have together, which is
 * paid for before they are read. Only what is text and a number already is taken: to make it so would call the guest.
 * @throws TypeError in the guest, where one is no text.
 */
export function paidTexts(
  context: QuickJSContext,
  fuel: FuelGauge,
  given: readonly QuickJSHandle[],
): readonly string[] {
  const texts = given.slice(0, -1)
  if (texts.some((each) => context.typeof(each) !== 'string')) throw new TypeError('the host takes text only')
  fuel.pay(workOf.text(numberOf(context, given.at(-1))))
  return texts.map((each) => context.getString(each))
}

/** A number of the guest; NaN for anything else, which is not made a number. */
export const numberOf = (context: QuickJSContext, given: QuickJSHandle | undefined): number =>
  given !== undefined && context.typeof(given) === 'number' ? context.getNumber(given) : Number.NaN

/** `readText`, `writeText`, `filesJson` and `remove`, in this order; each is given what `paidTexts` takes. */
export function workspaceFunctions(
  context: QuickJSContext,
  fuel: FuelGauge,
  tree: FileTree,
  workspace: FolderNode,
): readonly QuickJSHandle[] {
  const define = (name: string, run: (path: string, text: string) => string): QuickJSHandle =>
    context.newFunction(name, (...given) => {
      const [path = '', text = ''] = paidTexts(context, fuel, given)
      return context.newString(run(path, text))
    })
  return [
    define('readText', (path) => {
      const node = find(workspace, path)
      if (node === undefined) return missing(path)
      if (node.kind === 'folder') return `E${path} is a folder`
      fuel.pay(workOf.text(node.size))
      return `V${pack(Buffer.from(contentOf(node)).toString())}`
    }),
    define('writeText', (path, text) => write(fuel, tree, workspace, path, unpack(text))),
    define('filesJson', () => {
      const paths: string[] = []
      for (const [path] of filesBelow(workspace, '', () => fuel.pay(workOf.text(1)))) {
        fuel.pay(workOf.text(24 + path.length))
        paths.push(path)
      }
      return `V${JSON.stringify(paths.toSorted())}`
    }),
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

const outside = (path: string): string =>
  isWrongByLength(path)
    ? `E'${path.slice(0, 100)}...' is too long. ${lengthRule}`
    : `E'${path.slice(0, 300)}' lies outside of the workspace`
const missing = (path: string): string =>
  workspaceParts(path) === undefined ? outside(path) : `Eno such file in the workspace: '${path.slice(0, 300)}'`

const find = (workspace: FolderNode, path: string): TreeNode | undefined => {
  const parts = workspaceParts(path)
  return parts === undefined ? undefined : nodeAt(workspace, parts)
}

function write(fuel: FuelGauge, tree: FileTree, workspace: FolderNode, path: string, text: string): string {
  const parts = workspaceParts(path)
  if (parts === undefined || parts.length === 0) return outside(path)
  const there = nodeAt(workspace, parts)
  if (there?.kind === 'folder') return `E${path.slice(0, 300)} is a folder`
  if (there !== undefined) fuel.pay(workOf.copy(movedBy(there, 0)))
  const written = tree.put(workspace, [{ path: parts.join('/'), bytes: Buffer.from(text) }])
  return written ? 'V' : 'Ethe workspace is full, or a part of the path is a file'
}
