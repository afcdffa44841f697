// A thread for one picture: bytes that mean harm meet nobody else's, and take no time of the server's.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { fail } from '../../errors/result.ts'
import { packageRoot } from '../../package-root.ts'
import type { Drawn, DrawRequest } from './picture.ts'

/** Of what is built, the bundle: to load a dozen files takes twice the time. */
const workerFile = import.meta.url.endsWith('.ts')
  ? new URL('./picture-worker.ts', import.meta.url)
  : pathToFileURL(join(packageRoot(), 'dist', 'program', 'picture-worker.js'))

/**
 * A request with a copy of its bytes alone. What is given to a thread goes there with all of the memory that it is a part of,
 * and a small `Buffer` lies in one with those of others.
 */
export const handedOver = ({ way, bytes }: DrawRequest) => ({ way, bytes: new Uint8Array(bytes) })

/** The thread has ended when this does. What ends it from within are bytes that ask for more than there is. */
export async function drawApart(request: DrawRequest, timeoutMs: number): Promise<Drawn> {
  const given = handedOver(request)
  const worker = new Worker(workerFile, {
    workerData: given,
    transferList: [given.bytes.buffer],
    name: 'picture',
    execArgv: ['--no-warnings'],
    env: {},
    // Whatever the libraries say of a damaged file.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  })
  worker.stdout.resume()
  worker.stderr.resume()
  const tooCostly = fail({ why: 'too-costly' } as const)
  try {
    return await new Promise<Drawn>((resolve) => {
      const timer = setTimeout(() => resolve(tooCostly), timeoutMs)
      worker.once('message', resolve)
      worker.once('error', () => resolve(tooCostly))
      worker.once('exit', () => {
        clearTimeout(timer)
        resolve(tooCostly)
      })
    })
  } finally {
    await worker.terminate()
  }
}
