import { quotation } from '../../../../cards/card-words.ts'
import { listing, pluralsOf } from '../../../languages.ts'
import { spokenNumber } from '../../../say.ts'
import type { RenderTrouble } from '../../templates/template.ts'
import type { CampaignWords } from '../en/campaigns.ts'

const { counted, form } = pluralsOf<'one' | 'other'>('de')

const listed = listing('de')
const recipients = (number: number): string => counted(number, { one: '# Empfänger', other: '# Empfänger' })
const mails = (number: number): string => counted(number, { one: '# E-Mail', other: '# E-Mails' })
/** After “bei”. */
const recipientsDative = (number: number): string => counted(number, { one: '# Empfänger', other: '# Empfängern' })

const variables: Readonly<Record<string, string>> = {
  first_name: 'Vorname',
  last_name: 'Nachname',
  name: 'Name',
  email: 'E-Mail-Adresse',
  company: 'Firma',
}
const variable = (name: string): string =>
  (Object.hasOwn(variables, name) ? variables[name] : undefined) ?? name.replaceAll('_', ' ')

function trouble({ field, ...what }: RenderTrouble): string {
  const of = field === 'subject' ? 'Der Betreff' : 'Der Text'
  switch (what.kind) {
    case 'empty':
      return `${of} ist leer.`
    case 'too-long':
      return `${of} hat ${what.length} Zeichen, höchstens ${what.most} sind möglich.`
    case 'unreadable':
    case 'error':
      return `${of} lässt sich nicht erstellen; auf Englisch: ${quotation('de', what.english)}`
    default:
      return what satisfies never
  }
}

const because = {
  mail_server_unreachable: 'Der Mailserver ist nicht erreichbar',
  mail_server_defers: 'Der Mailserver nimmt vorerst nichts an',
  mail_server_refuses_us: 'Der Mailserver lässt diesen Server nicht zu',
  mail_server_refuses_all: 'Der Mailserver lehnt alle Empfänger ab',
  template_unreadable: 'Die Vorlage lässt sich nicht lesen',
  quota_used_up: 'Das Kontingent dieses Servers ist ausgeschöpft',
}

