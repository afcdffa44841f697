// A tool whose preview shows the beginning of a long list, and which begins what goes on after its call.
import { z } from 'zod'
import type { CardList } from '../../server/tools/card-reads.ts'
import type { Contract, Preview } from '../../server/tools/contract.ts'
import type { CardPageRow } from '../../server/model/card.ts'
import { writeTool } from './tools.ts'

export const row = (key: string): CardPageRow => ({ key, cells: [{ kind: 'text', text: `${key}@acme.example` }] })

/** Pages of the people with these keys, in their order. */
export const listOf = (keys: () => readonly string[]): CardList<{ readonly segment: string }> => ({
  page: (_input, _ctx, { after = '', limit }) => {
    const rest = keys().filter((key) => key > after)
    const rows = rest.slice(0, limit).map(row)
    return { rows, ...(rest.length > limit ? { next: rows.at(-1)?.key } : {}) }
  },
  open: ({ segment }, _ctx, key) =>
    keys().includes(key) ? [{ kind: 'text', text: `Dear ${key} of ${segment}` }] : undefined,
})

/** The preview of a mailing to these, of whom it shows three. */
export const mailingPreview = (keys: readonly string[]): Preview => ({
  title: 'Send 250 mails',
  summary: 'Sends 250 mails.',
  confirmLabel: 'Send',
  blocks: [
    {
      kind: 'pages',
      list: 'recipients',
      label: 'Recipients',
      total: keys.length,
      columns: [{ label: 'Address' }],
      rows: keys.slice(0, 3).map(row),
      next: keys[2] ?? '',
      opens: true,
      rest: '`segments_preview` lists them all.',
    },
  ],
})

const keys = Array.from({ length: 250 }, (_, at) => `p${String(at).padStart(3, '0')}`)

/** `mails.send`, to 250 people. Each look at its progress finds a hundred more sent. */
export const mailingTool = (): Contract => {
  let sent = 0
  return writeTool({
    name: 'mails.send',
    title: 'Send mails',
    noun: 'the mailing',
    input: z.strictObject({ segment: z.string() }),
    output: z.strictObject({ campaign: z.string() }),
    preview: () => mailingPreview(keys),
    run: () => ({ campaign: 'cp_1' }),
    lists: { recipients: listOf(() => keys) },
    follow: (_input, { campaign }) => {
      sent = Math.min(keys.length, sent + 100)
      return {
        done: sent === keys.length,
        title: `Sending ${campaign}`,
        blocks: [{ kind: 'progress', label: 'Sent', done: sent, total: keys.length }],
      }
    },
  })
}
