// The sandbox as an agent meets it: through the engine, with real runtimes.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../../server/rail/answers/outcome.ts'
import type { CodeEdit } from '../../../../server/errors/guidance.ts'
import { binaries } from '../../../../server/sandbox/runtimes/binaries.ts'
import { meterWasm } from '../../../../server/sandbox/wasm/meter.ts'
import { pngFile } from '../../../kit/contents.ts'
import { place } from '../../store/store-fixture.ts'
import { openLab, openServer, ran } from './lab.ts'

const edited = (code: string, { line, before, after }: CodeEdit): string => {
  const lines = code.split('\n')
  const from = lines.slice(0, line - 1).join('\n').length
  const at = code.indexOf(before, Math.max(0, from))
  return `${code.slice(0, at)}${after}${code.slice(at + before.length)}`
}

interface Listed {
  readonly files: readonly { readonly path: string }[]
  readonly omitted?: number
}

describe.each([
  { language: 'python', wrong: 'total = 3\nprint(totl)\n', prints: '3\n' },
  { language: 'javascript', wrong: 'const total = 3\nconsole.log(totl)\n', prints: '3\n' },
])('a program in $language', ({ language, wrong, prints }) => {
  test('that fails is answered with an edit of it, and runs once that is made', async () => {
    const ask = await openLab()
    const failed = ran(await ask('execute_code', { language, code: wrong }))
    expect(failed).toMatchObject({ success: false, metadata: { error_guidance: { error_type: expect.any(String) } } })
    const [edit] = failed.metadata.error_guidance?.edits ?? []
    if (edit === undefined) throw new Error('no edit was offered')
    const answer = await ask('execute_code', { language, code: edited(wrong, edit) })
    const mended = ran(answer)
    expect(mended).toMatchObject({ success: true, exit_code: 0, stdout: prints, stderr: '' })
    expect(mended.metadata).not.toHaveProperty('error_guidance')
    expect(answer.card?.blocks).toContainEqual({ kind: 'code', label: 'Output', text: prints.trimEnd() })
  })
})

test('the analysis tells the same fuel each time', async () => {
  const ask = await openLab()
  const [first, again] = [0, 1].map(() => ask('execute_code', { language: 'javascript', code: 'nothing.here' }))
  const { consumed = 0 } = ran((await first) as Answer).metadata.fuel_analysis ?? {}
  expect(consumed).toBeGreaterThan(0)
  expect(ran((await again) as Answer).metadata.fuel_analysis?.consumed).toBe(consumed)
})

test('what fuel is a matter of is named: the model, and the digests of binary and metered binary', async () => {
  const ask = await openLab()
  const { runtimes } = (await ask('list_runtimes', {})).result as {
    readonly runtimes: readonly { readonly language: 'python' | 'javascript'; readonly fuel_model: string }[]
  }
  const require = createRequire(import.meta.url)
  const digests = (['python', 'javascript'] as const).map((language) => {
    const { file, metered: of } = binaries[language]
    const { memoryPages, exportsTable } = of
    const binary = new Uint8Array(readFileSync(require.resolve(file)))
    const metered = meterWasm(binary, {
      ...(memoryPages === undefined ? {} : { memoryMaxPages: memoryPages }),
      exportsTable: exportsTable === true,
    })
    if (!metered.ok) throw new Error(metered.failure.message)
    const { inputDigest, outputDigest, fuelModel } = metered.value
    return { language, fuel_model: fuelModel, fuel_digests: { binary: inputDigest, metered: outputDigest } }
  })
  expect(runtimes).toMatchObject(digests)
})

test('a session keeps variables for who began it, and does not exist for anybody else', async () => {
  const ask = await openLab()
  const begun = (await ask('create_session', { language: 'python' })).result as { session_id: string }
  const more = { language: 'python', session_id: begun.session_id }
  ran(await ask('execute_code', { ...more, code: 'x = 20\nopen("n.txt", "w").write(str(x))' }))
  expect(ran(await ask('execute_code', { ...more, code: 'print(x + 1)' })).stdout).toBe('21\n')
  expect((await ask('get_workspace_info', { session_id: begun.session_id })).result).toEqual({
    files: [{ path: 'n.txt', bytes: 2 }],
  })
  const theirs = await ask('execute_code', { ...more, code: 'print(x)' }, 'eve')
  const unknown = await ask('execute_code', { ...more, session_id: 'none', code: 'print(x)' }, 'eve')
  expect(theirs.outcome).toBe('failed')
  expect(theirs.text.replaceAll(begun.session_id, 'none')).toBe(unknown.text)
  expect((await ask('list_sessions', {}, 'eve')).result).toEqual({ sessions: [] })
})

