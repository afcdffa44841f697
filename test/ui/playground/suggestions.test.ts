import { describe, expect, test } from 'vitest'
import { nextSteps, suggestionsFor, type Suggestion } from '../../../ui/playground/chat/suggestions.ts'
import type { CallEntry, Entry } from '../../../ui/playground/chat/transcript.ts'
import { toolFacts } from '../../../ui/playground/connection/tool-of-server.ts'

const toolsCalled = (...names: readonly string[]) =>
  names.map((name) => toolFacts({ name, inputSchema: { type: 'object' } }))

const labels = (steps: readonly Suggestion[]): readonly string[] => steps.map(({ label }) => label)

const called = ({ tool, args }: Pick<Suggestion, 'tool' | 'args'>): CallEntry => ({
  kind: 'call',
  id: '1',
  at: 0,
  why: 'asked',
  tool,
  args,
  end: { kind: 'running' },
})

const uploaded: Entry = {
  kind: 'person',
  id: '2',
  at: 0,
  from: 'composer',
  text: '',
  file: { fileId: 'fl_1', name: 'Plan.pdf', bytes: 3 },
}

describe('the next steps of a conversation', () => {
  const tools = toolsCalled('orders_create', 'orders_list', 'orders_delete')

  test('are the first steps that it has not had', () => {
    const [first, ...others] = suggestionsFor(tools)
    expect(others).not.toEqual([])
    expect(labels(nextSteps(tools, first === undefined ? [] : [called(first)]))).toEqual(labels(others))
  })

  test('begin with what can be done with the last file that was uploaded, by the tools that there are', () => {
    const sharing = toolsCalled('files_create_download_link')
    const [share] = nextSteps(sharing, [uploaded])
    expect(share).toMatchObject({ label: 'Share Plan.pdf by a link', args: { fileId: 'fl_1' } })
    expect(labels(nextSteps(sharing, [uploaded, called(share ?? { tool: '', args: {} })]))).not.toContain(share?.label)
    expect(labels(nextSteps(tools, [uploaded]))).toEqual(labels(suggestionsFor(tools)))
  })

  test('stop the campaign that was started last, as often as one was started', () => {
    const sending = toolsCalled('emails_bulk_send', 'emails_stop_campaign')
    const started = (campaignId: string): Entry => ({
      ...called({ tool: 'emails_bulk_send', args: { rationale: 'Another one.' } }),
      end: { kind: 'answered', result: { content: [], structuredContent: { result: { campaignId } } } },
    })
    const stop = (...entries: readonly Entry[]): readonly unknown[] =>
      nextSteps(sending, entries).flatMap(({ tool, args }) =>
        tool === 'emails_stop_campaign' ? [args['campaignId']] : [],
      )
    expect(stop()).toEqual([])
    expect(stop(started('cp_1'))).toEqual(['cp_1'])
    const [first] = nextSteps(sending, [started('cp_1')])
    const stopped = called(first ?? { tool: '', args: {} })
    expect(stop(started('cp_1'), stopped)).toEqual([])
    expect(stop(started('cp_1'), stopped, started('cp_2'))).toEqual(['cp_2'])
    const inOtherWords = { campaignId: 'cp_1', rationale: 'The person asked for it on the card.' }
    expect(stop(started('cp_1'), called({ tool: 'emails_stop_campaign', args: inOtherWords }))).toEqual([])
  })

  test('use the session that was begun last, for one program after the other', () => {
    const running = toolsCalled('create_session', 'execute_code')
    const begun: Entry = {
      ...called({ tool: 'create_session', args: { rationale: 'Two programs.' } }),
      end: { kind: 'answered', result: { content: [], structuredContent: { result: { session_id: 's_1' } } } },
    }
    const inSession = (...entries: readonly Entry[]) =>
      nextSteps(running, entries).filter(({ args }) => args['session_id'] === 's_1')
    expect(inSession()).toEqual([])
    const [write, read] = inSession(begun)
    expect([write?.args['code'], read?.args['code']]).toEqual([
      expect.stringContaining('import openpyxl'),
      expect.stringContaining('import openpyxl'),
    ])
    expect(labels(inSession(begun, called(write ?? { tool: '', args: {} })))).toEqual([read?.label])
  })

  test('are none with a server of which nothing is known', () => {
    const unknown = toolsCalled('paint')
    expect(labels(suggestionsFor(unknown))).toEqual(['Paint'])
    expect(nextSteps(unknown, [called({ tool: 'paint', args: {} })])).toEqual([])
  })
})
