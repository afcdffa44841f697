import { quotation } from '../../../../cards/card-words.ts'
import { pluralsOf } from '../../../languages.ts'
import type { PeopleWords } from '../en/people.ts'

const { counted } = pluralsOf<'one' | 'other'>('de')

const fields = {
  name: 'Name',
  description: 'Beschreibung',
  subject: 'Betreff',
  body: 'Text',
  variables: 'Angaben je Aufruf',
  fallbacks: 'Ersatztexte',
}

export const people: PeopleWords = {
  contact: {
    fields: { name: 'Name', firstName: 'Vorname', lastName: 'Nachname', company: 'Firma', note: 'Notiz' },
    add: (name) => `${name} zu den Kontakten hinzufügen`,
    addSummary: (address, name) => `Fügt ${address}${name === null ? '' : ` als ${name}`} zu den Kontakten hinzu.`,
    shown: 'Karten von E-Mails zeigen zu dieser Adresse diesen Namen',
    nobodyTold: 'Niemand wird benachrichtigt',
    addConfirm: 'Kontakt hinzufügen',
    added: 'Kontakt hinzugefügt',
    change: (whom) => `Kontakt ${whom} ändern`,
    changeSummary: (what, whom) => `Ändert bei ${whom}: ${what.join(', ')}.`,
    arrives: 'Zustellbarkeit',
    notArrives: 'E-Mails kommen nicht an',
    mayGo: 'Dorthin dürfen wieder E-Mails gehen',
    changeConfirm: 'Kontakt ändern',
    changed: 'Kontakt geändert',
    changeBack: 'Änderung zurücknehmen',
  },

  segment: {
    create: (name) => `Segment „${name}“ erstellen`,
    summary: (name, number) =>
      `Erstellt das Segment „${name}“, das derzeit ${counted(number, { one: '# Kontakt', other: '# Kontakte' })} umfasst.`,
    who: 'Wer gemeint ist',
    everybody: 'Alle Kontakte',
    allOf: (conditions) => conditions.join('; und '),
    fields: {
      name: 'Name',
      first_name: 'Vorname',
      last_name: 'Nachname',
      email: 'Adresse',
      domain: 'Domain',
      company: 'Firma',
      note: 'Notiz',
      undeliverable: 'Kennzeichen „unzustellbar“',
    },
    is: (field, value) => `${field} ist „${value}“`,
    isNot: (field, value) => `${field} ist nicht „${value}“`,
    contains: (field, value) => `${field} enthält „${value}“`,
    exists: (field) => `${field} ist vorhanden`,
    missing: (field) => `${field} fehlt`,
    withoutFirstName: 'Ohne Vornamen',
    undeliverable: 'Unzustellbar',
    meantNow: 'Derzeit gemeint',
    noName: 'Kein Name',
    isRule:
      'Wer die Bedingungen erfüllt, wenn das Segment verwendet wird, gehört dazu, auch später hinzugefügte Kontakte',
    noConditions: 'Es gibt keine Bedingungen: Alle Kontakte sind gemeint.',
    nobody: 'Derzeit erfüllt niemand diese Bedingungen.',
    confirm: 'Segment erstellen',
    created: (name) => `Segment „${name}“ erstellt`,
    now: (number) => counted(number, { one: 'Derzeit # Kontakt', other: 'Derzeit # Kontakte' }),
    id: 'ID',
  },

  template: {
    fields,
    spoken: fields,
    done: fields,
    create: (name) => `Vorlage „${name}“ erstellen`,
    createSummary: (name, subject) => `Erstellt die Vorlage „${name}“ mit dem Betreff „${subject}“.`,
    reads: (name) => `Wie sie sich liest, zum Beispiel für ${name}`,
    readsNow: (name) => `Wie sie sich jetzt liest, zum Beispiel für ${name}`,
    readsThen: 'Wie sie sich lesen würde',
    noSample: (label) => `${label}: Es gäbe keine E-Mail.`,
    problem: (english) => `Auf Englisch: ${quotation('de', english)}`,
    canBeUsed: 'Die Vorlage kann ab dann für E-Mails verwendet werden',
    createConfirm: 'Vorlage erstellen',
    created: (name) => `Vorlage „${name}“ erstellt`,
    id: 'ID',
    without: (variable) => `Ohne ${variable}`,
    needed: {
      title: (variables) => `Empfänger, bei denen dies fehlt, erhalten keine E-Mail: ${variables.join(' oder ')}.`,
      text: 'Dafür gibt es keinen Ersatztext. Wer ausgelassen wird, wird vor dem Versand genannt.',
    },
    change: (name) => `Vorlage „${name}“ ändern`,
    changeSummary: (what, name) => `Ändert in der Vorlage „${name}“: ${what}.`,
    readOtherwise: 'E-Mails, die danach aus dieser Vorlage entstehen, lauten anders',
    othersStay: 'Gesendete und geplante E-Mails bleiben, wie sie sind',
    changeConfirm: 'Vorlage ändern',
    changed: (name) => `Vorlage „${name}“ geändert`,
    changeBack: (name) => `Änderung an „${name}“ zurücknehmen`,
    now: (field) => `${field} bisher`,
    afterwards: (field) => `${field} neu`,
  },
}
