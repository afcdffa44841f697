// What an author's compiler says of a contract is part of the product: a write tool without preview must not compile,
// and whoever writes `run` must not have to write its types. So the compiler is run, on texts as an author writes them.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const head = `
import { z } from 'zod'
import { defineTool } from '${resolve('server/tools/define-tool.ts')}'
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
export const sure = <T extends true>(): T | undefined => undefined
export type { Equal }
`

const common = `
  name: 'orders.create',
  title: 'Create order',
  description: 'Creates an order.',
  risk: 'medium',
  input: z.strictObject({ customer: z.string(), quantity: z.number().default(1) }),
  output: z.strictObject({ id: z.string() }),
  failures: { out_of_stock: { effect: 'none', guidance: 'Wait.' } },
`

const rail = `
  operation: 'write',
  noun: 'the sales order',
  idempotency: 'plan',
  sideEffects: [{ what: 'One more order.', onRepeat: 'Another one.' }],
`

const preview = `preview: () => ({ title: 'Create order', summary: 'One order.', confirmLabel: 'Create order' }),`
const run = `run: () => ({ id: 'SO-1' }),`

const tool = (...parts: readonly string[]): string => `export const tool = defineTool({${parts.join('')}})`

/** Texts by name, and what the compiler must say of each; `undefined`: nothing. */
const fixtures: Readonly<Record<string, { readonly text: string; readonly says?: RegExp }>> = {
  'a complete write tool': { text: tool(common, rail, preview, run) },
  'a complete destructive tool': { text: tool(common, rail.replace("'write'", "'destructive'"), preview, run) },
  'a complete read tool': { text: tool(common, `operation: 'read',`, run) },
  'a write tool without preview': { text: tool(common, rail, run), says: /preview/ },
  'a destructive tool without preview': {
    text: tool(common, rail.replace("'write'", "'destructive'"), run),
    says: /preview/,
  },
  'a tool without run': { text: tool(common, rail, preview), says: /run/ },
  'a write tool without side effects': {
    text: tool(common, rail.replace(/ {2}sideEffects.*\n/, ''), preview, run),
    says: /sideEffects/,
  },
  'a write tool without noun': { text: tool(common, rail.replace(/ {2}noun.*\n/, ''), preview, run), says: /noun/ },
  'a write tool that does not say what a repeat does': {
    text: tool(common, rail.replace(/ {2}idempotency.*\n/, ''), preview, run),
    says: /idempotency/,
  },
  'a tool without failures': {
    text: tool(common.replace(/ {2}failures.*\n/, ''), rail, preview, run),
    says: /failures/,
  },
  'a failure without effect': {
    text: tool(common.replace("effect: 'none', ", ''), rail, preview, run),
    says: /effect/,
  },
  'an operation that is none': {
    text: tool(common, rail.replace("'write'", "'update'"), preview, run),
    says: /update/,
  },
  'a risk that is none': { text: tool(common.replace("'medium'", "'harmless'"), rail, preview, run), says: /harmless/ },
  'a result that is not the output': { text: tool(common, rail, preview, `run: () => ({ id: 7 }),`), says: /number/ },
  'a field that is not in the input': {
    text: tool(common, rail, preview, `run: (input) => ({ id: input.custmer }),`),
    says: /custmer/,
  },
  'a failure code that is not declared': {
    text: tool(common, rail, preview, `run: (_input, ctx) => ctx.fail('no_money', 'x'),`),
    says: /no_money/,
  },
  'a declared failure code, and stale': {
    text: tool(
      common,
      rail,
      preview,
      `run: (_input, ctx) => ctx.basis === 'v1' ? ctx.stale() : ctx.fail('out_of_stock', 'None left.'),`,
    ),
  },
  'a preview that cannot say stale': {
    text: tool(common, rail, `preview: (_input, ctx) => ctx.stale(),`, run),
    says: /stale/,
  },
  'a preview without the label of its button': {
    text: tool(common, rail, `preview: () => ({ title: 'x', summary: 'x' }),`, run),
    says: /confirmLabel/,
  },
  'input and output that nobody wrote down are inferred': {
    text: `
      ${tool(
        common,
        rail,
        preview,
        `
        run: (input, ctx) => {
          sure<Equal<typeof input, { customer: string; quantity: number }>>()
          sure<Equal<typeof ctx.idempotencyKey, string>>()
          return { id: input.customer }
        },
        undo: (input, output) => {
          sure<Equal<typeof output, { id: string }>>()
          return { tool: 'orders_delete', arguments: { id: output.id, by: input.quantity }, label: 'Delete' }
        },
        reconcile: (input, { idempotencyKey }) => ({ kind: 'applied', result: { id: idempotencyKey + input.customer } }),
        risk: { atMost: 'medium', of: (input) => (input.quantity > 9 ? 'medium' : 'low') },
      `,
      ).replace("risk: 'medium',\n", '')}
    `,
  },
  'a wrong guess about the input is not believed': {
    text: tool(
      common,
      rail,
      preview,
      `run: (input) => { sure<Equal<typeof input, { customer: number }>>(); return { id: '' } },`,
    ),
    says: /does not satisfy the constraint/,
  },
  'a reconcile that answers another output': {
    text: tool(common, rail, preview, run, `reconcile: () => ({ kind: 'applied', result: { no: 1 } }),`),
    says: /no|id/,
  },
  'what it declares is a write with its preview, or a read without one': {
    text: `
      const write = defineTool({${common}${rail}${preview}${run}})
      const read = defineTool({${common}operation: 'read', ${run}})
      export const asked = [write.preview, write.noun, read.operation satisfies 'read']
      export const sureOf = sure<Equal<'preview' extends keyof typeof read ? true : false, false>>
    `,
  },
  'tools of different kinds in one list': {
    text: `
      import type { Contract } from '${resolve('server/tools/contract.ts')}'
      const one = defineTool({${common}${rail}${preview}${run}})
      const two = defineTool({${common}operation: 'read', ${run}})
      export const tools: readonly Contract[] = [one, two]
    `,
  },
}

const names = Object.keys(fixtures)
const fileOf = (name: string): string => `fixture-${names.indexOf(name)}.ts`

let said: ReadonlyMap<string, string> = new Map()
let place = ''

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'countersign-types-'))
  symlinkSync(resolve('node_modules'), join(place, 'node_modules'))
  for (const [name, { text }] of Object.entries(fixtures))
    writeFileSync(join(place, fileOf(name)), `${head}\n${text}\n`)
  // The texts are written as a test writes them; whether each import is used is no question here.
  const compilerOptions = {
    noUnusedLocals: false,
    noUnusedParameters: false,
    typeRoots: [resolve('node_modules/@types')],
  }
  writeFileSync(join(place, 'package.json'), '{"type":"module"}')
  writeFileSync(
    join(place, 'tsconfig.json'),
    JSON.stringify({ extends: resolve('tsconfig.json'), compilerOptions, include: ['*.ts'] }),
  )
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [resolve('node_modules/typescript/bin/tsc'), '-p', place, '--pretty', 'false', '--singleThreaded'],
    {
      encoding: 'utf8',
      cwd: place,
    },
  )
  const byFile = new Map<string, string>()
  let file = ''
  for (const line of `${stdout}\n${stderr}`.split('\n')) {
    file =
      /^(?:.*\/)?(fixture-\d+\.ts)\(/.exec(line)?.[1] ?? (line.startsWith(' ') ? file : line === '' ? '' : 'elsewhere')
    if (file !== '') byFile.set(file, `${byFile.get(file) ?? ''}${line}\n`)
  }
  said = byFile
})

afterAll(() => rmSync(place, { recursive: true, force: true }))

describe('the compiler', () => {
  test('has nothing to say but about the fixtures', () => {
    expect(said.get('elsewhere')).toBeUndefined()
  })

  test.each(names.filter((name) => fixtures[name]?.says === undefined))('accepts %s', (name) => {
    expect(said.get(fileOf(name))).toBeUndefined()
  })

  test.each(names.filter((name) => fixtures[name]?.says !== undefined))('refuses %s', (name) => {
    expect(said.get(fileOf(name)) ?? 'accepted').toMatch(fixtures[name]?.says ?? /never/)
  })
})
