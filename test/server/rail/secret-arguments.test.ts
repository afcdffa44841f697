// What is said of a wrong argument is read, forwarded and logged where the call itself is not: a secret is not repeated.
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { WriteContract } from '../../../server/tools/contract.ts'
import { writeTool } from '../../kit/tools.ts'
import { createStage, notePreview } from './rail-fixture.ts'

const secret = 'hunter2-Hunter2-9931'

const taking = (input: z.ZodType, more: Pick<WriteContract, 'secrets'> = {}) =>
  writeTool({
    name: 'things.keep',
    failures: { nope: { effect: 'none', guidance: 'Do not.' } },
    input,
    output: z.strictObject({ ok: z.boolean() }),
    preview: () => notePreview({ text: 'a thing', times: 1 }),
    run: () => ({ ok: true }),
    ...more,
  })

const names =
  'password passwd passphrase pin_code secret client_secret api_key apiKey token access_token refreshToken authorization credentials private_key session_id kennwort'.split(
    ' ',
  )

test.each(names)(
  'a wrong value of %s is not repeated: where it is, within another, and where nobody takes it',
  async (name) => {
    const stage = await createStage([
      taking(z.strictObject({ [name]: z.int().optional(), login: z.strictObject({ [name]: z.int() }).optional() })),
    ])
    for (const [args, pointer] of [
      [{ [name]: secret }, `/${name}`],
      [{ login: { [name]: secret } }, `/login/${name}`],
      [{ [name]: { value: secret } }, `/${name}`],
      [{ login: { [name]: 1, again: { [name]: secret } } }, '/login/again'],
    ] as const) {
      const answer = await stage.ask('things_keep', args)
      expect(answer.guidance?.field_errors).toMatchObject([{ pointer }])
      expect(JSON.stringify(answer)).not.toContain(secret)
    }
  },
)

test.each([['/key'], ['/*'], ['/key/value']])('nor is one that its contract calls secret by %s', async (mark) => {
  const input = z.strictObject({ key: z.strictObject({ value: z.int() }) })
  const stage = await createStage([taking(input, { secrets: { arguments: [mark] } })])
  const answer = await stage.ask('things_keep', { key: { value: secret } })
  expect(answer.guidance?.field_errors).toMatchObject([{ pointer: '/key/value', received: '[redacted]' }])
  expect(JSON.stringify(answer)).not.toContain(secret)
})

test('what is no secret is said as it came', async () => {
  const stage = await createStage([taking(z.strictObject({ name: z.int(), list: z.array(z.int()).optional() }))])
  const answer = await stage.ask('things_keep', { name: 'Ada', list: [null] })
  expect(answer.guidance?.field_errors).toMatchObject([
    { pointer: '/name', received: 'Ada' },
    { pointer: '/list/0', received: null },
  ])
})

test('of a confirmed secret that came back otherwise neither value is repeated, and nobody is told to send a mark', async () => {
  const stage = await createStage([taking(z.strictObject({ password: z.string() }))])
  const other = `${secret}-other`
  const preview = await stage.ask('things_keep', { password: secret })
  const { outcome, guidance } = await stage.ask('things_keep', {
    password: other,
    ticket: preview.planId,
    preview: false,
  })
  expect(outcome).toBe('mismatch')
  expect(guidance?.field_errors).toMatchObject([{ pointer: '/password', received: '[redacted]' }])
  expect(JSON.stringify(guidance)).not.toContain(secret)
  expect(guidance?.fix).toMatchObject([{ kind: 'edit_arguments', pointer: '/password' }])
  expect(guidance?.fix[0]).not.toHaveProperty('to')
})
