import { listing, pluralsOf } from '../../../languages.ts'
import { de as files } from '../../../files/words/de.ts'
import type { MailsWords } from '../en/mails.ts'

const { counted, form } = pluralsOf<'one' | 'other'>('de')

const listed = listing('de')
const recipients = (number: number): string => counted(number, { one: '# Empfänger', other: '# Empfänger' })
const doNot = (number: number): string =>
  counted(number, { one: '# Empfänger erhält sie nicht', other: '# Empfänger erhalten sie nicht' })

const fields: MailsWords['draft']['fields'] = {
  to: 'An',
  cc: 'Kopie an (Cc)',
  bcc: 'Blindkopie an (Bcc)',
  replyTo: 'Antworten an',
  subject: 'Betreff',
  body: 'Text',
  attachments: 'Anhänge',
  projectId: 'Projekt',
}

export const mails: MailsWords = {
  units: files.units,
  listed,
  andMore: (first, more) => `${first} und ${more} weitere`,
  recipients,
  noMailByThis: 'Dadurch erhält niemand eine E-Mail',
  of: (name, warning) => `${name}: ${warning}`,
  outside: (domain) => `${domain} · extern`,
  hasHtml: {
    title: 'Der Text enthält HTML.',
    text: 'Die Empfänger sehen es so, wie es geschrieben ist; nichts davon wird ausgeführt oder geladen.',
  },
  missed: {
    title: (moment) => `Der vorgesehene Versandzeitpunkt ist verstrichen (${moment}).`,
    text: 'Die E-Mail wird sofort versendet.',
  },
  links: { label: 'Verweise', text: 'Text', leadsTo: 'Führt zu', address: 'Adresse' },
  labels: { address: 'Adresse', name: 'Name', subject: 'Betreff', from: 'Von', answersTo: 'Antworten an' },
  atOnce: 'Sofort',
  newRecipients: (number) =>
    counted(number, {
      one: '# Empfänger hat von hier noch nie eine E-Mail erhalten',
      other: '# Empfänger haben von hier noch nie eine E-Mail erhalten',
    }),

  send: {
    title: (whom) => `E-Mail an ${whom} senden`,
    summary: ({ subject, whom, attachments }) =>
      `Sendet die E-Mail „${subject}“ an ${whom}${attachments === 0 ? '' : counted(attachments, { one: ', mit # Anhang', other: ', mit # Anhängen' })}.`,
    goesOut: 'Versand',
    project: 'Projekt',
    text: 'Die E-Mail, wie sie gelesen wird',
    leavesNow: (number) => `Die E-Mail geht an ${recipients(number)} und lässt sich nicht zurückholen`,
    leavesLater: (number) =>
      `Die E-Mail geht zum genannten Zeitpunkt an ${recipients(number)}; bis dahin lässt sie sich abbrechen`,
    leavesFor: (domains, named) =>
      `Sie geht an ${domains === 1 ? 'eine externe Domain' : `${domains} externe Domains`}: ${named}`,
    hidden: (number) =>
      counted(number, {
        one: '# Empfänger (Bcc) erhält sie, ohne dass die anderen es sehen',
        other: '# Empfänger (Bcc) erhalten sie, ohne dass die anderen es sehen',
      }),
    kept: 'Sie bleibt in der Liste der E-Mails',
    draftGoes: (id) => `Der Entwurf ${id} wird gelöscht`,
    draftDiffers: (id, differs) => `Der Entwurf ${id} wird gelöscht; diese E-Mail weicht davon ab: ${differs}`,
    confirm: 'E-Mail senden',
    confirmLater: 'Versand planen',
    roles: { to: 'An', cc: 'Kopie an (Cc)', bcc: 'Blindkopie an (Bcc); für die anderen nicht sichtbar' },
    notContact: (name) => `${name} · nicht in Ihren Kontakten`,
    all: (role, number) => `${role}: alle ${number}`,
    before: 'Früher angeschrieben',
    never: 'Nie',
    yes: 'Ja',
    attachments: 'Anhänge',
    name: 'Name',
    type: 'Typ, dem Inhalt nach',
    size: 'Größe',
    together: 'Zusammen',
    done: { sent: 'E-Mail gesendet', scheduled: 'E-Mail geplant', failed: 'E-Mail nicht gesendet' },
    mail: 'E-Mail',
    state: 'Status',
    states: {
      pending: 'ausstehend',
      deferred: 'aufgeschoben',
      accepted: 'angenommen',
      refused: 'abgelehnt',
      unknown: 'unbekannt',
      cancelled: 'abgebrochen',
    },
    answer: 'Antwort des Mailservers',
    notGot: (addresses) =>
      `${listed(addresses)} ${form(addresses.length, { one: 'erhält', other: 'erhalten' })} sie nicht.`,
    undo: 'E-Mail abbrechen',
  },

  cancel: {
    title: (subject) => `E-Mail „${subject}“ abbrechen`,
    summary: (subject, whom) => `Bricht den Versand der E-Mail „${subject}“ an ${whom} ab.`,
    would: 'Geplanter Versand',
    who: 'Erhalten sie nicht',
    doNot,
    answered: (number) =>
      counted(number, {
        one: 'Für # Empfänger hat der Mailserver schon geantwortet; dabei bleibt es',
        other: 'Für # Empfänger hat der Mailserver schon geantwortet; dabei bleibt es',
      }),
    confirm: 'Versand stoppen',
    done: 'E-Mail abgebrochen',
  },

  settle: {
    mail: (subject) => `E-Mail „${subject}“`,
    campaign: (template) => `Kampagne „${template}“`,
    again: (what, whom) => `${what} noch einmal an ${whom} senden`,
    reached: (what, whom) => `Festhalten: ${what} hat ${whom} erreicht`,
    notReached: (what, whom) => `Festhalten: ${what} hat ${whom} nicht erreicht`,
    againSummary: (what, whom) =>
      `Sendet noch einmal an ${whom}: ${what}. Ob die erste Sendung angekommen ist, ist nicht bekannt.`,
    reachedSummary: (what, whom) => `Hält fest, dass dies angekommen ist bei ${whom}: ${what}.`,
    notReachedSummary: (what, whom) => `Hält fest, dass dies nicht angekommen ist bei ${whom}: ${what}.`,
    who: 'Nicht bekannt für',
    said: 'Ihre Angabe',
    arrived: 'Sie ist angekommen',
    notArrived: 'Sie ist nicht angekommen',
    goesOut: (number) =>
      counted(number, {
        one: '# E-Mail wird versendet und lässt sich nicht zurückholen',
        other: '# E-Mails werden versendet und lassen sich nicht zurückholen',
      }),
    goesOutResumed: (number) =>
      counted(number, {
        one: '# E-Mail wird versendet, sobald die Kampagne fortgesetzt wird, und lässt sich nicht zurückholen',
        other: '# E-Mails werden versendet, sobald die Kampagne fortgesetzt wird, und lassen sich nicht zurückholen',
      }),
    waits: (number, from) =>
      `Das Kontingent dieses Servers ist ausgeschöpft: Der Versand erfolgt, sobald wieder ${form(number, { one: 'Platz dafür', other: 'Platz für alle' })} ist, ab ${from}`,
    counts: 'Gilt als gesendet',
    doNot: (number) =>
      form(number, { one: 'Dieser Empfänger erhält sie nicht', other: 'Diese Empfänger erhalten sie nicht' }),
    twice: {
      title: (number) =>
        form(number, {
          one: 'Diese Person erhält dieselbe E-Mail womöglich zweimal.',
          other: 'Jede dieser Personen erhält dieselbe E-Mail womöglich zweimal.',
        }),
      text: 'Niemand weiß, ob die erste zugestellt wurde. Bestätigen Sie nur, wenn Sie nachgefragt haben und sie nicht ankam.',
    },
    confirmAgain: 'Noch einmal senden',
    confirm: 'Festhalten',
    sentAgain: 'Noch einmal gesendet',
    doneArrived: 'Als angekommen festgehalten',
    doneNotArrived: 'Als nicht angekommen festgehalten',
  },

  draft: {
    fields,
    spoken: { ...fields, to: 'Empfänger', cc: 'Cc-Empfänger', bcc: 'Bcc-Empfänger', replyTo: 'Antwortadresse' },
    called: (subject) => `„${subject}“`,
    to: (addresses) => `an ${addresses.join(', ')}`,
    noSubject: 'ohne Betreff',
    write: 'Entwurf schreiben',
    keeps: (called) => `Speichert den Entwurf ${called}.`,
    keep: 'Entwurf speichern',
    kept: 'Entwurf gespeichert',
    undo: 'Entwurf löschen',
    change: (called) => `Entwurf ${called} ändern`,
    changes: (what, called) => `Ändert im Entwurf ${called}: ${what}.`,
    changeConfirm: 'Entwurf ändern',
    changed: 'Entwurf geändert',
    changeBack: 'Änderung zurücknehmen',
    remove: (called) => `Entwurf ${called} löschen`,
    removes: (called) => `Löscht den Entwurf ${called}.`,
    gone: 'Der Entwurf ist endgültig gelöscht',
    removeConfirm: 'Entwurf löschen',
    removed: 'Entwurf gelöscht',
    writeAgain: 'Wieder anlegen',
    text: 'Text',
    textThen: (before) =>
      counted(before, { one: 'Neuer Text (bisher # Zeichen)', other: 'Neuer Text (bisher # Zeichen)' }),
  },
}
