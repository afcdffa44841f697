// A mail of a campaign is made when it goes out, of what was frozen when it was confirmed, and is never stored.
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { CampaignMailRow, CampaignRow } from '../schema.ts'
import type { OutgoingMail } from '../transports/smtp.ts'
import { whyNot } from '../templates/samples.ts'
import { createBodyRenderer } from '../templates/body-renderer.ts'
import { readTemplate } from '../templates/template.ts'
import { fullName } from '../templates/values.ts'

/** The Message-ID of one mail of a campaign. Whoever has one can make none of the others: a report on them would count. */
export const messageIdOf = (
  { id, run, sender_address }: Pick<CampaignRow, 'id' | 'run' | 'sender_address'>,
  position: number,
): string => {
  const proof = createHmac('sha256', run).update(`${id}.${position}`).digest('hex').slice(0, 20)
  return `<${id}.${position}.${proof}@${sender_address.slice(sender_address.lastIndexOf('@') + 1)}>`
}

/** What such a Message-ID names. */
export function readMessageId(
  messageId: string,
): { readonly campaignId: string; readonly position: number } | undefined {
  const [, campaignId, position] = /^<(cp_[0-9a-f]{20})\.([1-9]\d{0,8})\.[0-9a-f]{20}@[^<>@\s]+>$/.exec(messageId) ?? []
  return campaignId === undefined ? undefined : { campaignId, position: Number(position) }
}

const names = z.array(z.string())
const words = z.record(z.string(), z.string())

/** Makes the mail for a recipient; a sentence where there is none. */
export type MailRenderer = (mail: CampaignMailRow, at: number) => Promise<OutgoingMail | string>

/** The text of a campaign, ready for its recipients; a sentence where it cannot be read. */
export async function readMailRenderer(campaign: CampaignRow): Promise<MailRenderer | string> {
  const template = await readTemplate({
    subject: campaign.subject,
    body: campaign.body,
    variables: names.parse(JSON.parse(campaign.variables)),
    fallbacks: words.parse(JSON.parse(campaign.fallbacks)),
  })
  if (!('render' in template)) return template.map(({ field, problem }) => `${field}: ${problem}`).join(' ')
  const given = words.parse(JSON.parse(campaign.given))
  const renderBody = createBodyRenderer()
  return async (mail, at) => {
    const rendered = template.render(mail, given)
    if (rendered.kind !== 'mail') return whyNot(rendered)
    const { text, html } = await renderBody(rendered.bodyParts)
    return {
      messageId: messageIdOf(campaign, mail.position),
      date: new Date(at).toISOString(),
      from: { name: campaign.sender_name, address: campaign.sender_address },
      replyTo: campaign.reply_to,
      to: [{ name: fullName(mail) ?? '', address: mail.address }],
      cc: [],
      subject: rendered.subject,
      text,
      html,
      attachments: [],
      recipients: [mail.address],
    }
  }
}