test('a program whose call is cancelled before its turn has not run', async () => {
  const ask = await openLab()
  const begun = (await ask('create_session', { language: 'javascript' })).result as { session_id: string }
  const more = { language: 'javascript', session_id: begun.session_id }
  const before = ask('execute_code', { ...more, code: 'for (;;);', budget: 100_000_000 })
  const cancelled = await ask('execute_code', { ...more, code: 'print(1)' }, undefined, AbortSignal.abort())
  await before
  expect([cancelled.outcome, cancelled.text]).toEqual(['failed', expect.stringContaining('Nothing of it has run.')])
})

test('an answer names two hundred files and says how many more there are, which are asked for by the last path', async () => {
  const ask = await openLab()
  const begun = (await ask('create_session', { language: 'javascript' })).result as { session_id: string }
  const code = 'for (let n = 100; n < 350; n++) writeFile(`f${n}`, "")'
  const made = ran(await ask('execute_code', { session_id: begun.session_id, language: 'javascript', code }))
  expect(made.files_changed).toHaveLength(200)
  expect(made.truncated).toEqual({ stdout_bytes: 0, stderr_bytes: 0, files_changed: 50 })
  const listed = async (after?: string) =>
    (await ask('get_workspace_info', { session_id: begun.session_id, after })).result as Listed
  const [first, rest] = [await listed(), await listed('f299')]
  expect([first.files.length, first.files.at(-1), first.omitted]).toEqual([200, { path: 'f299', bytes: 0 }, 50])
  expect([rest.files.length, rest.files[0], rest.omitted]).toEqual([50, { path: 'f300', bytes: 0 }, undefined])
  const reset = (await ask('reset_workspace', { session_id: begun.session_id })).result as {
    deleted: unknown[]
    omitted: number
  }
  expect([reset.deleted.length, reset.omitted]).toEqual([200, 50])
})

test('the card of a failed program says so, and in a session shows what each call used, twelve at most', async () => {
  const ask = await openLab()
  const begun = (await ask('create_session', { language: 'javascript' })).result as { session_id: string }
  const answers: Answer[] = []
  for (let call = 1; call <= 14; call++)
    answers.push(
      await ask('execute_code', {
        language: 'javascript',
        session_id: begun.session_id,
        code: call === 14 ? 'nothing.here' : `for (let n = 0; n < ${call * 200}; n++) n`,
        budget: 10_000_000,
      }),
    )
  const bars = answers.map(({ card }) => card?.blocks.filter(({ kind }) => kind === 'progress') ?? [])
  expect(bars.map(({ length }) => length)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 12])
  const last = ran(answers[13] as Answer)
  const calls = last.metadata.fuel_by_call ?? []
  expect(calls.map(({ call }) => call)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
  expect(bars[13]).toMatchObject(
    calls.map(({ call, consumed, budget }) => ({
      label: expect.stringMatching(new RegExp(`^Fuel of call ${call}\\b.* [\\d.]+ % of its budget`)),
      done: Math.min(consumed, budget),
      total: 10_000_000,
      marks: [50, 75, 90],
    })),
  )
  expect(answers[13]?.card).toMatchObject({ title: 'The program ran, and failed: exit code 1', state: 'failed' })
  expect(answers[12]).toMatchObject({ card: { state: 'applied' }, result: { ended: 'finished' } })
  expect(answers[13]?.text).toContain('Fuel of call 3: ')
})

