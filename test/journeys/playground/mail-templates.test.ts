// A template and a segment, as a host and a person make them: the agent's call shows a card, the person presses its
// button, and what is read afterwards is what was signed.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCountersign, mail } from '../../../server/index.ts'
import { confirm, overHttp } from '../agent.ts'
import { atEnd, place } from '../at-end.ts'

async function served() {
  const server = createCountersign({
    name: 'Agency',
    // Nothing is sent here.
    toolsets: [mail({ url: 'smtp://127.0.0.1:1', from: 'Agency <hello@agency.example>' })],
    store: join(place(), 'mail.db'),
    trustedHost: true,
  })
  atEnd(() => server.close())
  const web = await server.http({ port: 0 })
  atEnd(() => web.close())
  return overHttp(new URL(web.mcpUrl))
}

const news = {
  name: 'News',
  subject: '{{ first_name }}, our news',
  body: 'Dear {{ first_name }},\n\n{{ news }}',
  variables: ['news'],
  fallbacks: { first_name: 'reader' },
}

test('a template is created and changed on cards that show how it reads', async () => {
  const agent = await served()
  const wrong = await agent.call('templates_create', { ...news, body: 'Dear {{ firstname }}' })
  expect(wrong).toMatchObject({ isError: true, guidance: { error_type: 'invalid_template' } })
  expect(wrong.text).toContain('Did you mean first_name?')

  const preview = await agent.call('templates_create', news)
  expect(preview).toMatchObject({ status: 'previewed', card: { title: 'Create the template “News”', risk: 'medium' } })
  expect(preview.text).toContain('Ann, our news')
  const created = await confirm(agent, preview)
  const { templateId } = (created.data['result'] as { readonly template: { readonly templateId: string } }).template

  const change = await agent.call('templates_update', { templateId, body: `${news.body}\n\nYours` })
  expect(change.card).toMatchObject({ title: 'Change the template “News”', risk: 'high' })
  expect(change.card?.blocks.find((block) => block.kind === 'code' && block.language === 'diff')).toMatchObject({
    text: expect.stringMatching(/\n\+Yours$/) as string,
  })
  expect(await confirm(agent, change)).toMatchObject({ status: 'applied' })
  expect((await agent.call('templates_get', { templateId, values: { news: 'We *moved*.' } })).data).toMatchObject({
    template: { version: 2 },
    sample: { subject: 'Ann, our news', text: 'Dear Ann,\n\nWe *moved*.\n\nYours' },
  })
  expect((await agent.call('templates_list')).data).toMatchObject({ templates: [{ name: 'News' }], more: false })
})

test('a segment is tried, created, and asked of the contacts again', async () => {
  const agent = await served()
  const conditions = [{ field: 'domain', operator: 'is', value: 'acme.example' }]
  expect((await agent.call('segments_preview', { conditions })).data).toMatchObject({ count: 0, contacts: [] })
  const preview = await agent.call('segments_create', { name: 'ACME', conditions })
  expect(preview.text).toContain('domain is “acme.example”')
  const created = await confirm(agent, preview)
  const { segmentId } = (created.data['result'] as { readonly segment: { readonly segmentId: string } }).segment
  expect((await agent.call('segments_preview', { segmentId })).data).toMatchObject({ count: 0 })
  expect((await agent.call('segments_list')).data).toMatchObject({ segments: [{ segmentId, conditions }] })
})
