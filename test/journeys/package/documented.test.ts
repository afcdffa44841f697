// What a page of the reference does not have, nobody finds. Its pages are made of the program itself, so what is asked here is
// that the program says something of each of its parts, and that the pages have all of them.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Command } from 'commander'
import { commandsPage, settingRows, settingsPage } from '../../../docs/.vitepress/reference.ts'
import { docstringsOf } from '../../../docs/.vitepress/undocumented.ts'
import { everyCommand } from '../../../server/cli/main.ts'
import { configJsonSchema } from '../../../server/compose/settings/config-schema-json.ts'
import { variables } from '../../../server/config/variables.ts'
import { root } from './installed.ts'

test('every function, type and option of the package has a docstring', () => {
  const { all, missing } = docstringsOf(join(root, 'dist', 'types'))
  expect(missing).toStrictEqual([])
  expect(all.length).toBeGreaterThan(700)
  expect(all).toEqual(
    expect.arrayContaining(['CountersignOptions.tools', 'defineWrite', 'WriteContract.run', 'connect']),
  )
})

describe('the page of commands', () => {
  const inner = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(inner)]

  test('has each command, argument and option, and each says what it is for', async () => {
    const page = await commandsPage()
    const [, ...commands] = inner(await everyCommand())
    expect(commands.length).toBeGreaterThan(40)
    for (const command of commands) {
      expect([command.name(), command.description()]).toStrictEqual([command.name(), expect.stringMatching(/\w/)])
      expect(page).toMatch(new RegExp(`^#+ countersign (?:[\\w-]+ )*${command.name()}$`, 'm'))
      for (const { flags, description, hidden } of command.options.filter((option) => !option.hidden)) {
        expect([flags, hidden, description]).toStrictEqual([flags, false, expect.stringMatching(/\w/)])
        expect(page).toContain(`| \`${flags.replaceAll('|', '\\|')}\` |`)
      }
    }
  })
})

describe('the page of settings', () => {
  test('has each key of the settings file and each variable', () => {
    const page = settingsPage()
    const rows = settingRows(configJsonSchema())
    expect(rows.length).toBeGreaterThan(150)
    for (const [path] of rows) expect(page).toContain(`| \`${path}\` |`)
    for (const name of Object.keys(variables)) expect(page).toContain(`\`${name}\``)
  })
})