test('a file leaves a workspace after a person has seen it, and only into the folder of the operator', async () => {
  const folder = join(place(), 'exports')
  const ask = await openLab({ export_folder: folder })
  const begun = (await ask('create_session', { language: 'javascript' })).result as { session_id: string }
  const more = { session_id: begun.session_id }
  ran(await ask('execute_code', { ...more, language: 'javascript', code: 'writeFile("out.csv", "a,b\\n1,2\\n")' }))
  const preview = await ask('export_workspace_file', { ...more, path: 'out.csv' })
  expect(preview.outcome).toBe('previewed')
  expect(JSON.stringify(preview.card?.blocks)).toContain('a,b\\n1,2')
  expect(existsSync(join(folder, 'out.csv'))).toBe(false)
  const applied = await ask('export_workspace_file', {
    ...more,
    path: 'out.csv',
    ticket: preview.card?.plan?.ticket,
    preview: false,
  })
  expect(applied.outcome, applied.text).toBe('applied')
  expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toBe('a,b\n1,2\n')

  // What is replaced is shown as what changes in it, and a file that moved meanwhile is stale.
  ran(await ask('execute_code', { ...more, language: 'javascript', code: 'writeFile("out.csv", "a,b\\n1,3\\n")' }))
  const second = await ask('export_workspace_file', { ...more, path: 'out.csv' })
  expect(second.card?.title).toBe('Replace out.csv')
  expect(JSON.stringify(second.card?.blocks)).toContain('-1,2\\n+1,3')
  ran(await ask('execute_code', { ...more, language: 'javascript', code: 'writeFile("out.csv", "other")' }))
  const moved = await ask('export_workspace_file', {
    ...more,
    path: 'out.csv',
    ticket: second.card?.plan?.ticket,
    preview: false,
  })
  expect(moved.outcome).toBe('stale')
  expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toBe('a,b\n1,2\n')
})

test('a file that is not text is shown by what it is, its size, its digest, its first bytes, and its picture', async () => {
  const ask = await openLab({ export_folder: join(place(), 'exports') })
  const begun = (await ask('create_session', { language: 'javascript' })).result as { session_id: string }
  const content = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100, 0xff)])
  const chart = pngFile(60, 40, (x, y) => (y > 40 - x / 2 ? [30, 80, 220] : [255, 255, 255]))
  const files = [
    { path: 'a.png', content: content.toString('base64'), encoding: 'base64' },
    { path: 'chart.png', content: chart.toString('base64'), encoding: 'base64' },
  ]
  ran(await ask('execute_code', { session_id: begun.session_id, language: 'javascript', code: '1', files }))
  const preview = await ask('export_workspace_file', { session_id: begun.session_id, path: 'a.png' })
  const shown = JSON.stringify(preview.card?.blocks)
  for (const fact of [
    'Not text; begins like a PNG picture',
    '108 bytes',
    createHash('sha256').update(content).digest('hex'),
    '89 50 4e 47 0d 0a 1a 0a ff ff ff ff ff ff ff ff',
    'Not shown: it is damaged',
  ])
    expect(shown).toContain(fact)
  const whole = await ask('export_workspace_file', { session_id: begun.session_id, path: 'chart.png' })
  expect(whole.card?.blocks.find(({ kind }) => kind === 'picture')).toMatchObject({
    label: 'Content · 60 × 40 pixels',
    width: 60,
    height: 40,
  })
})

test('without a folder of the operator nothing leaves, and what to do instead is said', async () => {
  const ask = await openLab()
  const begun = (await ask('create_session', { language: 'javascript' })).result as { session_id: string }
  const refused = await ask('export_workspace_file', { session_id: begun.session_id, path: 'x' })
  expect([refused.outcome, refused.text]).toEqual(['failed', expect.stringContaining('read_workspace_file')])
})

test('descriptions say when to use a session, and are one sentence each where operators want that', async () => {
  const described = async (descriptions: string) =>
    (await openServer({ descriptions })).engine.catalog.tools.flatMap(({ contract }) =>
      contract.category === 'sandbox' ? [contract.description] : [],
    )
  const [full, minimal] = [await described('full'), await described('minimal')]
  expect(full[0]).toMatch(/without `session_id`/)
  expect(minimal).toHaveLength(full.length)
  expect(minimal.filter((description) => !/^[^.]*\.$/.test(description))).toEqual([])
})

test('what operators switch off is in no answer', async () => {
  const ask = await openLab({}, { errors: false, budget: false })
  const failed = ran(await ask('execute_code', { language: 'javascript', code: 'nothing.here' }))
  expect(failed).toMatchObject({ success: false, metadata: {} })
  expect(Object.keys(failed.metadata)).toEqual([])
})
