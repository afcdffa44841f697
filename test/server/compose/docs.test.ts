// What an error names can be read, and costs an agent one section: every address that this server gives out is answered here.
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anchorsOf, blocksOf, docFiles, packageDocs } from '../../../server/compose/docs.ts'
import { templates } from '../../../server/errors/explain/classes.ts'
import type { RefusalReason } from '../../../server/errors/failure.ts'
import { programDocs, upstreamDocs } from '../../../server/errors/related-docs.ts'
import { guidanceFor } from '../../../server/errors/table.ts'
import { upstreamFailures } from '../../../server/gateway/upstream/connection/upstream-call.ts'
import { hostEndings } from '../../../server/sandbox/outcome/rules/host.ts'
import { allRules } from '../../../server/sandbox/outcome/rules/rules.ts'
import { each } from '../errors/each-failure.ts'

const read = async (address: string): Promise<string> => {
  const found = await packageDocs.read(address)
  if (!found.ok) throw new Error(found.failure)
  return found.value
}
const failureAt = async (address: string): Promise<string> => {
  const found = await packageDocs.read(address)
  return found.ok ? '' : found.failure
}

const tool = 'orders_create'
const declared = (code: string) => guidanceFor({ ...each['tool-failed'], code }).related_docs
const refused = (reason: RefusalReason) => guidanceFor({ kind: 'plan-refused', tool, reason }).related_docs

