// What can be known of the container file by reading it. That it can be built, and what is built, is asked in full runs.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { after, copied, lines, read, root, taken } from './dockerfile.ts'

describe('the container file', () => {
  test('copies what is there, and the ignore file lets it', () => {
    expect(copied.length).toBeGreaterThan(8)
    const allowed = new Set(
      read('.dockerignore')
        .split('\n')
        .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : [])),
    )
    for (const source of copied) {
      expect([source, existsSync(join(root, source))]).toStrictEqual([source, true])
      expect([source, allowed.has(source)]).toStrictEqual([source, true])
    }
    expect([...allowed].filter((name) => !copied.includes(name))).toStrictEqual([])
    // What the settings of the build import.
    for (const [, file] of read('vite.config.ts').matchAll(/ from '\.\/([^']+)'/g)) expect(copied).toContain(file)
    expect(copied).toContain('rolldown.config.ts')
  })

  test('takes over what was copied or made, and nothing else', () => {
    const made = ['node_modules', 'dist']
    const isThere = (source: string): boolean =>
      made.includes(source) || copied.some((one) => one === source || one.startsWith(`${source}/`))
    expect(taken.length).toBeGreaterThan(5)
    expect(taken.filter((source) => !isThere(source))).toStrictEqual([])
    expect(made.filter((one) => !taken.includes(one))).toStrictEqual([])
  })

  test('is built and runs on a Node that the package asks for, in its newest version', () => {
    const { engines } = JSON.parse(read('package.json')) as { readonly engines: { readonly node: string } }
    const [, oldest = ''] = /^>=(\d+)\.\d+$/.exec(engines.node) ?? []
    const bases = after('FROM').map((from) => /^node:(\d+)-slim(?: AS \w+)?$/.exec(from)?.[1])
    expect(bases).toHaveLength(2)
    expect(new Set(bases).size).toBe(1)
    expect(Number(bases[0])).toBeGreaterThanOrEqual(Number(oldest))
  })

  test('runs as somebody who is not root, and holds no secret', () => {
    expect(after('USER')).toStrictEqual(['node'])
    expect(lines.indexOf('USER node')).toBeLessThan(lines.findIndex((line) => line.startsWith('ENTRYPOINT')))
    expect(lines.filter((line) => /^(?:ENV|ARG)\b.*(?:SECRET|TOKEN|PASSWORD)/i.test(line))).toStrictEqual([])
  })
})
