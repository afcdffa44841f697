// Which values of a server's entry are hidden in its words, and in which of its words.
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { hidingOf, type Hiding } from '../../../server/gateway/configured-values.ts'
import { readGatewayText } from './read-text.ts'

function hiding(entry: object): Hiding {
  const config = readGatewayText(JSON.stringify({ mcpServers: { it: entry } }), {})
  if (!config.ok) throw new Error(config.failure.message)
  const [server] = Object.values(config.value.servers)
  if (server === undefined) throw new Error('There is no server.')
  return hidingOf(server)
}

const stdio = hiding({
  command: 'node',
  env: {
    DB_PASSWORD: 'mondschein',
    DATABASE_URL: 'postgres://ada:stern%40zelt@db/shop',
    REGION: 'vienna',
    PORT: '8080',
  },
})
const remote = hiding({
  url: 'https://mcp.example.com/mcp?key=regen-bogen7',
  headers: { Authorization: `Basic ${Buffer.from('ada:abendrot').toString('base64')}`, 'X-Api-Key': 'silberstreif' },
})

test.each([
  ['a word that is called a password', stdio, 'no entry for mondschein'],
  ['the password of an address', stdio, 'cannot log in with stern@zelt'],
  ['the same as the address writes it', stdio, 'cannot log in with stern%40zelt'],
  ['a parameter of the address', remote, 'regen-bogen7 is unknown'],
  ['the value of a header', remote, 'silberstreif is unknown'],
  ['the password within a Basic header', remote, 'abendrot is wrong'],
])('%s is hidden', (_, server, words) => {
  expect(server.text(words)).toContain('[redacted]')
  expect(server.text(words)).not.toMatch(/mondschein|zelt|bogen|streif|abendrot/)
})

test('short values and plain words that are no secrets stay', () => {
  expect(stdio.text('vienna does not answer on 8080')).toBe('vienna does not answer on 8080')
})

test('they are hidden at every depth of an error, in keys too, and its code stays', () => {
  const error = stdio.inError(new McpError(-32603, 'mondschein', { a: [{ mondschein: 'x mondschein' }] }))
  expect(error).toMatchObject({ code: -32603, data: { a: [{ '[redacted]': 'x [redacted]' }] } })
  expect(String(error)).not.toContain('mondschein')
  const address = new McpError(ErrorCode.UrlElicitationRequired, 'open', { elicitations: [{ url: 'x://mondschein' }] })
  expect(stdio.inError(address)).toBe(address)
})

test('a failed answer is hidden in, and one that went well is passed on as it came', () => {
  const answer = (isError: boolean) => ({ isError, content: [{ type: 'text', text: 'mondschein' }] })
  expect(stdio.inAnswer(answer(true))).toEqual({ isError: true, content: [{ type: 'text', text: '[redacted]' }] })
  expect(stdio.inAnswer(answer(false))).toEqual(answer(false))
  expect(stdio.inProgress({ progress: 1, message: 'with mondschein' })).toEqual({
    progress: 1,
    message: 'with [redacted]',
  })
})
