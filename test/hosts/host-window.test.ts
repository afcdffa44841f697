// The page that plays the host hears views through one function of the browser, which scripts of a view may call, too.
import { expect, onTestFinished, test } from 'vitest'
import { openWindows } from '../../server/testing/host/host-window.ts'
import { hostProfiles } from '../../server/testing/host/profiles.ts'
import { launchBrowser } from './browser.ts'

test('what is no message of a view is left, and the next message is heard', async () => {
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const windows = await openWindows(browser)
  onTestFinished(() => windows.close())
  const window = await windows.take(hostProfiles[0])
  const heard: unknown[] = []
  const wire = { onmessage: (message: unknown) => heard.push(message) }
  await window.draw('view-1', wire as never, { body: '<p>A view</p>', policy: "default-src 'none'" })
  const message = { jsonrpc: '2.0', method: 'ui/notifications/initialized' }
  const said = [
    'no JSON',
    '[]',
    '{"id":"view-1"}',
    '{"id":"nobody","message":{}}',
    JSON.stringify({ id: 'view-1', message }),
  ]
  await window.page.evaluate((texts) => {
    for (const text of texts) (globalThis as unknown as { hear(text: string): void }).hear(text)
  }, said)
  await expect.poll(() => heard).toEqual([message])
})
