// The body of a notification, for two readers: a Slack channel (or whatever understands the same) shows `text` and `blocks`;
// a program takes `type`, `timestamp` and `data`, as Standard Webhooks recommends ("Payload structure").
import { showInvisible } from '../../cards/invisible-characters.ts'
import type { Notice } from './notice.ts'

/** Text with the characters escaped by which Slack's markup begins a mention, a link or an entity. */
const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const plain = (text: string) => ({ type: 'plain_text', text, emoji: false }) as const

/** The body of a notice, as JSON. `address`: where people open this server's pages, if anywhere. */
export function messageOf(notice: Notice, address: string | undefined, redact: (text: string) => string): string {
  const url = address === undefined ? undefined : `${address}${notice.path}`
  const shown = (text: string): string => showInvisible(redact(text))
  const title = shown(notice.title)
  const detail = shown(notice.detail)
  const where = url === undefined ? `At a terminal: ${notice.otherwise}` : `${notice.linkText}: ${url}`
  const hidden = JSON.parse(JSON.stringify(notice.data), (_, value: unknown) =>
    typeof value === 'string' ? redact(value) : value,
  ) as Notice['data']
  const body = {
    text: slackText(`${title}: ${detail} ${where}`),
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
          text: url === undefined ? `\`${slackText(notice.otherwise)}\`` : `<${url}|${notice.linkText}>`,
        },
      },
    ],
    type: notice.event,
    timestamp: new Date(notice.at).toISOString(),
    data: { ...hidden, ...(url === undefined ? {} : { url }) },
  }
  return JSON.stringify(body)
}
