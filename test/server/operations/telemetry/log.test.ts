// What stands on stderr while a server runs, read as a collector of logs would read it.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { showInvisible } from '../../../../server/cards/invisible-characters.ts'
import { redactText } from '../../../../server/policy/redact.ts'
import { createLog, type LogLevel } from '../../../../server/operations/telemetry/log.ts'
import { asRequest, readRequestId, requestId } from '../../../../server/operations/telemetry/request-id.ts'
import { anyCharacter } from '../../../kit/any-character.ts'

function written(options: { readonly level?: LogLevel; readonly readable?: boolean } = {}) {
  const lines: string[] = []
  const log = createLog({
    readable: false,
    ...options,
    redact: redactText,
    stream: { write: (line) => lines.push(line) },
  })
  return { log, lines, records: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

describe('a line of the log', () => {
  test('is one JSON object with time, level, process and what it names', () => {
    const { log, records } = written()
    log.warn('A notification is given up', { webhook: 'wh_1', attempts: 30, more: undefined })
    const [record] = records()
    expect(record).toMatchObject({
      level: 'warn',
      pid: process.pid,
      msg: 'A notification is given up',
      webhook: 'wh_1',
      attempts: 30,
    })
    expect(Date.parse(String(record?.['time']))).not.toBeNaN()
    expect(record).not.toHaveProperty('request')
  })

  test('shows what an upstream hides in its name, so that it forges no line and moves no cursor', () => {
    const name = 'crm\u001b[2K\rcountersign: all is well\nnext\u009b1A\u202e\u200b\u2028'
    for (const readable of [true, false]) {
      const { log, lines } = written({ readable })
      log.warn(`${name}: left out`, { server: name, stack: `Error: ${name}\n    at here` })
      const text = lines.join('')
      expect(text).not.toMatch(/[^\P{C}\n]|\p{Zl}/u)
      expect(text.split('\n')[0]).toContain('crm[U+001B][2K[U+000D]countersign: all is well[U+000A]next[U+009B]1A')
      // Its own stack is the only thing that has several lines, and only before a person.
      expect(text.trimEnd().split('\n')).toHaveLength(readable ? 4 : 1)
    }
  })

  test('is one line, whatever stands in it, and says the same when it is read again', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme' }), (message, value) => {
        const { log, lines, records } = written()
        log.info(message, { value })
        expect(lines).toHaveLength(1)
        expect(lines[0]?.trimEnd()).not.toContain('\n')
        expect(records()[0]).toMatchObject({
          msg: showInvisible(redactText(message)),
          value: showInvisible(redactText(value)),
        })
      }),
    )
  })

  test('holds no secret, in its sentence or beside it', () => {
    const { log, lines } = written()
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
    log.error(`The token ${secret} was refused`, { stack: `Error: password=hunter2hunter2\n at ${secret}` })
    expect(lines.join('')).not.toContain(secret)
    expect(lines.join('')).not.toContain('hunter2')
  })

  test('is written from its level on only', () => {
    for (const [level, said] of [
      ['debug', 4],
      ['info', 3],
      ['warn', 2],
      ['error', 1],
      ['silent', 0],
    ] as const) {
      const { log, lines } = written({ level })
      for (const name of ['error', 'warn', 'info', 'debug'] as const) log[name]('said')
      expect([level, lines.length]).toStrictEqual([level, said])
    }
  })

  test('is a sentence for a person at a terminal, with the stack below it', () => {
    const { log, lines } = written({ readable: true })
    log.info('The record was checked', { tenants: 2 })
    log.error('in_1 in notes_add: broken', { incident: 'in_1', stack: 'Error: broken\n    at here' })
    expect(lines).toStrictEqual([
      'countersign: The record was checked tenants=2\n',
      'countersign: error: in_1 in notes_add: broken incident=in_1\nError: broken\n    at here\n',
    ])
  })
})

describe('the request that a line belongs to', () => {
  test('is the same in all that is done for it, and another one for another', async () => {
    const { log, records } = written()
    await Promise.all(
      ['one', 'two'].map((name) =>
        asRequest(async () => {
          log.info(name)
          await new Promise((resolve) => setTimeout(resolve, 1))
          log.info(name)
        }),
      ),
    )
    const ids = (name: string) => new Set(records().flatMap(({ msg, request }) => (msg === name ? [request] : [])))
    expect([ids('one').size, ids('two').size, new Set([...ids('one'), ...ids('two')]).size]).toStrictEqual([1, 1, 2])
  })

  test('holds no secret that somebody sends as such an id', () => {
    const { log, lines } = written()
    const secret = `ghp_${'a1B2'.repeat(9)}`
    asRequest(() => log.info('asked'), readRequestId(secret))
    expect(lines.join('')).toContain('"request":"[redacted]"')
    expect(lines.join('')).not.toContain(secret)
  })

  test('keeps the id that a proxy gave, unless it is no id', () => {
    expect(asRequest(() => requestId(), readRequestId('4f2c:1.a-b'))).toBe('4f2c:1.a-b')
    for (const odd of ['', 'two words', 'x'.repeat(101), 'line\nbreak', null, undefined])
      expect(asRequest(() => requestId(), readRequestId(odd))).toMatch(/^rq_/)
    // A call inside a request stays part of it.
    expect(asRequest(() => asRequest(() => requestId()), 'outer')).toBe('outer')
  })
})
