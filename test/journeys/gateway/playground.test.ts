// A person edits a real file from the browser: `countersign gateway --http` opens the playground on other people's
// servers, the card shows the diff, and the file has changed once its button was pressed.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { formatPreview } from '../../../server/confirm/message.ts'
import { en } from '../../../server/cards/words/en.ts'
import { sharedBrowser } from '../../hosts/browser.ts'
import { freshDatabase } from '../at-end.ts'
import { gatewayFile, officialServer, realPlace } from './reach.ts'
import { openPlayground } from '../playground-page.ts'
import { webHere } from '../in-process.ts'
import { letIn } from '../processes.ts'

let browser: Browser

beforeAll(async () => {
  browser = await sharedBrowser()
})

test('an edit through the gateway is seen as a diff, confirmed in the card, and done', async () => {
  const folder = realPlace()
  const path = join(folder, 'notes.txt')
  writeFileSync(path, 'one\ntwo\nthree\n')
  const config = gatewayFile({ files: officialServer('filesystem', [folder]) })
  const web = await webHere(['gateway', '--config', config, '--http', '0', '--db', freshDatabase()])
  const { page, card, personLines, complaints } = await openPlayground(browser, {
    playgroundUrl: letIn('/playground', web.mcp).href,
  })

  const say = async (line: string): Promise<void> => {
    await page.getByLabel('Message to the agent').fill(line)
    await page.getByLabel('Message to the agent').press('Enter')
  }
  await say(
    formatPreview('call_tool_destructive', [
      ['name', 'files:edit_file'],
      ['args_json', JSON.stringify({ path, edits: [{ oldText: 'two', newText: 'TWO' }] })],
      ['intent', { operation_type: 'destructive' }],
      ['rationale', 'The user wants it to be louder.'],
    ]),
  )
  await card(0).getByText('+TWO').first().waitFor()
  await card(0).getByText('-two').first().waitFor()
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\nthree\n')

  // The diff is what the server says of itself. What it will be sent has to have been opened as well.
  const confirm = card(0).getByRole('button', { name: 'Edit file' })
  await card(0).getByText(en.$openFirst).waitFor()
  expect(await confirm.isDisabled()).toBe(true)
  await card(0).getByText('What will be sent', { exact: true }).click()
  await confirm.click()
  await card(1).getByText('notes.txt is edited').first().waitFor()
  expect(readFileSync(path, 'utf8')).toBe('one\nTWO\nthree\n')
  expect(await personLines.last().textContent()).toContain('Apply: call call_tool_destructive(name="files:edit_file"')
  expect(complaints).toEqual([])
  await page.context().close()
})
