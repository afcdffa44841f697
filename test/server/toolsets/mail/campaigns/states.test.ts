// Whatever mail servers and people do with a campaign, in whatever order: what is written down of each recipient is what
// became of it.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { runsOf } from '../../../../full.ts'
import { MINUTE } from '../../../../kit/clock.ts'
import { openDesk } from '../mail-fixture.ts'
import { smtpServer } from '../smtp-fixture.ts'
import { addContacts, start } from './campaign-fixture.ts'

const recipients = 7

type Command =
  | { readonly does: 'server'; readonly how: 'take' | 'refuse' | 'defer' | 'drop' }
  | { readonly does: 'work'; readonly minutes: number }
  | { readonly does: 'pause' | 'resume' | 'stop' }
  | { readonly does: 'settle'; readonly says: { readonly arrived: boolean; readonly sendAgain?: boolean } }

const commands: fc.Arbitrary<readonly Command[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ does: fc.constant('server'), how: fc.constantFrom('take', 'refuse', 'defer', 'drop') }),
    },
    { weight: 4, arbitrary: fc.record({ does: fc.constant('work'), minutes: fc.constantFrom(0, 1, 60) }) },
    { weight: 3, arbitrary: fc.record({ does: fc.constantFrom('pause', 'resume', 'stop') }) },
    {
      weight: 2,
      arbitrary: fc.record({
        does: fc.constant('settle'),
        says: fc.constantFrom({ arrived: true }, { arrived: false }, { arrived: false, sendAgain: true }),
      }),
    },
  ),
  { minLength: 3, maxLength: 14 },
)
test('what is written down of each recipient is what became of it, whatever happens in whatever order', async () => {
  let how = 'take'
  /** What a server does with a recipient depends on who it is, too: some are always taken. */
  const isMet = (address: string): boolean => Number(address.slice(1, 7)) % 3 !== 0
  const server = await smtpServer({
    recipient: (address) =>
      !isMet(address) ? undefined : how === 'refuse' ? [550, 'No'] : how === 'defer' ? [451, 'Later'] : undefined,
    data: ({ to }) => Promise.resolve(how === 'drop' && isMet(to[0] ?? '') ? 'drop' : 'take'),
  })
  const desk = await openDesk({ url: server.url }, { lookMs: 2 ** 30 })
  await addContacts(desk.db, recipients)

  await fc.assert(
    fc.asyncProperty(commands, async (all) => {
      how = 'take'
      const { campaignId } = await start(desk)
      const copiesOf = (position: number): number =>
        server.arrived.filter(({ mail }) => mail.messageId?.startsWith(`<${campaignId}.${position}.`)).length
      const mails = () =>
        desk.db
          .selectFrom('mail_campaign_mails')
          .selectAll()
          .where('campaign_id', '=', campaignId)
          .orderBy('position')
          .execute()
      const campaign = () =>
        desk.db.selectFrom('mail_campaigns').select('state').where('id', '=', campaignId).executeTakeFirstOrThrow()
      /** By position: how often a person had it sent again, and whether one said what became of it. */
      const again = new Map<number, number>()
      const said = new Set<number>()

      const act = async (command: Command): Promise<void> => {
        const before = await mails()
        const { state } = await campaign()
        const arrived = server.arrived.length
        if (command.does === 'server') how = command.how
        else if (command.does === 'work') {
          desk.clock.pass(command.minutes * MINUTE)
          await desk.campaigns.work()
          if (state !== 'running') expect(server.arrived).toHaveLength(arrived)
        } else if (command.does === 'settle') {
          await desk.apply('emails.settle_unknown', { id: campaignId, ...command.says })
          for (const mail of before)
            if (mail.state === 'unknown') {
              const isAgain = command.says.sendAgain === true && state !== 'stopped'
              if (isAgain) again.set(mail.position, (again.get(mail.position) ?? 0) + 1)
              else if (command.says.sendAgain !== true) said.add(mail.position)
            }
        } else await desk.apply(`emails.${command.does}_campaign`, { campaignId })
      }

      for (const command of all) {
        await act(command)
        const { state } = await campaign()
        const after = await mails()
        expect(after).toHaveLength(recipients)
        for (const mail of after) {
          const copies = copiesOf(mail.position)
          const repeats = again.get(mail.position) ?? 0
          expect(copies).toBeLessThanOrEqual(1 + repeats)
          expect(mail.state).not.toBe('sending')
          if (mail.state === 'unknown') expect(copies).toBeGreaterThanOrEqual(1)
          if (mail.state === 'accepted' && !said.has(mail.position)) expect(copies).toBe(1 + repeats)
          if (['pending', 'deferred', 'stopped'].includes(mail.state)) expect(copies).toBe(repeats)
          const isOpen = mail.state === 'pending' || mail.state === 'deferred'
          if (state === 'finished' || state === 'stopped') expect(isOpen).toBe(false)
          if (mail.state === 'stopped') expect(state).toBe('stopped')
        }
        if (state === 'running' && command.does === 'work')
          expect(after.some((mail) => mail.ended_at === null)).toBe(true)
      }
      await desk.apply('emails.stop_campaign', { campaignId })
    }),
    { numRuns: runsOf(100) },
  )
})
