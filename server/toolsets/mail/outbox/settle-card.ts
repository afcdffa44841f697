// The card of `emails.settle_unknown`.
import type { Preview } from '../../../tools/contract.ts'
import { fieldsBlock, spokenMoment, textValue } from '../../say.ts'
import { inWords } from '../views.ts'
import type { MailWords } from '../words.ts'
import type { Forecast, Input } from './settle-unknown.ts'

/** The preview. `room`: from when on there is room for what is sent again, where there is none now. */
export function describeSettling(
  { of, recipients, room }: Forecast & { readonly room: { readonly from: number | undefined } },
  { arrived, sendAgain }: Input,
  words: MailWords,
): Preview {
  const { settle } = words
  const number = recipients.length
  const [only, ...others] = recipients
  const whom = only === undefined || others.length > 0 ? words.recipients(number) : inWords(only)
  const what = 'campaign' in of ? settle.campaign(of.campaign.template_name) : settle.mail(of.email.subject)
  const isPaused = 'campaign' in of && of.campaign.state === 'paused'
  const blocks: Preview['blocks'] = [
    {
      kind: 'people',
      label: settle.who,
      count: number,
      sample: recipients.slice(0, 50).map((each) => ({ name: inWords(each), address: each.address })),
    },
    fieldsBlock({ [settle.said]: textValue(arrived ? settle.arrived : settle.notArrived) }),
  ]
  if (sendAgain === true)
    return {
      title: settle.again(what, whom),
      summary: settle.againSummary(what, whom),
      blocks,
      effects: [
        isPaused ? settle.goesOutResumed(number) : settle.goesOut(number),
        ...(room.from === undefined ? [] : [settle.waits(number, spokenMoment(new Date(room.from).toISOString()))]),
      ],
      warnings: [{ title: settle.twice.title(number), text: settle.twice.text }],
      confirmLabel: settle.confirmAgain,
    }
  return {
    title: arrived ? settle.reached(what, whom) : settle.notReached(what, whom),
    summary: arrived ? settle.reachedSummary(what, whom) : settle.notReachedSummary(what, whom),
    blocks,
    effects: [arrived ? settle.counts : settle.doNot(number)],
    warnings: [],
    confirmLabel: settle.confirm,
  }
}
