// The server behind of MCP 2026-07-28 alone (`fixtures/modern-server.ts`), over stdio and over HTTP, and what it has written down.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { freePort } from '../../free-port.ts'
import { longest } from '../../longest.ts'
import { freshDatabase, place } from '../at-end.ts'
import { fixture, start } from '../processes.ts'
import { gatewayFile, type Entry } from './reach.ts'

export interface Notes {
  readonly entry: Entry
  /** What it has really done. */
  written(): readonly string[]
}

const read = (file: string) => (): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []

export function notesOverStdio(): Notes {
  const file = join(place(), 'notes')
  return { entry: { command: process.execPath, args: [...fixture('modern-server'), file] }, written: read(file) }
}

export async function notesOverHttp(): Promise<Notes> {
  const file = join(place(), 'notes')
  const port = await freePort()
  const server = start([...fixture('modern-server'), file, String(port)])
  await eventually(() => server.stderr().includes('listening'))
  return { entry: { url: `http://127.0.0.1:${port}/mcp` }, written: read(file) }
}

/** The command line of `wrap` in front of a server. */
export const wrapLine = (entry: Entry): readonly string[] => [
  'wrap',
  '--db',
  freshDatabase(),
  '--config',
  gatewayFile({ notes: entry }),
]

/** Waits until something holds, without asserting how long that takes. */
export const eventually = (holds: () => boolean | Promise<boolean>): Promise<unknown> =>
  vi.waitUntil(holds, { timeout: longest, interval: 10 })
