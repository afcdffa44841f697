// What the operators' tests share: a server as somebody would write it, its web door, an agent that speaks REST, an
// operator with the token, and the records behind it through a connection of their own.
import { z } from 'zod'
import type { CountersignOptions } from '../../../../server/index.ts'
import { readTool, writeTool } from '../../../kit/tools.ts'
import { adminToken as token, openDesk, why } from '../auth/serve-protected.ts'

export { token, why }

export type Office = Awaited<ReturnType<typeof openOffice>>

/** A server behind a web door; ends with its test. */
export async function openOffice(
  more: Partial<CountersignOptions> = {},
  settings: Readonly<Record<string, unknown>> = {},
) {
  const done: string[] = []
  let version = 1
  const desk = await openDesk(settings, {
    tools: noteTools(done, () => String(version)),
    principalOf: (request) => ({
      tenant: request.headers.get('x-tenant') ?? 'default',
      subject: request.headers.get('x-subject') ?? 'ada',
    }),
    ...more,
  })
  const call = (tool: string, args: object = {}, headers: HeaderFields = {}) =>
    desk.send('POST', `/api/v1/tools/${tool}`, { body: { rationale: why, ...args }, headers })
  return {
    url: desk.web.url,
    file: desk.file,
    records: desk.records,
    /** The notes that were really dropped or sent, in order. */
    done,
    /** Changes what every basis answers: the world has moved. */
    move: () => {
      version += 1
    },
    /** An agent's call; with a rationale, unless it brings one. */
    call,
    /** An operator's request. */
    admin: (method: string, path: string, body?: object, headers: HeaderFields = {}) =>
      desk.send(method, `/api/v1${path}`, { body, headers: { authorization: `Bearer ${token}`, ...headers } }),
    /** A call that waits for an approval; answers its id. */
    ask: async (tool: string, args?: object) => {
      const { body } = await call(tool, args)
      if (typeof body['approval_id'] !== 'string') throw new Error(`Nothing waits: ${JSON.stringify(body)}`)
      return body['approval_id']
    },
  }
}

type HeaderFields = Readonly<Record<string, string>>

const output = z.strictObject({ id: z.string() })
const named = z.strictObject({ id: z.string().max(50) })
const sent = z.strictObject({ id: z.string().max(50), recipients: z.number().int().min(1) })

function noteTools(done: string[], version: () => string) {
  const preview = (verb: string) => (given: { readonly id: string }) => ({
    title: `${verb} note ${given.id}`,
    summary: `${verb} note ${given.id} for good.`,
    confirmLabel: `${verb} note`,
  })
  const ends = (what: string) => (given: { readonly id: string }) => {
    done.push(`${what} ${given.id}`)
    return { id: given.id }
  }
  return [
    readTool({ name: 'notes.read', title: 'Read a note', input: named, output, run: ({ id }) => ({ id }) }),
    writeTool({
      name: 'notes.tidy',
      title: 'Tidy a note',
      noun: 'the note',
      input: named,
      output,
      failures: { locked: { effect: 'none', guidance: 'Unlock the note first.' } },
      preview: preview('Tidy'),
      run: (given, ctx) => (given.id === 'locked' ? ctx.fail('locked', 'This note is locked.') : ends('tidied')(given)),
    }),
    writeTool({
      name: 'notes.drop',
      title: 'Drop a note',
      noun: 'the note',
      operation: 'destructive',
      risk: 'critical',
      permissions: ['notes:drop'],
      input: named,
      output,
      preview: preview('Drop'),
      basis: version,
      run: ends('dropped'),
      lists: {
        copies: {
          page: ({ id }, { principal }, { after = 'none' }) => {
            if (after === 'broken') throw new Error('the disk is gone')
            return {
              rows: [{ key: 'a', cells: [{ kind: 'text', text: `${id} of ${principal.subject}, after ${after}` }] }],
            }
          },
        },
      },
    }),
    writeTool({
      name: 'notes.send',
      title: 'Send a note',
      noun: 'the note',
      risk: 'high',
      stepUp: { when: ({ recipients }: z.infer<typeof sent>) => recipients > 10 },
      input: sent,
      output,
      preview: preview('Send'),
      basis: version,
      run: ends('sent'),
    }),
  ]
}
