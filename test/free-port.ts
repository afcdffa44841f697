// A server that must know its own address before it starts is given a port that nobody has. One that the system gave out
// a moment ago it may give to somebody else in the next; so these come from below the range that it gives out, and every
// process of a run asks in a part of its own. They begin behind 10080, the last one that `fetch` and browsers refuse to ask.
import { once } from 'node:events'
import { createServer } from 'node:net'

const FIRST = 10_100
const LAST = 32_000
const SHARE = 40

let next = FIRST + ((process.pid * SHARE) % (LAST - FIRST))

/** A port of the loopback that nobody listens on, and that nobody else is told of. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next
    next = next + 1 < LAST ? next + 1 : FIRST
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}
