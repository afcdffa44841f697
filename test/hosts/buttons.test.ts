// The scripted host finds buttons as assistive technology does, in a frame of the page's process and in one of its own.
import { createServer } from 'node:http'
import type { Frame } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { inFewProcesses } from '../../server/testing/host/browser.ts'
import { findButton } from '../../server/testing/host/buttons.ts'
import { listeningUntil } from '../kit/listening.ts'
import { launchBrowser } from './browser.ts'

const still = `<!doctype html><title>nothing</title><body>
<button hidden onclick="document.title='hidden'">Confirm</button>
<button aria-hidden="true">Confirm</button>
<div style="height:1500px">Long</div>
<div><div role="button" aria-label="Confirm" onclick="document.title='first'">✓</div></div>
<button onclick="document.title='second'">Confirm</button>
<button disabled>Send</button>
<button>Send
  it</button>
<script>setTimeout(() => document.body.prepend(Object.assign(document.createElement('p'), { textContent: 'late' })), 300)</script>`

/** A page with the view in a frame that begins somewhere below its corner. */
async function openView(processes: readonly string[], view = still): Promise<Frame> {
  const browser = await launchBrowser(processes)
  onTestFinished(() => browser.close())
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    // Of another site than the page, as views are.
    const src = `http://view.localhost:${request.socket.localPort}/view`
    const page = `<p>Host</p><iframe name="view" sandbox="allow-scripts" style="border:0" src="${src}"></iframe>`
    response.end(request.url === '/view' ? view : page)
  })
  const origin = await listeningUntil(onTestFinished, server)
  const page = await browser.newPage()
  await page.goto(origin)
  const frame = page.frames().find((one) => one.url().endsWith('/view'))
  if (frame === undefined) throw new Error('The view is not there.')
  return frame
}

describe.each([
  ['of the page’s process', inFewProcesses],
  ['of a process of its own', ['--site-per-process']],
])('in a frame %s', (_, processes) => {
  test('the first button of a name that a person can use is scrolled to and pressed', async () => {
    const frame = await openView(processes)
    const button = await findButton(frame, 'Confirm')
    expect(button?.isEnabled).toBe(true)
    await button?.press()
    await expect.poll(() => frame.evaluate('document.title')).toBe('first')
  })

  test('a view that names itself, and draws itself anew all the time, is pressed, too', async () => {
    const redrawn = `<!doctype html><title>nothing</title><body><script>
      name = 'widget'
      const draw = () => (document.body.innerHTML = '<button onclick="document.title=1">Confirm</button>' + Date.now())
      setInterval(draw, 250)
      draw()
    </script>`
    const frame = await openView(processes, redrawn)
    for (let presses = 0; presses < 8; presses += 1) {
      await frame.evaluate('document.title = "nothing"')
      // A button that is drawn anew while the mouse is down was not pressed, for a person either, who presses again.
      const pressed = async (): Promise<unknown> => {
        await (await findButton(frame, 'Confirm'))?.press()
        return frame.evaluate('document.title')
      }
      await expect.poll(pressed).toBe('1')
    }
  })

  test('names are compared as they are read, and a disabled one is told', async () => {
    const frame = await openView(processes)
    expect((await findButton(frame, 'Send'))?.isEnabled).toBe(false)
    expect((await findButton(frame, 'Send it'))?.isEnabled).toBe(true)
    expect((await findButton(frame, /^send it$/i))?.isEnabled).toBe(true)
    expect(await findButton(frame, 'Long')).toBeUndefined()
  })
})
