// Mail as an operator switches it on: by the settings file, with its rules in the words of that file.
import { expect, test } from 'vitest'
import { openDesk } from '../../http/auth/serve-protected.ts'

const settings = {
  mail: {
    url: 'smtp://ann:hunter22@127.0.0.1:1',
    from: 'Agency <hello@agency.example>',
    policy: { blocked_domains: ['rival.example'] },
  },
}

const letter = { subject: 'Offer', body: 'Hello.' }

test('the settings file gives agents mail, and its rules hold', async () => {
  const desk = await openDesk(settings)
  const sent = await desk.call('emails_send_external', { ...letter, to: ['bea@other.example'] })
  // REST shows no card, so a critical call waits for an operator.
  expect(sent.body).toMatchObject({
    requires_human_approval: true,
    summary: 'Sends the mail “Offer” to bea@other.example.',
  })
  const blocked = await desk.call('emails_send_external', { ...letter, to: ['bea@mail.rival.example'] })
  expect(blocked.body).toMatchObject({
    blocked: { code: 'policy_violation', title: 'No mail goes to mail.rival.example.' },
  })
})

test('operators see whose mail it is and how much of it may leave, and not the password of the mail server', async () => {
  const { text, body } = await (await openDesk(settings)).admin('GET', '/api/v1/settings')
  expect(body).toMatchObject({
    settings: { mail: { from: 'Agency <hello@agency.example>', policy: { secrets: 'refuse' } } },
  })
  expect(text).not.toContain('hunter22')
  const without = await (await openDesk({})).admin('GET', '/api/v1/settings')
  expect(without.body).toMatchObject({ settings: { mail: null } })
})

test('without the setting there is no such tool', async () => {
  const answer = await (await openDesk({})).call('emails_send_external', { ...letter, to: ['bea@other.example'] })
  expect(answer.status).toBe(404)
})