describe('what an error names', () => {
  test.each(Object.values(each))('of $kind is one section that can be read', async (failure) => {
    const { related_docs: docs } = guidanceFor(failure)
    expect(docs).toHaveLength(1)
    expect(await read(docs[0] ?? '')).toMatch(/^### .+\n\n/)
  })

  test.each<[RefusalReason, RegExp]>([
    ['expired', /^### Expired/],
    ['malformed', /^### Unknown ticket/],
    ['rejected', /^### Cancelled or rejected/],
    ['revoked', /^### Frozen/],
  ])('of a confirmation that is %s is about that', async (reason, heading) => {
    expect(await read(refused(reason)[0] ?? '')).toMatch(heading)
  })

  test('of a missing rationale is about the rationale, under whatever name the tool has it', async () => {
    for (const pointer of ['/rationale', '/countersign_rationale']) {
      const fields = [{ pointer, allowed: 'one sentence' }]
      const { related_docs: docs } = guidanceFor({ kind: 'invalid-arguments', tool, fields })
      expect(await read(docs[0] ?? '')).toMatch(/^### Rationale/)
    }
  })

  test.each(Object.keys(upstreamFailures(false)))('of %s is more than that a tool says no', async (code) => {
    const docs = declared(code)
    expect(docs).not.toStrictEqual(declared('out_of_stock'))
    expect(await read(docs[0] ?? '')).toContain(code)
  })

  test('of every type of error in a program can be read, and the section or its family knows the type', async () => {
    const types = [...allRules.map(({ type }) => type), ...Object.values(hostEndings).map(({ type }) => type)]
    const sections = new Map(
      await Promise.all(types.map(async (type) => [type, await read(programDocs(type)[0] ?? '')] as const)),
    )
    expect(sections.size).toBeGreaterThan(100)
    for (const [type, section] of sections)
      expect([type, section]).toStrictEqual([type, expect.stringMatching(/^### /)])
  })

  test.each([...Object.keys(templates), 'upstream.unexplained'])('of a server behind can be read: %s', async (type) => {
    expect(await read(upstreamDocs(type)[0] ?? '')).toMatch(/^### .+\n\n/)
  })

  test.each([
    ['upstream_rate_limited', 'Rate limit'],
    ['upstream_not_signed_in', 'Not logged in there'],
    ['nobody_knows', 'The server says that it failed'],
  ])('of a server behind that fails by %s is the section "%s"', async (type, heading) => {
    expect(await read(upstreamDocs(type)[0] ?? '')).toMatch(new RegExp(`^### ${heading}\n`))
  })
})

describe('a page of documentation', () => {
  test('is there for every guide, and has no page without a file', () => {
    const named = (folder: string): string[] => globSync(`docs/${folder}/*.md`).map((file) => basename(file, '.md'))
    const recipes = named('recipes').map((name) => `recipe-${name}`)
    expect([...packageDocs.pages].toSorted()).toStrictEqual([...named('guides'), ...recipes, 'glossary'].toSorted())
  })

  test('is answered whole without a section, and each of its sections alone', async () => {
    for (const page of packageDocs.pages) {
      const whole = await read(`countersign://docs/${page}`)
      const anchors = anchorsOf(await blocksOf(whole))
      expect([page, anchors.length > (page.startsWith('recipe-') ? 0 : 1)]).toStrictEqual([page, true])
      for (const { anchor } of anchors.slice(1)) {
        const section = await read(`countersign://docs/${page}#${anchor}`)
        expect([page, anchor, whole.includes(section.trim()), section.length < whole.length]).toStrictEqual([
          page,
          anchor,
          true,
          true,
        ])
        expect(await read(`countersign://docs/${page}%23${anchor}`)).toBe(section)
      }
    }
  })

  test('has a section with all that stands below it, up to the next of its kind', async () => {
    const confirmation = await read('countersign://docs/errors#confirmation')
    expect(confirmation).toContain('### Stronger proof')
    expect(confirmation).not.toContain('## What a run left behind')
    expect(confirmation).not.toContain('## Before a call runs')
  })

  test('has only links that lead somewhere from there', async () => {
    for (const page of packageDocs.pages) {
      const whole = await read(`countersign://docs/${page}`)
      const prose = whole.replaceAll(/^```[\s\S]*?^```/gm, '')
      const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to)
      for (const to of targets) {
        expect([page, to]).toStrictEqual([page, expect.stringMatching(/^(?:https?:|countersign:\/\/docs\/)/)])
        if (to.startsWith('countersign:')) expect(await failureAt(to)).toBe('')
      }
    }
    expect(await read('countersign://docs/wire#resources')).toContain('countersign://contracts/')
  })

  test('that is not there is answered with the nearest name and with all names', async () => {
    expect(await failureAt('countersign://docs/error')).toMatch(/Did you mean errors\? There are: errors, glossary, /)
    expect(await failureAt('countersign://docs/errors#stale-state')).toMatch(
      /no section of the page errors.* There are: /,
    )
    expect(await failureAt('countersign://docs/errors#frozn')).toContain('Did you mean frozen?')
  })

  test('answers any address with a text or with a reason, and never with a file of somewhere else', async () => {
    const rest = fc.oneof(
      fc.string(),
      fc.constantFrom('../../package.json', '..%2F..%2Fpackage.json', '__proto__', '%', '#'),
    )
    await fc.assert(
      fc.asyncProperty(rest, async (name) => {
        const found = await packageDocs.read(`countersign://docs/${name}`)
        if (found.ok) expect(packageDocs.pages).toContain(decodeURIComponent(name).split('#')[0])
        else expect(found.failure.length).toBeLessThan(6000)
      }),
    )
  })
})

describe('anchors', () => {
  test.each([
    ['## 4. What a result carries', ['4-what-a-result-carries']],
    ['## `when` and [links](x.md), *too*', ['when-and-links-too']],
    ['## Größe & Maß', ['größe--maß']],
    ['## Same\n\n## Same\n\ntext\n\n## Same', ['same', 'same-1', 'same-2']],
    ['```sh\n# a comment\n```\n\n## A heading', ['a-heading']],
  ])('of %j are those that GitHub gives', async (text, anchors) => {
    expect(anchorsOf(await blocksOf(text)).map(({ anchor }) => anchor)).toStrictEqual(anchors)
  })
})

test('of the page of errors a section has three to eight lines', () => {
  const sections = readFileSync(docFiles.errors, 'utf8').split(/^### /m).slice(1)
  expect(sections.length).toBeGreaterThan(40)
  for (const section of sections) {
    const [heading, ...lines] = section.split(/\n## /)[0]?.split('\n') ?? []
    expect([heading, lines.join(' ').length < 900]).toStrictEqual([heading, true])
  }
})
