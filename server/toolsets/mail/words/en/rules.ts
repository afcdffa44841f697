// English for what forbids a mail, delays it or makes one doubtful.
import type { FoundSecret } from '../../../../model/found-secret.ts'
import { pluralsOf } from '../../../languages.ts'
import { count, spokenNumber } from '../../../say.ts'
import type { Script } from '../../addresses/domains.ts'
import type { SecretPlace } from '../../policy.ts'
import type { Period, Span } from '../../quota.ts'

const { form } = pluralsOf<'one' | 'other'>('en')

const recipients = (number: number): string => count(number, 'recipient')
const within: Readonly<Record<Period, string>> = { hour: 'an hour', day: 'a day' }

function duration(span: Span | undefined): string {
  if (span === undefined) return 'Less than a minute'
  return count(span.number, { minutes: 'minute', hours: 'hour', days: 'day' }[span.unit])
}

function place(where: SecretPlace): string {
  switch (where.at) {
    case 'subject':
      return 'its subject'
    case 'line':
      return `line ${where.line}`
    case 'name':
      return `the name of ${where.whom}`
    case 'reply-to':
      return 'the address for answers'
    case 'file-name':
      return 'the name of an attachment'
    case 'file-line':
      return `line ${where.line} of ${where.file}`
    case 'template-subject':
      return 'the subject of the template'
    case 'template-line':
      return `line ${where.line} of the template`
    case 'value':
      return where.name
    default:
      return where satisfies never
  }
}

const scripts: Readonly<Record<Script, string>> = {
  Latin: 'Latin',
  Cyrillic: 'Cyrillic',
  Greek: 'Greek',
  Armenian: 'Armenian',
  Hebrew: 'Hebrew',
  Arabic: 'Arabic',
  Georgian: 'Georgian',
  Cherokee: 'Cherokee',
  Thai: 'Thai',
  Devanagari: 'Devanagari',
  Han: 'Han',
  Hiragana: 'Hiragana',
  Katakana: 'Katakana',
  Hangul: 'Hangul',
}

const secrets: Readonly<Record<FoundSecret['what'], string>> = {
  'a payment card number': 'a payment card number',
  'a password': 'a password',
  'a private key': 'a private key',
  'a key, token or password': 'a key, token or password',
}

export const rules = {
  secret: (what: FoundSecret['what'], where: SecretPlace): string => `${secrets[what]} in ${place(where)}`,
  hasSecrets: { title: (found: string) => `The mail has ${found}.`, text: 'Whoever gets it can use it.' },
  /** Addresses and links that may be taken for others. */
  deceits: {
    looksLike: (domain: string, meant: string) => `${domain} looks like ${meant} and is another domain.`,
    mixes: (shown: string, found: readonly Script[]) =>
      `${shown} mixes ${found.map((each) => scripts[each]).join(' and ')} letters.`,
    foreign: (shown: string, script: Script | undefined, latin: string) =>
      `${shown} is written in ${script === undefined ? 'foreign' : scripts[script]} letters that look like “${latin}”.`,
    name: (name: string, shown: string) => `The name “${name}” looks like an address, and the mail goes to ${shown}.`,
    link: (text: string, host: string) => `The link “${text}” leads to ${host}.`,
    beforeHost: (url: string, host: string) => `The link ${url} leads to ${host}; what stands before its @ is no host.`,
    more: (number: number) => `${number} more links or addresses lead elsewhere than they look.`,
  },

  policy: {
    allow: (most: number | string) => `The operators of this server allow ${most}.`,
    tooMany: (number: number) => `${recipients(number)} are more than one mail may have.`,
    tooManyForCampaign: (number: number) => `${recipients(number)} are more than one campaign may have.`,
    attachments: {
      title: (size: string) => `The attachments have ${size} together.`,
      text: (most: string) => `The operators of this server allow ${most}. Send a download link instead.`,
    },
    secrets: 'Secrets do not leave this server by mail. Take it out; hand it over another way.',
    noMailTo: (domains: string) => `No mail goes to ${domains}.`,
    blocked: (number: number) =>
      `The operators of this server have blocked ${number === 1 ? 'that domain' : 'those domains'}.`,
    noDomain: 'no domain',
    there: (number: number) =>
      `${recipients(number)} of this campaign ${form(number, { one: 'has', other: 'have' })} an address there; take a segment without them.`,
  },

  quota: {
    never: (number: number, period: Period) =>
      `${recipients(number)} are more than may ever get mail within ${within[period]}.`,
    fewer: (most: string) => `The operators of this server allow ${most}. Send it to fewer.`,
    over: (number: number, period: Period) =>
      `${recipients(number)} within ${within[period]} are more than may get mail.`,
    later: (most: string, from: string) =>
      `The operators of this server allow ${most}. There is room from ${from} on: send it then (sendAt).`,
    slow: {
      title: (number: number, days: number) =>
        `${count(number, 'mail')} would take about ${count(days, 'day')} by the quota of this server.`,
      text: (most: string, period: Period) =>
        `Its operators allow ${most} within ${within[period]}, and a campaign takes a week at most. Take a smaller segment, or ask them to raise the quota.`,
    },
    limits: (quotas: readonly { readonly most: number; readonly within: Period }[]) =>
      quotas.map((each) => `${spokenNumber(each.most)} within ${within[each.within]}`).join(' and '),
    duration,
    paced: (limits: string, span: Span | undefined) =>
      `The quota of this server lets ${limits} get mail: they go out bit by bit, the last about ${duration(span).toLowerCase()} after the first`,
  },
}

export type RulesWords = typeof rules
