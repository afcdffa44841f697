// A campaign, as a host and a person send it from the agency's desk: the dry run, the card, the confirmation, the mails.
import { ProgressNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { beforeAll, expect, test } from 'vitest'
import { agency } from '../../../server/demo/agency/agency.ts'
import { createCountersign } from '../../../server/index.ts'
import { applyCall, confirm, overHttp, rationale, ticketOf, toReply, type Agent } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'

let agent: Agent

/** The agency's tools, at a host that keeps those of the card from its model. */
beforeAll(async () => {
  const server = createCountersign({ name: 'Agency', toolsets: [agency], store: freshDatabase(), trustedHost: true })
  const web = await server.http({ port: 0 })
  agent = await overHttp(new URL(web.mcpUrl))
  return async () => {
    await web.close()
    await server.close()
  }
})

const idOf = async (tool: string, list: string, name: string): Promise<string> => {
  const all = (await agent.call(tool)).data[list] as readonly Readonly<Record<string, string>>[]
  const found = all.find((each) => each['name'] === name)
  return found?.['templateId'] ?? found?.['segmentId'] ?? ''
}
const campaign = async (segment: string) => ({
  templateId: await idOf('templates_list', 'templates', 'Newsletter'),
  segmentId: await idOf('segments_list', 'segments', segment),
})

test('its dry run answers in the form of the tool design guide, and changes nothing', async () => {
  const { data } = await agent.call('emails_bulk_send', { ...(await campaign('Newsletter readers')), dryRun: true })
  expect(data).toMatchObject({
    status: 'previewed',
    dryRun: true,
    recipientCount: 4821,
    mailCount: 4809,
    warnings: [
      "43 recipients have no first name, fallback 'Hello' will be used.",
      '12 email addresses are marked as undeliverable and will be skipped.',
    ],
    missingPermissions: [],
    estimatedDurationMs: 480_900,
  })
  expect(data['expectedSideEffects']).toContain('4809 external emails are sent and cannot be taken back')
  const samples = data['sampleMessages'] as readonly { to: string; subject: string; previewText: string }[]
  expect(samples.map(({ subject }) => subject)).toStrictEqual([
    expect.stringMatching(/^\p{Lu}\p{L}+, your Q3 update is here$/u),
    'Hello, your Q3 update is here',
  ])
  for (const { to, previewText } of samples) {
    expect(to).toMatch(/^[a-z.-]+@[a-z-]+\.example$/)
    expect(previewText).toContain('three campaigns went live this quarter')
  }
  expect((await agent.call('emails_list_campaigns')).data).toMatchObject({ campaigns: [] })
})

test('it is confirmed on its card, and each mail arrives at the mail server as it was shown', async () => {
  const preview = await agent.call('emails_bulk_send', await campaign('Spring evening'))
  expect(preview.card).toMatchObject({ title: 'Email 24 recipients', risk: 'critical', confirm_phrase: '24' })
  await agent.client.callTool({ name: 'countersign_plan_confirm', arguments: { ticket: ticketOf(preview) } })
  const applied = await confirm(agent, preview)
  expect(applied).toMatchObject({
    status: 'applied',
    data: { result: { status: 'finished', counts: { total: 24, accepted: 24 } } },
  })
  expect(await confirm(agent, preview)).toMatchObject({ status: 'replayed' })
  const { campaignId } = applied.data['result'] as { readonly campaignId: string }
  expect((await agent.call('emails_get_campaign', { campaignId })).data).toMatchObject({
    campaign: { status: 'finished', counts: { accepted: 24, unknown: 0 } },
  })
})

test('the call that sends it tells its client how many mails were accepted', async () => {
  const steps: { readonly progress: number; readonly total?: number | undefined }[] = []
  agent.client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => void steps.push(params))
  const preview = await agent.call('emails_bulk_send', await campaign('Spring evening'))
  await agent.client.callTool({ name: 'countersign_plan_confirm', arguments: { ticket: ticketOf(preview) } })
  const { tool: name, args } = applyCall(preview)
  const _meta = { progressToken: 'of this test' }
  const applied = toReply(
    (await agent.client.callTool({ name, arguments: { rationale, ...args }, _meta })) as Parameters<typeof toReply>[0],
  )
  expect(applied.status).toBe('applied')
  const done = steps.map(({ progress }) => progress)
  expect(done).toStrictEqual(done.toSorted((a, b) => a - b))
  expect(steps.at(-1)).toMatchObject({ progressToken: 'of this test', progress: 24, total: 24 })
  expect(steps.at(-1)).toMatchObject({ message: '24 of 24 mails were accepted' })
})
