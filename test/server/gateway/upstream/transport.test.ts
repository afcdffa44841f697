// A pipe to a server whose process is gone never drains, and the SDK waits for that.
import { expect, test } from 'vitest'
import { startOne } from '../servers.ts'

/** Ends at once; what it leaves behind answers in its place on its stdout, when nobody reads its stdin any more. */
const posthumous = `
const answer = { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'gone', version: '1' } } }
const late = 'const wait = () => process.ppid === ' + process.pid + ' ? setTimeout(wait, 10) : setTimeout(() => console.log(' + JSON.stringify(JSON.stringify(answer)) + '), 300); wait()'
require('node:child_process').spawn(process.execPath, ['-e', late], { stdio: ['ignore', 'inherit', 'ignore'], detached: true }).unref()`

test('a server that answers when its process is gone is tried again, and can be closed', async () => {
  const upstream = await startOne(
    { command: process.execPath, args: ['-e', posthumous] },
    { backoff: { firstMs: 600_000, maxMs: 600_000 } },
  )
  expect(upstream.state()).toMatchObject({ kind: 'restarting', reason: expect.stringContaining('it ended at once') })
  await upstream.close()
})
