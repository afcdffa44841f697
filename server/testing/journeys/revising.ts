// The person changes one value of a call on our card, and has the changed call previewed.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { CardEdit } from '../../model/card-edits.ts'
import { cardOf } from '../answer.ts'
import type { View } from '../host/host-page.ts'
import { buttonIn, pressToSend } from './signing.ts'
import type { Stage } from './stage.ts'
import { Broken, until } from '../host/waiting.ts'

const patience = { ms: 30_000, settles: false } as const

/** A field that takes something else than it has, and what to write there. */
function otherValue({ as, value = '' }: CardEdit): string | undefined {
  if (as === 'number') return String(Number(value) + 1)
  return as === 'text' || as === 'long' ? `${value} (changed)` : undefined
}

/** Changes one value and sends the changed call. Answers the message, or nothing where the card offers none to change. */
export async function changeValue(stage: Stage, card: View, preview: CallToolResult): Promise<string | undefined> {
  const edits = cardOf(preview)?.edits
  const { channels, serverTools } = stage.profile
  if (edits === undefined || !channels.includes('_meta')) return undefined
  if (!serverTools) {
    await until(
      async () => /tell the agent/i.test(await card.text()),
      () => 'the view neither lets a value be changed nor says why not',
    )
    return undefined
  }
  const known = [...edits.fields, ...edits.lists.flatMap(({ members }) => members.flatMap((member) => member.fields))]
  const [field, other] =
    known.map((edit) => [edit, otherValue(edit)] as const).find(([, text]) => text !== undefined) ?? []
  if (field === undefined || other === undefined) return undefined
  const change = await buttonIn(card, 'Edit values', patience)
  if (change === undefined) throw new Broken('the view was sent values to change and offers none')
  await change.press()
  await card.frame.getByLabel(field.label, { exact: true }).first().fill(other)
  const send = await buttonIn(card, 'Preview changes', patience)
  if (send === undefined) throw new Broken(`the changed value was not taken: ${(await card.text()).slice(0, 160)}`)
  return pressToSend(stage, card, send, () => buttonIn(card, 'Preview changes', patience))
}
