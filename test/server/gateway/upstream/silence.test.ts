// A server that has answered in time must not be called silent because this process had no time to read.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { watchSilence } from '../../../../server/gateway/upstream/connection/silence.ts'
import { listening } from '../../../kit/listening.ts'

const busy = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

const aborted = async (signal: AbortSignal): Promise<unknown> => {
  if (!signal.aborted) await once(signal, 'abort')
  return signal.reason
}

/** Both ends of a connection. */
async function wire(): Promise<readonly [Socket, Socket]> {
  const door = createServer()
  const accepted = once(door, 'connection') as Promise<[Socket]>
  const here = connect(Number(new URL(await listening(door)).port), '127.0.0.1')
  const [there] = await accepted
  onTestFinished(() => {
    here.destroy()
    there.destroy()
    door.close()
  })
  return [here, there]
}

test('what lies in the pipe when the time is over was said in time', async () => {
  const [here, there] = await wire()
  const silence = watchSilence(50, () => false, undefined)
  const read = once(here, 'data').then(() => silence.end())
  there.write('the answer')
  busy(200)
  await read
  expect(silence.signal.aborted).toBe(false)
})

test('a sign of life that lies in the pipe begins the time anew', async () => {
  const [here, there] = await wire()
  const silence = watchSilence(50, () => false, undefined)
  let heard = false
  here.once('data', () => {
    heard = !silence.signal.aborted
    silence.broken()
  })
  there.write('half of it')
  busy(200)
  expect(await aborted(silence.signal)).toMatchObject({ message: expect.stringContaining('Request timed out') })
  expect(heard).toBe(true)
})

test('time in which somebody is asked does not count, and silence without end is given up', async () => {
  let isAsking = true
  const silence = watchSilence(20, () => isAsking, undefined)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(silence.signal.aborted).toBe(false)
  isAsking = false
  expect(await aborted(silence.signal)).toMatchObject({ message: expect.stringContaining('Request timed out') })
})