export const campaigns: CampaignWords = {
  variable,
  reasons: {
    undeliverable: (why) => `Die Adresse ist als unzustellbar gekennzeichnet: ${quotation('de', why)}`,
    missing: (names) => `Es fehlt ohne Ersatztext: ${names.map(variable).join(' und ')}.`,
    trouble,
  },

  bulk: {
    title: (number) => `E-Mail an ${recipients(number)}`,
    summary: ({ template, number, segment }) =>
      `Sendet die Vorlage „${template}“ an ${recipients(number)} des Segments „${segment}“.`,
    summaryLater: ({ template, number, segment }) =>
      `Sendet die Vorlage „${template}“ später an ${recipients(number)} des Segments „${segment}“.`,
    template: 'Vorlage',
    segment: 'Segment',
    inSegment: 'Im Segment',
    getIt: 'Erhalten die E-Mail',
    skipped: 'Werden ausgelassen',
    begins: 'Beginn',
    takes: 'Dauert etwa',
    everybody: 'Alle im Segment',
    rest: '`segments_preview` listet sie alle auf.',
    reads: (whom) => `Wie sie für ${whom} lautet`,
    source: 'Die Vorlage: Manche E-Mails enthalten andere Teile davon',
    who: 'Wer sie erhält',
    sentNow: (number) =>
      counted(number, {
        one: '# externe E-Mail wird versendet und lässt sich nicht zurückholen',
        other: '# externe E-Mails werden versendet und lassen sich nicht zurückholen',
      }),
    sentLater: (number) =>
      counted(number, {
        one: '# externe E-Mail wird ab diesem Zeitpunkt versendet; bis dahin lässt sich die Kampagne beenden',
        other: '# externe E-Mails werden ab diesem Zeitpunkt versendet; bis dahin lässt sich die Kampagne beenden',
      }),
    goTo: ({ number, domains, outside }) => {
      const they = form(number, { one: 'Sie geht', other: 'Sie gehen' })
      if (domains === 1) return `${they} an 1 ${outside === 1 ? 'externe ' : ''}Domain`
      return `${they} an ${counted(domains, { one: '# Domain', other: '# Domains' })}, davon ${outside === domains ? 'alle' : outside === 0 ? 'keine' : spokenNumber(outside)} extern`
    },
    getNothing: (number) =>
      counted(number, {
        one: '# Kontakt des Segments erhält nichts',
        other: '# Kontakte des Segments erhalten nichts',
      }),
    countsForQuota: (number) =>
      counted(number, {
        one: '# Empfänger zählt für das Kontingent dieses Servers',
        other: '# Empfänger zählen für das Kontingent dieses Servers',
      }),
    canBeStopped: 'Die Kampagne lässt sich unterwegs anhalten und beenden; was versendet ist, bleibt versendet',
    confirm: (number) => `${mails(number)} senden`,
    confirmLater: (number) => `${mails(number)} planen`,
    skippedAll: (all) => `Ausgelassen: ${spokenNumber(all)}`,
    skippedSome: (all, named) => `Ausgelassen: ${spokenNumber(all)}, davon hier ${named}`,
    contact: 'Kontakt',
    why: 'Grund',
    gets: 'Erhält',
    nothing: (reason) => `Nichts. ${reason}`,
    theMail: 'Die E-Mail',
    withFallbacks: (names) => `Die E-Mail, mit Ersatztext für: ${listed(names.map(variable))}`,
    noMail: (whom) => `${whom} erhält keine E-Mail.`,
    cannotRender: 'Sie lässt sich nicht erstellen.',
    absent: (number, name) => `Bei ${recipientsDative(number)} fehlt: ${variable(name)}; die E-Mail kommt ohne aus.`,
    absentReplaced: (number, name, fallback) =>
      `Bei ${recipientsDative(number)} fehlt: ${variable(name)}; dafür steht der Ersatztext „${fallback}“.`,
    notGiven: (name, fallback) =>
      `Der Aufruf gibt nicht an: ${variable(name)}; in jeder E-Mail steht dafür der Ersatztext „${fallback}“.`,
    undeliverable: (number) =>
      number === 1
        ? '1 E-Mail-Adresse ist als unzustellbar gekennzeichnet und wird ausgelassen.'
        : `${spokenNumber(number)} E-Mail-Adressen sind als unzustellbar gekennzeichnet und werden ausgelassen.`,
    leftOut: (number, reason) =>
      `${counted(number, { one: '# Empfänger wird ausgelassen', other: '# Empfänger werden ausgelassen' })}: ${reason}`,
    misnamed: {
      title: (number) =>
        counted(number, {
          one: '# Empfänger hat einen Namen, der wie eine andere Adresse aussieht.',
          other: '# Empfänger haben Namen, die wie eine andere Adresse aussehen.',
        }),
      text: (name, address) => `Die E-Mail an „${name}“ geht an ${address}.`,
    },
    empty: {
      title: (segment) => `Im Segment „${segment}“ ist derzeit niemand.`,
      text: 'Wählen Sie ein anderes Segment; segments_preview sagt, wen eines umfasst.',
    },
    nobody: (segment) => `Niemand aus „${segment}“ kann diese E-Mail erhalten.`,
    allUndeliverable: 'Adressen sind als unzustellbar gekennzeichnet.',
    accepted: (accepted, number) => `${spokenNumber(accepted)} von ${mails(number)} vom Mailserver angenommen`,
    campaign: 'Kampagne',
  },

  progress: {
    titles: {
      scheduled: 'Kampagne geplant',
      sending: 'Kampagne wird versendet',
      paused: 'Kampagne angehalten',
      stopped: 'Kampagne beendet',
      finished: 'Kampagne versendet',
    },
    nobody: 'Niemand hat die Kampagne erhalten',
    stop: 'Beenden',
    pause: 'Anhalten',
    resume: 'Fortsetzen',
    done: 'Erledigte E-Mails',
    accepted: 'Vom Mailserver angenommen',
    deferred: 'Später erneut versucht',
    refused: 'Abgelehnt',
    unknown: 'Zustellung unbekannt',
    skipped: 'Ausgelassen',
    stopped: 'Wegen des Abbruchs nie versendet',
    rests: 'Derzeit wird nichts versendet.',
    because: (code, said) =>
      code === undefined ? quotation('de', said) : `${because[code]}: ${quotation('de', said)}`,
  },

  halt: {
    confirmed: 'Bestätigt',
    mails: 'E-Mails',
    left: 'Noch zu versenden',
    mayHave: 'Vielleicht angekommen',
    because: 'Ruht, weil',
    atServer: (number) => `${spokenNumber(number)} gerade beim Mailserver`,
    pause: (template) => `Kampagne „${template}“ anhalten`,
    pauseSummary: ({ template, segment, left }) =>
      `Hält die Kampagne „${template}“ an „${segment}“ an; noch zu versenden: ${mails(left)}.`,
    noMore: 'Bis zur Fortsetzung werden keine weiteren E-Mails versendet',
    fewDo: 'Einige wenige, die gerade beim Mailserver sind, gehen noch hinaus',
    pauseConfirm: 'Kampagne anhalten',
    accepted: (accepted, number) => `${spokenNumber(accepted)} von ${mails(number)} angenommen`,
    undoPause: 'Kampagne fortsetzen',
    resume: (template) => `Rest der Kampagne „${template}“ senden`,
    resumeSummary: ({ template, segment, left }) =>
      `Setzt die Kampagne „${template}“ fort und versendet ${mails(left)} an „${segment}“.`,
    goOut: (number) =>
      counted(number, {
        one: '# E-Mail wird versendet und lässt sich nicht zurückholen',
        other: '# E-Mails werden versendet und lassen sich nicht zurückholen',
      }),
    notTwice: 'Niemand erhält sie zweimal',
    tookNothing: {
      title: 'Der Mailserver hat von hier nichts angenommen.',
      text: (said) => `Seine Antwort: ${quotation('de', said)}`,
    },
    resumeConfirm: 'Kampagne fortsetzen',
    resumed: 'Kampagne fortgesetzt',
    toGo: (number) => `Noch ${mails(number)}`,
    stop: (template) => `Kampagne „${template}“ beenden`,
    stopSummary: (about) =>
      `Beendet die Kampagne „${about.template}“ an „${about.segment}“: ${spokenNumber(about.accepted)} von ${spokenNumber(about.number)} wurden versendet, ${spokenNumber(about.left)} erhalten sie nicht.`,
    staySent: (number) =>
      counted(number, {
        one: '# E-Mail wurde bisher versendet und bleibt versendet',
        other: '# E-Mails wurden bisher versendet und bleiben versendet',
      }),
    mayHaveGot: (number) =>
      counted(number, {
        one: '# Empfänger hat sie vielleicht erhalten, ohne dass es bekannt ist',
        other: '# Empfänger haben sie vielleicht erhalten, ohne dass es bekannt ist',
      }),
    goesOn: {
      title: 'Die Kampagne läuft weiter, bis Sie bestätigen.',
      text: 'Bis dahin sind mehr E-Mails versendet, als die Karte angibt.',
    },
    stopConfirm: 'Kampagne beenden',
    sent: (number) => `${spokenNumber(number)} gesendet`,
    refused: (number) => `${spokenNumber(number)} abgelehnt`,
    unknown: (number) => `${spokenNumber(number)} unbekannt`,
    notSent: (number) => `${spokenNumber(number)} nicht gesendet`,
  },
}
