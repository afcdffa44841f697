// English for campaigns.
import { pluralsOf } from '../../../languages.ts'
import { count, listed, spokenNumber } from '../../../say.ts'
import type { RestCode } from '../../campaigns/schedule.ts'
import type { CampaignStatus } from '../../campaigns/views.ts'
import type { RenderTrouble } from '../../templates/template.ts'

const { form } = pluralsOf<'one' | 'other'>('en')

const recipients = (number: number): string => count(number, 'recipient')
const mails = (number: number): string => count(number, 'mail')

/** What a variable is called in a sentence. */
const variable = (name: string): string => name.replaceAll('_', ' ')

function trouble({ field, ...what }: RenderTrouble): string {
  switch (what.kind) {
    case 'empty':
      return `The ${field} is empty.`
    case 'too-long':
      return `The ${field} has ${what.length} characters, and ${what.most} is the most.`
    case 'unreadable':
    case 'error':
      return what.english
    default:
      return what satisfies never
  }
}

export const campaigns = {
  variable,
  /** Why somebody gets no mail. */
  reasons: {
    undeliverable: (why: string) => `The address is marked as undeliverable: ${why}`,
    missing: (variables: readonly string[]) => `There is no ${variables.join(' and no ')}, and no fallback for it.`,
    trouble,
  },

  bulk: {
    title: (number: number) => `Email ${recipients(number)}`,
    summary: ({ template, number, segment }: { template: string; number: number; segment: string }) =>
      `Sends the template “${template}” to ${recipients(number)} of the segment “${segment}”.`,
    summaryLater: ({ template, number, segment }: { template: string; number: number; segment: string }) =>
      `Sends the template “${template}” to ${recipients(number)} of the segment “${segment}” later.`,
    template: 'Template',
    segment: 'Segment',
    inSegment: 'In the segment',
    getIt: 'Get the mail',
    skipped: 'Are skipped',
    begins: 'Begins',
    takes: 'Takes about',
    everybody: 'Everybody in the segment',
    rest: '`segments_preview` lists them all.',
    reads: (whom: string) => `As ${whom} reads it`,
    source: 'The template: some mails have other parts of it',
    who: 'Who gets it',
    sentNow: (number: number) =>
      `${count(number, 'external email')} ${form(number, { one: 'is', other: 'are' })} sent and cannot be taken back`,
    sentLater: (number: number) =>
      `${count(number, 'external email')} ${form(number, { one: 'is', other: 'are' })} sent from that time on; until then the campaign can be stopped`,
    /** How many domains the mails go to, and how many of these are outside. */
    goTo: ({ number, domains, outside }: { number: number; domains: number; outside: number }) => {
      const they = form(number, { one: 'It goes', other: 'They go' })
      if (domains === 1) return `${they} to 1 domain${outside === 1 ? ', which is outside' : ''}`
      return `${they} to ${count(domains, 'domain')}, ${outside === domains ? 'all' : outside === 0 ? 'none' : spokenNumber(outside)} of them outside`
    },
    getNothing: (number: number) =>
      `${count(number, 'contact')} of the segment ${form(number, { one: 'gets', other: 'get' })} nothing`,
    countsForQuota: (number: number) =>
      `${recipients(number)} ${form(number, { one: 'counts', other: 'count' })} for the quota of this server`,
    canBeStopped: 'The campaign can be paused and stopped while it runs; what has gone out stays out',
    confirm: (number: number) => `Send ${count(number, 'email')}`,
    confirmLater: (number: number) => `Schedule ${count(number, 'email')}`,
    skippedAll: (all: number) => `Skipped: ${spokenNumber(all)}`,
    skippedSome: (all: number, named: number) => `Skipped: ${spokenNumber(all)}, of which these are ${named}`,
    contact: 'Contact',
    why: 'Why',
    gets: 'Gets',
    nothing: (reason: string) => `Nothing. ${reason}`,
    theMail: 'The mail',
    withFallbacks: (variables: readonly string[]) => `The mail, with a fallback for ${listed(variables.map(variable))}`,
    noMail: (whom: string) => `${whom} gets no mail.`,
    cannotRender: 'It cannot be rendered.',
    absent: (number: number, name: string) =>
      `${recipients(number)} ${form(number, { one: 'has', other: 'have' })} no ${variable(name)}; the mail does without it.`,
    absentReplaced: (number: number, name: string, fallback: string) =>
      `${recipients(number)} ${form(number, { one: 'has', other: 'have' })} no ${variable(name)}, fallback '${fallback}' will be used.`,
    notGiven: (name: string, fallback: string) =>
      `The call gives no ${variable(name)}, fallback '${fallback}' will be used in every mail.`,
    undeliverable: (number: number) =>
      `${number === 1 ? '1 email address is' : `${spokenNumber(number)} email addresses are`} marked as undeliverable and will be skipped.`,
    leftOut: (number: number, reason: string) => `${recipients(number)} will be skipped: ${reason}`,
    misnamed: {
      title: (number: number) =>
        `${recipients(number)} ${form(number, { one: 'has a name that looks', other: 'have names that look' })} like another address.`,
      text: (name: string, address: string) => `The name “${name}” goes to ${address}.`,
    },
    empty: {
      title: (segment: string) => `Nobody is in the segment “${segment}” now.`,
      text: 'Take another segment; segments_preview says whom one means.',
    },
    nobody: (segment: string) => `Nobody of “${segment}” can get this mail.`,
    allUndeliverable: 'Addresses are marked as undeliverable.',
    /** How it stands when the call ends. */
    accepted: (accepted: number, number: number) =>
      `${spokenNumber(accepted)} of ${mails(number)} accepted by the mail server`,
    campaign: 'Campaign',
  },

  progress: {
    titles: {
      scheduled: 'Campaign scheduled',
      sending: 'Campaign is going out',
      paused: 'Campaign paused',
      stopped: 'Campaign stopped',
      finished: 'Campaign sent',
    } as Readonly<Record<CampaignStatus, string>>,
    nobody: 'Nobody got the campaign',
    stop: 'Stop',
    pause: 'Pause',
    resume: 'Resume',
    done: 'Mails that are done',
    accepted: 'Accepted by the mail server',
    deferred: 'Asked again later',
    refused: 'Refused',
    unknown: 'Not known whether it arrived',
    skipped: 'Skipped',
    stopped: 'Never sent, because it was stopped',
    rests: 'Nothing goes out just now.',
    /** Why; `said`: what was written down, which is in English or in the words of the mail server. */
    because: (_code: RestCode | undefined, said: string): string => said,
  },

  halt: {
    confirmed: 'Confirmed',
    mails: 'Mails',
    left: 'Still to go out',
    mayHave: 'May have arrived',
    because: 'Rests because',
    atServer: (number: number) => `${spokenNumber(number)} at the mail server just now`,
    pause: (template: string) => `Pause the campaign “${template}”`,
    pauseSummary: ({ template, segment, left }: { template: string; segment: string; left: number }) =>
      `Pauses the campaign “${template}” to “${segment}”, of which ${mails(left)} are still to go out.`,
    noMore: 'No more mails go out until it is resumed',
    fewDo: 'A few that are at the mail server in this moment still do',
    pauseConfirm: 'Pause campaign',
    accepted: (accepted: number, number: number) => `${spokenNumber(accepted)} of ${mails(number)} accepted`,
    undoPause: 'Resume the campaign',
    resume: (template: string) => `Send the rest of the campaign “${template}”`,
    resumeSummary: ({ template, segment, left }: { template: string; segment: string; left: number }) =>
      `Resumes the campaign “${template}”: ${mails(left)} to “${segment}” go out.`,
    goOut: (number: number) =>
      `${mails(number)} ${form(number, { one: 'goes', other: 'go' })} out and cannot be taken back`,
    notTwice: 'Nobody gets it twice',
    tookNothing: { title: 'The mail server took nothing from here.', text: (said: string) => `It said: ${said}` },
    resumeConfirm: 'Resume campaign',
    resumed: 'Campaign resumed',
    toGo: (number: number) => `${mails(number)} to go`,
    stop: (template: string) => `Stop the campaign “${template}”`,
    stopSummary: (about: { template: string; segment: string; accepted: number; number: number; left: number }) =>
      `Stops the campaign “${about.template}” to “${about.segment}”: ${spokenNumber(about.accepted)} of ${spokenNumber(about.number)} were sent, ${spokenNumber(about.left)} will not get it.`,
    staySent: (number: number) =>
      `${mails(number)} ${form(number, { one: 'was sent so far and stays', other: 'were sent so far and stay' })} sent`,
    mayHaveGot: (number: number) => `${recipients(number)} may have got it without anybody knowing`,
    goesOn: {
      title: 'It goes on until you confirm.',
      text: 'More mails will have been sent by then than the card says.',
    },
    stopConfirm: 'Stop campaign',
    sent: (number: number) => `${spokenNumber(number)} sent`,
    refused: (number: number) => `${spokenNumber(number)} refused`,
    unknown: (number: number) => `${spokenNumber(number)} unknown`,
    notSent: (number: number) => `${spokenNumber(number)} not sent`,
  },
}

export type CampaignWords = typeof campaigns
