// Plans must outlive the working directory that a host happens to start us in, so the default is the user's data
// directory, by each platform's own rule.
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** Where the database lies unless somebody says otherwise. A pure function of what it is given. */
export const dataFile = (env: Environment, platform: NodeJS.Platform, home: string): string => {
  // The XDG specification: a relative path is to be ignored.
  const xdg = env['XDG_DATA_HOME']
  if (xdg !== undefined && posix.isAbsolute(xdg)) return posix.join(xdg, 'countersign', 'countersign.db')
  if (platform === 'win32')
    return win32.join(env['LOCALAPPDATA'] || win32.join(home, 'AppData', 'Local'), 'countersign', 'countersign.db')
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'countersign', 'countersign.db')
  return posix.join(home, '.local', 'share', 'countersign', 'countersign.db')
}

/**
 * The default database file. Creates its directory for the user alone (0700); where that fails it says nothing, because
 * `openStore` looks at the directory anyway and reports why.
 */
export const defaultDatabaseFile = (env: Environment): string => {
  const file = dataFile(env, process.platform, homedir())
  try {
    mkdirSync((process.platform === 'win32' ? win32 : posix).dirname(file), { recursive: true, mode: 0o700 })
  } catch {
    // Reported by `openStore` as `directory-missing` or `read-only`.
  }
  return file
}
