// One body for two readers: a channel in Slack (and whatever understands the same), which shows `text` and `blocks`, and
// a program, which takes `type`, `timestamp` and `data` as Standard Webhooks recommends ("Payload structure").
import { showInvisible } from '../../cards/invisible-characters.ts'
import type { Notice } from './notice.ts'

/** What Slack reads as a mention, a link or an entity in its own markup. */
const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const plain = (text: string) => ({ type: 'plain_text', text, emoji: false }) as const

/** The body for a notice, as JSON. `address` is the server's own, where it has one that people can open. */
export function messageOf(notice: Notice, address: string | undefined, redact: (text: string) => string): string {
  const url = address === undefined ? undefined : `${address}${notice.path}`
  const shown = (text: string): string => showInvisible(redact(text))
  const title = shown(notice.title)
  const detail = shown(notice.detail)
  const where = url === undefined ? `At a terminal: ${notice.otherwise}` : `${notice.linkText}: ${url}`
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
          // Our own link only: what an agent wrote is never markup.
          text: url === undefined ? `\`${slackText(notice.otherwise)}\`` : `<${url}|${notice.linkText}>`,
        },
      },
    ],
    type: notice.event,
    timestamp: new Date(notice.at).toISOString(),
    data: { ...redacted(notice.data, redact), ...(url === undefined ? {} : { url }) },
  }
  return JSON.stringify(body)
}

function redacted(data: Readonly<Record<string, unknown>>, redact: (text: string) => string): Record<string, unknown> {
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return redact(value)
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item)]))
  }
  return walk(data) as Record<string, unknown>
}
