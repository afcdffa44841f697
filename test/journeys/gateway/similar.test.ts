// The second time, the card of somebody else's tool says how the first time went, and nothing of what was in it.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { casesOf } from '../../full.ts'
import { confirm } from '../agent.ts'
import { officialServer, openReach, reachKinds, realPlace } from './reach.ts'

test.each(casesOf(reachKinds, String, ['gateway over HTTP']))('through a %s', async (kind) => {
  const folder = realPlace()
  const reach = await openReach(kind, { files: officialServer('filesystem', [folder]) })
  const write = (name: string, content: string) =>
    reach.call('files', 'destructive', 'write_file', { path: join(folder, name), content })
  const tables = (reply: Awaited<ReturnType<typeof write>>) =>
    reply.card?.blocks.filter((block) => block.kind === 'table') ?? []

  const first = await write('a.txt', 'between us')
  expect(tables(first)).toStrictEqual([])
  expect(await confirm(reach.agent('files'), first)).toMatchObject({ status: 'applied' })
  const failing = await write('no-such-folder/b.txt', 'x')
  expect(await confirm(reach.agent('files'), failing)).toMatchObject({ isError: true })

  const third = await write('c.txt', 'y')
  const tool = kind === 'wrap over stdio' ? 'write_file' : 'files:write_file'
  expect(tables(third)).toMatchObject([
    {
      label: `Calls of ${tool} before`,
      rows: [
        [
          { kind: 'date' },
          { text: 'the same' },
          { text: expect.stringMatching(/failed|nobody knows/) },
          { kind: 'number' },
        ],
        [{ kind: 'date' }, { text: 'the same' }, { text: 'done' }, { kind: 'number' }],
      ],
    },
  ])
  expect(JSON.stringify(third.card)).not.toMatch(/between us|a\.txt|no-such-folder/)
  expect(third.text).toContain(`Calls of ${tool} before`)
})
