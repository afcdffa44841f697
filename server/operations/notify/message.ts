// The body of a notification, for two readers: a Slack channel (or whatever understands the same) shows `text` and `blocks`;
// a program takes `type`, `timestamp` and `data`, as Standard Webhooks recommends ("Payload structure").
import { showInvisible } from '../../cards/invisible-characters.ts'
import type { Notice, Whereabouts } from './notice.ts'

/** Text with the characters escaped by which Slack's markup begins a mention, a link or an entity. */
const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const plain = (text: string) => ({ type: 'plain_text', text, emoji: false }) as const

/** What is typed or asked by whoever cannot open the page. */
const otherwiseOf = ({ otherwise }: Notice, options: string): string =>
  'request' in otherwise ? otherwise.request : ['countersign', otherwise.command, options].filter(Boolean).join(' ')

/** The body of a notice, as JSON. */
export function messageOf(notice: Notice, where: Whereabouts, redact: (text: string) => string): string {
  const { address, options, variables } = where
  const otherwise = otherwiseOf(notice, options)
  const terminal = variables.length === 0 ? 'At a terminal' : `At a terminal that has ${variables.join(' and ')}`
  const url = address === undefined ? undefined : `${address}${notice.path}`
  const shown = (text: string): string => showInvisible(redact(text))
  const title = shown(notice.title)
  const detail = shown(notice.detail)
  const looks = url === undefined ? `${terminal}: ${otherwise}` : `${notice.linkText}: ${url}`
  const hidden = JSON.parse(JSON.stringify(notice.data), (_, value: unknown) =>
    typeof value === 'string' ? redact(value) : value,
  ) as Notice['data']
  const body = {
    text: slackText(`${title}: ${detail} ${looks}`),
    blocks: [
      { type: 'header', text: plain(title) },
      { type: 'section', text: plain(detail) },
      ...(notice.fields.length === 0
        ? []
        : [{ type: 'section', fields: notice.fields.map(({ name, value }) => plain(`${name}: ${shown(value)}`)) }]),
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          // Only our own link is markup, never what an agent wrote.
          text: url === undefined ? `${terminal}: \`${slackText(otherwise)}\`` : `<${url}|${notice.linkText}>`,
        },
      },
    ],
    type: notice.event,
    timestamp: new Date(notice.at).toISOString(),
    data: { ...hidden, ...(url === undefined ? {} : { url }) },
  }
  return JSON.stringify(body)
}
