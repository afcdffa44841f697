// Errors that real servers gave, each with the class that a person gave it from its text alone. The rules may miss one; they
// may not get worse without anybody seeing it, and they may not call one something that it is not.
import { expect, test } from 'vitest'
import { explainAnswer } from '../../../../server/errors/explain/explain-answer.ts'
import { templates } from '../../../../server/errors/explain/classes.ts'
import { recordedErrors, type RecordedError } from '../../../errors/recorded.ts'

const unexplained = 'upstream_error'

const typeOf = ({ text, structured, code }: RecordedError): string =>
  explainAnswer({ text, structured, ...(code === undefined ? {} : { rpcCode: code }) }, (said) => said).type ??
  unexplained

const classesOf = (error: RecordedError): readonly string[] => [error.class].flat()

const all = [...recordedErrors()].flatMap(([server, { tuned = false, errors }]) =>
  errors.map((error) => ({ server, tuned, error })),
)

test('there are enough of them, and half of the servers are none that rules were written for', () => {
  expect(all.length).toBeGreaterThan(150)
  const servers = [...recordedErrors().values()]
  expect(servers.filter(({ tuned }) => tuned !== true).length).toBeGreaterThanOrEqual(10)
  for (const { error } of all)
    for (const name of classesOf(error)) expect([...Object.keys(templates), unexplained]).toContain(name)
})

test.each([...new Set(all.map(({ server }) => server))])('an error of %s is never called what it is not', (server) => {
  const wrong = all.filter(({ server: of, error }) => {
    const type = typeOf(error)
    return of === server && type !== unexplained && !classesOf(error).includes(type)
  })
  expect(wrong.map(({ error }) => error.text)).toStrictEqual([])
})

test('of servers that rules were not written for, nine errors in ten have the right class', () => {
  const held = all.filter(({ tuned }) => !tuned)
  const right = held.filter(({ error }) => classesOf(error).includes(typeOf(error)))
  expect(right.length / held.length).toBeGreaterThan(0.9)
})
