import type { FoundSecret } from '../../../../model/found-secret.ts'
import { pluralsOf } from '../../../languages.ts'
import { spokenNumber } from '../../../say.ts'
import type { Script } from '../../addresses/domains.ts'
import type { SecretPlace } from '../../policy.ts'
import type { Span } from '../../quota.ts'
import type { RulesWords } from '../en/rules.ts'

const { counted, form } = pluralsOf<'one' | 'other'>('de')

const within = { hour: 'innerhalb einer Stunde', day: 'innerhalb eines Tages' }

const duration = (span: Span | undefined, less = 'Weniger als eine Minute'): string =>
  span === undefined
    ? less
    : counted(
        span.number,
        {
          minutes: { one: '# Minute', other: '# Minuten' },
          hours: { one: '# Stunde', other: '# Stunden' },
          days: { one: '# Tag', other: '# Tage' },
        }[span.unit],
      )

const secrets: Readonly<Record<FoundSecret['what'], string>> = {
  'a payment card number': 'eine Kartennummer',
  'a password': 'ein Passwort',
  'a private key': 'einen privaten Schlüssel',
  'a key, token or password': 'einen Schlüssel, ein Token oder ein Passwort',
}

function place(where: SecretPlace): string {
  switch (where.at) {
    case 'subject':
      return 'im Betreff'
    case 'line':
      return `in Zeile ${where.line}`
    case 'name':
      return `im Namen von ${where.whom}`
    case 'reply-to':
      return 'in der Antwortadresse'
    case 'file-name':
      return 'im Namen eines Anhangs'
    case 'file-line':
      return `in Zeile ${where.line} von ${where.file}`
    case 'template-subject':
      return 'im Betreff der Vorlage'
    case 'template-line':
      return `in Zeile ${where.line} der Vorlage`
    case 'value':
      return `in ${where.name}`
    default:
      return where satisfies never
  }
}

const scripts: Readonly<Record<Script, string>> = {
  Latin: 'lateinische',
  Cyrillic: 'kyrillische',
  Greek: 'griechische',
  Armenian: 'armenische',
  Hebrew: 'hebräische',
  Arabic: 'arabische',
  Georgian: 'georgische',
  Cherokee: 'Cherokee-',
  Thai: 'thailändische',
  Devanagari: 'Devanagari-',
  Han: 'chinesische',
  Hiragana: 'Hiragana-',
  Katakana: 'Katakana-',
  Hangul: 'koreanische',
}

export const rules: RulesWords = {
  secret: (what, where) => `${secrets[what]} ${place(where)}`,
  hasSecrets: {
    title: (found) => `Die E-Mail enthält ${found}.`,
    text: 'Wer sie erhält, kann davon Gebrauch machen.',
  },
  deceits: {
    looksLike: (domain, meant) => `${domain} sieht aus wie ${meant}, ist aber eine andere Domain.`,
    mixes: (shown, found) => `${shown} mischt ${found.map((each) => scripts[each]).join(' und ')} Buchstaben.`,
    foreign: (shown, script, latin) =>
      `${shown} enthält ${script === undefined ? 'fremde' : scripts[script]} Buchstaben, die wie „${latin}“ aussehen.`,
    name: (name, shown) => `Der Name „${name}“ sieht aus wie eine Adresse, die E-Mail geht aber an ${shown}.`,
    link: (text, host) => `Der Verweis „${text}“ führt zu ${host}.`,
    beforeHost: (url, host) => `Der Verweis ${url} führt zu ${host}; was vor dem @ steht, ist kein Server.`,
    more: (number) => `${number} weitere Verweise oder Adressen führen anderswohin, als es aussieht.`,
  },

  policy: {
    allow: (most) => `Die Betreiber dieses Servers erlauben ${most}.`,
    tooMany: (number) =>
      counted(number, {
        one: '# Empfänger ist mehr, als eine E-Mail haben darf.',
        other: '# Empfänger sind mehr, als eine E-Mail haben darf.',
      }),
    tooManyForCampaign: (number) =>
      counted(number, {
        one: '# Empfänger ist mehr, als eine Kampagne haben darf.',
        other: '# Empfänger sind mehr, als eine Kampagne haben darf.',
      }),
    attachments: {
      title: (size) => `Die Anhänge haben zusammen ${size}.`,
      text: (most) => `Die Betreiber dieses Servers erlauben ${most}. Senden Sie stattdessen einen Download-Link.`,
    },
    secrets:
      'Vertrauliche Zugangsdaten verlassen diesen Server nicht per E-Mail. Entfernen Sie sie, und übermitteln Sie sie auf anderem Weg.',
    noMailTo: (domains) => `Keine E-Mails gehen an ${domains}.`,
    blocked: (number) =>
      form(number, {
        one: 'Die Betreiber dieses Servers haben diese Domain gesperrt.',
        other: 'Die Betreiber dieses Servers haben diese Domains gesperrt.',
      }),
    noDomain: 'keine Domain',
    there: (number) =>
      counted(number, {
        one: '# Empfänger dieser Kampagne hat dort eine Adresse; wählen Sie ein Segment ohne ihn.',
        other: '# Empfänger dieser Kampagne haben dort eine Adresse; wählen Sie ein Segment ohne sie.',
      }),
  },

  quota: {
    never: (number, period) =>
      `${counted(number, { one: '# Empfänger ist', other: '# Empfänger sind' })} mehr, als ${within[period]} je eine E-Mail erhalten dürfen.`,
    fewer: (most) => `Die Betreiber dieses Servers erlauben ${most}. Senden Sie sie an weniger Empfänger.`,
    over: (number, period) =>
      `${counted(number, { one: '# Empfänger', other: '# Empfänger' })} ${within[period]} sind mehr, als E-Mails erhalten dürfen.`,
    later: (most, from) =>
      `Die Betreiber dieses Servers erlauben ${most}. Ab ${from} ist wieder Platz: Planen Sie den Versand dann ein (sendAt).`,
    slow: {
      title: (number, days) =>
        `${counted(number, { one: '# E-Mail würde', other: '# E-Mails würden' })} nach dem Kontingent dieses Servers etwa ${counted(days, { one: '# Tag', other: '# Tage' })} brauchen.`,
      text: (most, period) =>
        `Die Betreiber erlauben ${most} ${within[period]}, und eine Kampagne dauert höchstens eine Woche. Wählen Sie ein kleineres Segment, oder bitten Sie die Betreiber, das Kontingent zu erhöhen.`,
    },
    limits: (quotas) => quotas.map((each) => `${spokenNumber(each.most)} ${within[each.within]}`).join(' und '),
    duration,
    paced: (limits, span) =>
      `Das Kontingent dieses Servers erlaubt ${limits}: Die E-Mails werden nach und nach versendet, die letzte etwa ${duration(span, 'weniger als eine Minute')} nach der ersten`,
  },
}
