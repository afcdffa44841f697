import { quotation } from '../../../../cards/card-words.ts'
import { pluralsOf } from '../../../languages.ts'
import type { PeopleWords } from '../en/people.ts'

const { counted } = pluralsOf<'one' | 'many' | 'other'>('fr')

export const people: PeopleWords = {
  contact: {
    fields: { name: 'Nom', firstName: 'Prénom', lastName: 'Nom de famille', company: 'Société', note: 'Note' },
    add: (name) => `Ajouter ${name} aux contacts`,
    addSummary: (address, name) => `Ajoute ${address} aux contacts${name === null ? '' : `, sous le nom ${name}`}.`,
    shown: 'Les cartes des e-mails affichent ce nom pour cette adresse',
    nobodyTold: 'Personne n’est averti',
    addConfirm: 'Ajouter le contact',
    added: 'Contact ajouté',
    change: (whom) => `Modifier le contact ${whom}`,
    changeSummary: (what, whom) => `Modifie le contact ${whom} : ${what.map((each) => each.toLowerCase()).join(', ')}.`,
    arrives: 'réception des e-mails',
    notArrives: 'Les e-mails n’arrivent pas',
    mayGo: 'Des e-mails peuvent à nouveau y être envoyés',
    changeConfirm: 'Modifier le contact',
    changed: 'Contact modifié',
    changeBack: 'Annuler la modification',
  },

  segment: {
    create: (name) => `Créer le segment « ${name} »`,
    summary: (name, number) =>
      `Crée le segment « ${name} », qui compte actuellement ${counted(number, { one: '# contact', many: '# de contacts', other: '# contacts' })}.`,
    who: 'Qui est concerné',
    everybody: 'Tous les contacts',
    allOf: (conditions) => conditions.join(' ; et '),
    fields: {
      name: 'le nom',
      first_name: 'le prénom',
      last_name: 'le nom de famille',
      email: 'l’adresse',
      domain: 'le domaine',
      company: 'la société',
      note: 'la note',
      // What is kept there is the reason, so this can be empty and contain words like the others.
      undeliverable: 'le motif de non-distribution',
    },
    is: (field, value) => `${field} est « ${value} »`,
    isNot: (field, value) => `${field} n’est pas « ${value} »`,
    contains: (field, value) => `${field} contient « ${value} »`,
    exists: (field) => `${field} n’est pas vide`,
    missing: (field) => `${field} est vide`,
    withoutFirstName: 'Sans prénom',
    undeliverable: 'Non distribuables',
    meantNow: 'Concernés actuellement',
    noName: 'Sans nom',
    isRule:
      'Quiconque remplit les conditions au moment où le segment est utilisé en fait partie, y compris les contacts ajoutés plus tard',
    noConditions: 'Il n’y a pas de conditions : tous les contacts sont concernés.',
    nobody: 'Personne ne remplit actuellement ces conditions.',
    confirm: 'Créer le segment',
    created: (name) => `Segment « ${name} » créé`,
    now: (number) =>
      counted(number, {
        one: '# contact actuellement',
        many: '# de contacts actuellement',
        other: '# contacts actuellement',
      }),
    id: 'Identifiant',
  },

  template: {
    fields: {
      name: 'Nom',
      description: 'Description',
      subject: 'Objet',
      body: 'Texte',
      variables: 'Fourni à chaque appel',
      fallbacks: 'Textes de remplacement',
    },
    spoken: {
      name: 'le nom',
      description: 'la description',
      subject: 'l’objet',
      body: 'le texte',
      variables: 'les variables',
      fallbacks: 'les textes de remplacement',
    },
    done: {
      name: 'nom',
      description: 'description',
      subject: 'objet',
      body: 'texte',
      variables: 'variables',
      fallbacks: 'textes de remplacement',
    },
    create: (name) => `Créer le modèle « ${name} »`,
    createSummary: (name, subject) => `Crée le modèle « ${name} » avec l’objet « ${subject} ».`,
    reads: (name) => `Rendu, par exemple pour ${name}`,
    readsNow: (name) => `Rendu actuel, par exemple pour ${name}`,
    readsThen: 'Nouveau rendu',
    noSample: (label) => `${label} : il n’y aurait pas d’e-mail.`,
    problem: (english) => `En anglais : ${quotation('fr', english)}`,
    canBeUsed: 'Le modèle peut dès lors être utilisé pour des e-mails',
    createConfirm: 'Créer le modèle',
    created: (name) => `Modèle « ${name} » créé`,
    id: 'Identifiant',
    without: (variable) => `Sans ${variable}`,
    needed: {
      title: (variables) => `Les destinataires sans ${variables.join(' ou sans ')} ne reçoivent aucun e-mail.`,
      text: 'Il n’y a pas de texte de remplacement. Les personnes exclues sont indiquées avant tout envoi.',
    },
    change: (name) => `Modifier le modèle « ${name} »`,
    changeSummary: (what, name) => `Modifie ${what} du modèle « ${name} ».`,
    readOtherwise: 'Les e-mails rédigés ensuite à partir de ce modèle auront un autre contenu',
    othersStay: 'Les e-mails envoyés ou planifiés restent inchangés',
    changeConfirm: 'Modifier le modèle',
    changed: (name) => `Modèle « ${name} » modifié`,
    changeBack: (name) => `Annuler la modification de « ${name} »`,
    now: (field) => `${field} (avant)`,
    afterwards: (field) => `${field} (après)`,
  },
}
