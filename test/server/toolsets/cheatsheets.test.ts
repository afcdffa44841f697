// What agents are told to read before they write: whatever it names is there, and its calls are calls that the tools take.
import { describe, expect, test } from 'vitest'
import { demoOptions } from '../../../server/compose/demo-options.ts'
import { parseMessage } from '../../../server/confirm/message.ts'
import { composed } from '../../kit/composed.ts'
import { issuesWith } from '../../kit/schemas.ts'

/** A text in marks of code. */
const codeIn = (text: string): readonly string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? '')

describe.each([
  ['orders', ['orders']],
  ['mail', ['files', 'mail']],
] as const)('on the desk %s', (desk, names) => {
  const open = async () => {
    const { cheatsheets, parts } = await composed({ ...demoOptions(desk), file: ':memory:' })
    return { cheatsheets, catalog: parts.engine.catalog }
  }

  test('every tool that names a cheatsheet names one that is served, and each is named', async () => {
    const { cheatsheets, catalog } = await open()
    const named = catalog.tools.flatMap(({ contract }) => contract.cheatsheet ?? [])
    expect([...new Set(named)].toSorted()).toStrictEqual(names)
    expect(cheatsheets.map(({ name }) => name).toSorted()).toStrictEqual(names)
  })

  test('every call of a cheatsheet names a tool and has arguments that it takes', async () => {
    const { cheatsheets, catalog } = await open()
    for (const { name, text } of cheatsheets) {
      const calls = codeIn(text).filter((code) => /^[a-z_]+\(.*\)$/.test(code))
      expect(calls.length, name).toBeGreaterThan(2)
      for (const call of calls) {
        const parsed = parseMessage(`Preview: call ${call}`)
        if (!parsed.ok || parsed.value.kind === 'cancel') throw new Error(`${call}: ${JSON.stringify(parsed)}`)
        const tool = catalog.find(parsed.value.tool)
        const { rationale: _, ...input } = parsed.value.args
        expect([call, tool && issuesWith(tool.contract.input, input)]).toStrictEqual([call, []])
      }
    }
  })

  test('every tool and every code of a failure that a cheatsheet names exists', async () => {
    const { cheatsheets, catalog } = await open()
    const prefixes = new Set(catalog.tools.map(({ wireName }) => wireName.split('_')[0]))
    const codes = new Set(catalog.tools.flatMap(({ contract }) => Object.keys(contract.failures)))
    for (const { name, text } of cheatsheets) {
      const [, failures = ''] = text.split('## When it fails')
      const rows = failures.split('\n').flatMap((line) => codeIn(line.split('|')[1] ?? ''))
      expect(rows.length, name).toBeGreaterThan(5)
      expect(rows.filter((code) => !codes.has(code))).toStrictEqual([])
      const tools = codeIn(text).filter((code) => /^[a-z]+_[a-z_]+$/.test(code) && prefixes.has(code.split('_')[0]))
      expect(tools.filter((tool) => catalog.find(tool) === undefined && !codes.has(tool))).toStrictEqual([])
    }
  })
})
