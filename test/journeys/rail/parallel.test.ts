// One Apply message may reach many hands: a client that retries, two hosts, two processes on one database file. Whoever
// is first runs it; everybody else is told what became of it.
import { describe, expect, test } from 'vitest'
import { casesOf } from '../../full.ts'
import { confirm } from '../agent.ts'
import { createDesk } from '../fixture-server.ts'

/** What they race for is the database, and it knows no doors. */
const doors = casesOf(['stdio', 'http'] as const, String, ['http'])

describe.each(doors)('two processes on one database, over %s', (door) => {
  test('run one plan exactly once under a hundred applies at the same time', async () => {
    const desk = createDesk()
    const agents = await Promise.all([desk[door](), desk[door]()])
    const [first, second] = agents
    const preview = await first.call('marks_add', { text: 'once' })
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, at) => confirm(at % 2 === 0 ? first : second, preview)),
    )
    expect(desk.runs()).toStrictEqual([preview.planId])
    const count = (status: string) => replies.filter((reply) => reply.status === status).length
    expect(count('applied')).toBe(1)
    expect(count('replayed') + count('running')).toBe(99)
    expect(replies.filter((reply) => reply.isError)).toStrictEqual([])
    for (const agent of agents)
      expect((await confirm(agent, preview)).data).toMatchObject({ status: 'replayed', result: { text: 'once' } })
    expect(desk.runs()).toHaveLength(1)
  })

  test('run a hundred plans once each, though both are told to run all of them', async () => {
    const desk = createDesk()
    const agents = await Promise.all([desk[door](), desk[door]()])
    const previews = await Promise.all(
      Array.from({ length: 100 }, (_, at) => (agents[at % 2] ?? agents[0]).call('marks_add', { text: `mark ${at}` })),
    )
    const replies = await Promise.all(previews.flatMap((preview) => agents.map((agent) => confirm(agent, preview))))
    expect(desk.runs().toSorted()).toStrictEqual(previews.map((preview) => preview.planId).toSorted())
    expect(replies.filter((reply) => reply.status === 'applied')).toHaveLength(100)
    expect(replies.filter((reply) => reply.isError)).toStrictEqual([])
  })
})
