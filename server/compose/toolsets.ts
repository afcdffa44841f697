// Opens the toolsets of a server, one after the other, on its database.
import type { Store } from '../store/store.ts'
import type { OpenedToolset, Toolset, ToolsetParts } from '../toolsets/toolset.ts'

/** What all of them bring. */
export type OpenedToolsets = Required<Pick<OpenedToolset, 'tools' | 'cheatsheets' | 'routes' | 'close'>>

/** Where one of them cannot be opened, those before it are closed again. */
export async function openToolsets(
  toolsets: readonly Toolset[],
  { db, now, deriveKey }: Pick<Store, 'db' | 'now' | 'deriveKey'>,
  server: Pick<ToolsetParts, 'report' | 'publicUrl'>,
): Promise<OpenedToolsets> {
  const opened: OpenedToolset[] = []
  const close = async (): Promise<void> => {
    // What a later one does may need what an earlier one offers.
    for (const set of opened.toReversed()) await set.close?.()
  }
  const parts: ToolsetParts = {
    ...server,
    db,
    now,
    deriveKey: (purpose) => deriveKey(`toolset: ${purpose}`),
    files: () => opened.find(({ files }) => files !== undefined)?.files,
  }
  try {
    for (const toolset of toolsets) opened.push(await toolset(parts))
  } catch (error) {
    await close()
    throw error
  }
  return {
    tools: opened.flatMap(({ tools }) => tools),
    cheatsheets: Object.assign({}, ...opened.map(({ cheatsheets }) => cheatsheets)),
    routes: opened.flatMap(({ routes = [] }) => routes),
    close,
  }
}
