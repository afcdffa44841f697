// The program itself, for journeys that run it in the process of the test. Node loads it as it loads the binary, because
// Vitest would transform several hundred files anew for every test file.
import { createRequire, enableCompileCache } from 'node:module'
import { Writable } from 'node:stream'
import type { main as Main } from '../../server/cli/main.ts'

enableCompileCache(process.env['NODE_COMPILE_CACHE'])
const loaded = createRequire(import.meta.url)('../../server/cli/main.ts') as { readonly main: typeof Main }

/** Runs a command line. Answers the exit code. */
export const main = (args: readonly string[], own: Parameters<typeof Main>[1]): Promise<number> =>
  loaded.main(['node', 'countersign', ...args], own)

/** What a program writes. */
export class Written extends Writable {
  text = ''
  readonly isTTY: boolean

  constructor(isTTY = false) {
    super({ decodeStrings: false })
    this.isTTY = isTTY
  }

  override _write(chunk: Buffer | string, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString()
    this.emit('text')
    done()
  }
}
