// A program that runs too long keeps its thread from listening. What it has printed and used until then is asked for by V8's
// inspector, within this process and without a port: it interrupts WebAssembly, too, and costs nothing until it is used.
import type { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { askedFunction } from './worker-messages.ts'

const message = z.object({ id: z.literal(1), result: z.object({ result: z.object({ value: z.string() }) }) })

/** How long a thread may take to be interrupted. */
const patience = 1000

/**
 * What the function of a busy worker answers, as JSON; `undefined` where it does not answer in time. The inspector stays at
 * the worker until that has ended: left before, with a question that a thread has not heard yet, it can take the process
 * with it.
 */
export async function askBusyWorker(worker: Worker): Promise<string | undefined> {
  // Not every Node is built with an inspector.
  const inspector = await import('node:inspector').catch(() => undefined)
  if (inspector === undefined) return undefined
  const { threadId } = worker
  // It has ended meanwhile.
  if (threadId < 0) return undefined
  const session = new inspector.Session()
  worker.once('exit', () => session.disconnect())
  return new Promise((resolve) => {
    const settle = (answer: string | undefined): void => {
      clearTimeout(timer)
      resolve(answer)
    }
    const timer = setTimeout(() => settle(undefined), patience)
    session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) => {
      // The inspector counts workers by itself; only the title has the number of the thread.
      if (!workerInfo.title.startsWith(`[worker ${threadId}]`)) return
      const ask = {
        id: 1,
        method: 'Runtime.evaluate',
        params: { expression: `${askedFunction}()`, returnByValue: true },
      }
      session.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify(ask) })
    })
    session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
      const answer = message.safeParse(JSON.parse(params.message))
      if (answer.success) settle(answer.data.result.result.value)
    })
    try {
      session.connect()
      session.post('NodeWorker.enable', { waitForDebuggerOnStart: false }, (error) => error && settle(undefined))
    } catch {
      settle(undefined)
    }
  })
}
