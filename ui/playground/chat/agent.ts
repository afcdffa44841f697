// The agent of this playground is a script: it shows what a well-instructed model does with the person's line, each
// time the same way. It repeats a confirmed call exactly, acknowledges a Cancel, and makes nothing up.
import { parseMessage } from '../../../server/confirm/message.ts'
import type { UploadedFile } from './transcript.ts'

export type Move =
  | {
      readonly kind: 'call'
      readonly why: 'applies' | 'previews'
      readonly tool: string
      readonly args: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'say'; readonly text: string }

const say = (text: string): Move => ({ kind: 'say', text })

/** What the agent does with a line of the person's. `knows` tells which tools it has. */
export function answerTo(line: string, knows: (tool: string) => boolean): Move {
  const parsed = parseMessage(line.trim())
  if (!parsed.ok) return say(explain(line.trim(), parsed.failure.message))
  const message = parsed.value
  switch (message.kind) {
    case 'cancel':
      return say(`Understood. I do not apply ${message.noun}.`)
    case 'apply':
    case 'preview':
      if (!knows(message.tool)) return say(`I have no tool called \`${message.tool}\`, so I called nothing.`)
      return {
        kind: 'call',
        why: message.kind === 'apply' ? 'applies' : 'previews',
        tool: message.tool,
        args: message.args,
      }
    default:
      return message satisfies never
  }
}

/** What the agent says of a file that the person has uploaded. Its type stands in words on every card of it. */
export const aboutFile = ({ fileId, bytes, warning }: UploadedFile): string =>
  [
    `It is kept as \`${fileId}\`, ${bytes.toLocaleString('en')} bytes.`,
    ...(warning === undefined ? [] : [warning]),
    'Nobody else has it until a call that you sign hands it on.',
  ].join(' ')

function explain(line: string, reason: string): string {
  if (/^(?:apply|preview|cancel):/i.test(line))
    return `I did not call anything: that line is not exactly a message that a card wrote. ${reason} Copy it from the card once more.`
  return 'I am a script, not a model. I repeat what a card’s **Apply** message says, and acknowledge its **Cancel**. To have me call something, choose a tool and fill its form.'
}
