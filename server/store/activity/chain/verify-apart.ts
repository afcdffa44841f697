// Walking a chain of a million entries takes seconds, and SQLite answers on the thread that asks. So a server that checks
// its own record does it on a thread and a connection of their own, where no call waits for it. This file is both sides:
// who asks, and, on that thread, who walks.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { openStore } from '../../store.ts'
import { readAnchorsSoFar } from './anchor-file.ts'
import type { TenantReport } from './verify.ts'

const job = 'countersign: verify the record'

const jobSchema = z.object({
  job: z.literal(job),
  file: z.string(),
  secret: z.string().optional(),
  anchor: z.string().optional(),
})

interface VerifyJob {
  /** The database, as `openStore` takes it. */
  readonly file: string
  readonly secret?: string | undefined
  /** File with heads that were exported earlier. */
  readonly anchor?: string | undefined
}

/**
 * Walks every tenant's chain on a thread of its own; `signal` breaks it off.
 * @throws {Error} what the database or the anchor file says when it cannot be read.
 */
export function verifyApart(asked: VerifyJob, signal: AbortSignal): Promise<readonly TenantReport[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { job, ...asked }, execArgv: ['--no-warnings'] })
    // A check is no reason to stay alive.
    worker.unref()
    const stop = (): void => void worker.terminate()
    signal.addEventListener('abort', stop, { once: true })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => {
      signal.removeEventListener('abort', stop)
      reject(new Error('The check of the record was broken off.'))
    })
  })
}

async function walk({ file, secret, anchor }: VerifyJob): Promise<readonly TenantReport[]> {
  const anchors = await readAnchorsSoFar(anchor)
  if (!anchors.ok) throw new Error(anchors.failure.message)
  const opened = await openStore({ file, secret })
  if (!opened.ok) throw new Error(opened.failure.message)
  try {
    return await opened.value.activity.verify(anchors.value)
  } finally {
    await opened.value.close()
  }
}

const ours = isMainThread ? undefined : jobSchema.safeParse(workerData)
// Not awaited at the top: a program that loads the library by `require` may load nothing that is. What fails ends the thread.
if (ours?.success === true) void walk(ours.data).then((reports) => parentPort?.postMessage(reports, []))
