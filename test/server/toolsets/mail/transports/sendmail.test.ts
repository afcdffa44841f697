// Mail by a program of this machine: a script of the test, which is run as sendmail is and keeps what it was given.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { place } from '../../../store/store-fixture.ts'
import { failed, openDesk, sent } from '../mail-fixture.ts'

/** A program that keeps its arguments and its input, and then does this. */
async function sendmail(then = 'exit 0') {
  const folder = place()
  const path = join(folder, 'send mail')
  const script = [
    '#!/bin/sh',
    `n=$(ls '${folder}' | wc -l)`,
    `for each in "$@"; do echo "$each"; done > '${folder}'/$n.args`,
    `cat > '${folder}'/$n.mail`,
    then,
  ]
  await writeFile(path, `${script.join('\n')}\n`, { mode: 0o755 })
  const kept = async (what: 'args' | 'mail') => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(`.${what}`)).toSorted()
    return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  }
  return { url: `sendmail://${encodeURI(path)}`, kept }
}

const three = ['bea@other.example', 'cy@other.example', 'dan@third.example']

test('the program gets each recipient as an argument of its own, and the mail as its input', async () => {
  const program = await sendmail()
  const desk = await openDesk({ url: program.url })
  const answer = sent(
    await desk.send({ to: three.slice(0, 2), bcc: three.slice(2), subject: 'Ängebot', body: 'Hello.\n\n.\n\nBye.' }),
  )
  expect(answer.status).toBe('sent')
  expect(answer.recipients.map(({ state }) => state)).toStrictEqual(['accepted', 'accepted', 'accepted'])
  expect(await program.kept('args')).toStrictEqual(three.map((to) => `-i\n-f\nhello@acme.example\n${to}\n`))
  for (const raw of await program.kept('mail')) {
    expect(raw).not.toContain('\r')
    expect(raw).not.toContain(three[2])
    const { messageId, subject, to, text } = await PostalMime.parse(raw)
    expect({ messageId, subject, to: to?.map(({ address }) => address) }).toStrictEqual({
      messageId: answer.messageId,
      subject: 'Ängebot',
      to: three.slice(0, 2),
    })
    expect(text).toContain('Bye.')
  }
})

test('what a shell or the program would obey is an argument or goes nowhere', async () => {
  const program = await sendmail()
  const desk = await openDesk({ url: program.url })
  const odd = ['`touch-x`$id@other.example', '"a b; c"@other.example', "o'bea@other.example"]
  const obeyed = [
    '-OQueueDirectory=/tmp@other.example',
    '"-b s"@other.example',
    '"|cat"@other.example',
    '" |cat"@other.example',
    String.raw`"\\|cat"@other.example`,
    '/etc/x@other.example',
  ]
  for (const address of odd) await desk.send({ to: [address] })
  expect((await program.kept('args')).map((args) => args.split('\n').at(-2))).toStrictEqual(odd)
  const { recipients } = sent(await desk.send({ to: obeyed }))
  expect(recipients.map(({ state }) => state)).toStrictEqual(obeyed.map(() => 'refused'))
  expect(await program.kept('args')).toHaveLength(odd.length)
  expect(failed(await desk.send({ to: ['bea@other.example\n-X/tmp/log'] })).code).toBe('invalid_recipient')
  await expect(desk.send({ subject: 'Offer\nBcc: eve@evil.example' })).rejects.toThrow('control characters')
})

test('each recipient has the answer of its own run, in the words of the program', async () => {
  const program = await sendmail('case "$4" in cy*) echo "no such user here" >&2; exit 67;; dan*) exit 75;; esac')
  const desk = await openDesk({ url: program.url })
  expect(failed(await desk.send({ to: three }, 'pl_three')).code).toBe('delivery_unknown')
  const rows = await desk.db.selectFrom('mail_recipients').select(['state', 'response']).orderBy('position').execute()
  expect(rows).toMatchObject([
    { state: 'accepted', response: 'Taken by sendmail' },
    { state: 'refused', response: 'It ended with 67 (user unknown): no such user here' },
    // sendmail says by this number that it is queued, others that it is not.
    { state: 'unknown', response: 'It ended with 75' },
  ])
})

test.each([
  ['exit 65', 'refused', 'It ended with 65 (wrong data)'],
  ['exit 1', 'unknown', 'It ended with 1'],
  ['kill -9 $$', 'unknown', 'It was ended by SIGKILL'],
])('a program that ends with `%s` leaves a mail that is %s', async (then, state, response) => {
  const desk = await openDesk({ url: (await sendmail(then)).url })
  await desk.send()
  const rows = await desk.db.selectFrom('mail_recipients').select(['state', 'response']).execute()
  expect(rows).toMatchObject([{ state, response }])
})

test('one that ends well before it has read the whole mail may have sent something', async () => {
  const folder = place()
  await writeFile(join(folder, 'deaf'), '#!/bin/sh\nexec <&-\nexit 0\n', { mode: 0o755 })
  const desk = await openDesk({ url: `sendmail://${folder}/deaf` })
  desk.files.put('f1', 'large.bin', 'application/octet-stream', Buffer.alloc(3_000_000))
  expect(failed(await desk.send({ attachments: ['f1'] })).message).toContain('before it had read the whole mail')
})

test('one that is not there is asked again later', async () => {
  const desk = await openDesk({ url: 'sendmail:///nowhere/sendmail' })
  expect(sent(await desk.send()).recipients).toMatchObject([
    { state: 'deferred', response: 'The mail server cannot be reached.' },
  ])
  expect(String(desk.told)).toContain('ENOENT')
})

test('one that hangs is ended with the server, and the mail is unknown', async () => {
  const program = await sendmail('exec sleep 600')
  const desk = await openDesk({ url: program.url })
  const sending = desk.send()
  await expect.poll(() => program.kept('mail'), { timeout: 10_000 }).toMatchObject([expect.stringContaining('Bea')])
  await desk.set.close()
  expect(failed(await sending).message).toContain('It was ended by SIGKILL')
})
