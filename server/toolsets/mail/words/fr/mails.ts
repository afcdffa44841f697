import { fr as files } from '../../../files/words/fr.ts'
import { listing, pluralsOf } from '../../../languages.ts'
import type { MailsWords } from '../en/mails.ts'

const { counted, form } = pluralsOf<'one' | 'many' | 'other'>('fr')

/** `many` begins at a million, where the noun follows with "de"; other words are the same as for few. */
const forms = (one: string, other: string, many = other) => ({ one, many, other })

const listed = listing('fr')
const recipients = (number: number): string =>
  counted(number, forms('# destinataire', '# destinataires', '# de destinataires'))

const fields: MailsWords['draft']['fields'] = {
  to: 'À',
  cc: 'Copie à (Cc)',
  bcc: 'Copie cachée à (Cci)',
  replyTo: 'Répondre à',
  subject: 'Objet',
  body: 'Texte',
  attachments: 'Pièces jointes',
  projectId: 'Projet',
}

export const mails: MailsWords = {
  units: files.units,
  listed,
  andMore: (first, more) => `${first} et ${more} de plus`,
  recipients,
  noMailByThis: 'Cela n’envoie d’e-mail à personne',
  of: (name, warning) => `${name} : ${warning}`,
  outside: (domain) => `${domain} · externe`,
  hasHtml: {
    title: 'Le texte contient du HTML.',
    text: 'Les destinataires le voient tel qu’il est écrit ; rien n’en est exécuté ni chargé.',
  },
  missed: {
    title: (moment) => `La date d’envoi prévue est passée (${moment}).`,
    text: 'L’envoi a lieu immédiatement.',
  },
  links: { label: 'Liens', text: 'Texte', leadsTo: 'Mène à', address: 'Adresse' },
  labels: { address: 'Adresse', name: 'Nom', subject: 'Objet', from: 'De', answersTo: 'Répondre à' },
  atOnce: 'Immédiatement',
  newRecipients: (number) =>
    counted(
      number,
      forms(
        '# destinataire n’a encore jamais reçu d’e-mail envoyé d’ici',
        '# destinataires n’ont encore jamais reçu d’e-mail envoyé d’ici',
        '# de destinataires n’ont encore jamais reçu d’e-mail envoyé d’ici',
      ),
    ),

  send: {
    title: (whom) => `Envoyer un e-mail à ${whom}`,
    summary: ({ subject, whom, attachments }) =>
      `Envoie l’e-mail « ${subject} » à ${whom}${attachments === 0 ? '' : counted(attachments, forms(', avec # pièce jointe', ', avec # pièces jointes'))}.`,
    goesOut: 'Envoi',
    project: 'Projet',
    text: 'L’e-mail tel qu’il sera lu',
    leavesNow: (number) => `L’e-mail est envoyé à ${recipients(number)} et ne peut pas être rappelé`,
    leavesLater: (number) =>
      `L’e-mail est envoyé à ${recipients(number)} à la date prévue ; d’ici là, l’envoi peut être annulé`,
    leavesFor: (domains, named) =>
      `${counted(domains, forms('Il part vers # domaine externe', 'Il part vers # domaines externes'))} : ${named}`,
    hidden: (number) =>
      counted(
        number,
        forms(
          '# destinataire (Cci) le reçoit sans que les autres le sachent',
          '# destinataires (Cci) le reçoivent sans que les autres le sachent',
          '# de destinataires (Cci) le reçoivent sans que les autres le sachent',
        ),
      ),
    kept: 'Il reste dans la liste des e-mails',
    draftGoes: (id) => `Le brouillon ${id} est supprimé`,
    draftDiffers: (id, differs) => `Le brouillon ${id} est supprimé ; cet e-mail en diffère par ${differs}`,
    confirm: 'Envoyer l’e-mail',
    confirmLater: 'Planifier l’envoi',
    roles: { to: 'À', cc: 'Copie à (Cc)', bcc: 'Copie cachée à (Cci), invisible pour les autres' },
    notContact: (name) => `${name} · pas dans vos contacts`,
    all: (role, number) => `${role} : liste complète (${number})`,
    before: 'Déjà destinataire',
    never: 'Jamais',
    yes: 'Oui',
    attachments: 'Pièces jointes',
    name: 'Nom',
    type: 'Type, d’après le contenu',
    size: 'Taille',
    together: 'Total',
    done: { sent: 'E-mail envoyé', scheduled: 'E-mail planifié', failed: 'E-mail non envoyé' },
    mail: 'E-mail',
    state: 'État',
    states: {
      pending: 'en attente',
      deferred: 'différé',
      accepted: 'accepté',
      refused: 'refusé',
      unknown: 'inconnu',
      cancelled: 'annulé',
    },
    answer: 'Réponse du serveur de messagerie',
    notGot: (addresses) =>
      `${listed(addresses)} ${form(addresses.length, forms('ne reçoit pas l’e-mail', 'ne reçoivent pas l’e-mail'))}.`,
    undo: 'Annuler l’envoi',
  },

  cancel: {
    title: (subject) => `Annuler l’envoi de l’e-mail « ${subject} »`,
    summary: (subject, whom) => `Annule l’envoi de l’e-mail « ${subject} » à ${whom}.`,
    would: 'Envoi prévu',
    who: 'Ne reçoivent pas l’e-mail',
    doNot: (number) =>
      counted(
        number,
        forms(
          '# destinataire ne reçoit pas l’e-mail',
          '# destinataires ne reçoivent pas l’e-mail',
          '# de destinataires ne reçoivent pas l’e-mail',
        ),
      ),
    answered: (number) =>
      `Pour ${recipients(number)}, le serveur de messagerie a déjà répondu ; cette réponse reste valable`,
    confirm: 'Arrêter l’envoi',
    done: 'Envoi annulé',
  },

  settle: {
    mail: (subject) => `l’e-mail « ${subject} »`,
    campaign: (template) => `la campagne « ${template} »`,
    again: (what, whom) => `Renvoyer ${what} à ${whom}`,
    // “A atteint” agrees with nothing; “est arrivé” would with the campaign.
    reached: (what, whom) => `Enregistrer que ${what} a atteint ${whom}`,
    notReached: (what, whom) => `Enregistrer que ${what} n’a pas atteint ${whom}`,
    againSummary: (what, whom) => `Renvoie ${what} à ${whom}, sans que l’on sache si le premier envoi est arrivé.`,
    reachedSummary: (what, whom) => `Enregistre que ${what} a atteint ${whom}.`,
    notReachedSummary: (what, whom) => `Enregistre que ${what} n’a pas atteint ${whom}.`,
    who: 'Réception inconnue pour',
    said: 'Vous indiquez',
    arrived: 'L’e-mail est arrivé',
    notArrived: 'L’e-mail n’est pas arrivé',
    goesOut: (number) =>
      counted(
        number,
        forms(
          '# e-mail est envoyé et ne peut pas être rappelé',
          '# e-mails sont envoyés et ne peuvent pas être rappelés',
          '# d’e-mails sont envoyés et ne peuvent pas être rappelés',
        ),
      ),
    goesOutResumed: (number) =>
      counted(
        number,
        forms(
          '# e-mail est envoyé dès la reprise de la campagne et ne peut pas être rappelé',
          '# e-mails sont envoyés dès la reprise de la campagne et ne peuvent pas être rappelés',
          '# d’e-mails sont envoyés dès la reprise de la campagne et ne peuvent pas être rappelés',
        ),
      ),
    waits: (number, from) =>
      `Le quota de ce serveur est épuisé : ${form(number, forms('l’e-mail part', 'les e-mails partent'))} dès qu’il y a de la place, à partir du ${from}`,
    counts: 'L’e-mail compte comme envoyé',
    doNot: (number) =>
      form(number, forms('Ce destinataire ne reçoit pas l’e-mail', 'Ces destinataires ne reçoivent pas l’e-mail')),
    twice: {
      title: (number) =>
        form(
          number,
          forms(
            'Cette personne risque de recevoir deux fois le même e-mail.',
            'Chacune de ces personnes risque de recevoir deux fois le même e-mail.',
          ),
        ),
      text: 'Personne ne sait si le premier a été remis. Ne confirmez que si vous avez posé la question et que l’e-mail n’est pas arrivé.',
    },
    confirmAgain: 'Renvoyer',
    confirm: 'Enregistrer',
    sentAgain: 'E-mail renvoyé',
    doneArrived: 'Enregistré comme arrivé',
    doneNotArrived: 'Enregistré comme non arrivé',
  },

  draft: {
    fields,
    spoken: {
      to: 'les destinataires',
      cc: 'les destinataires en copie',
      bcc: 'les destinataires en copie cachée',
      replyTo: 'l’adresse de réponse',
      subject: 'l’objet',
      body: 'le texte',
      attachments: 'les pièces jointes',
      projectId: 'le projet',
    },
    called: (subject) => `« ${subject} »`,
    to: (addresses) => `à ${addresses.join(', ')}`,
    noSubject: 'sans objet',
    write: 'Rédiger un brouillon',
    keeps: (called) => `Enregistre le brouillon ${called}.`,
    keep: 'Enregistrer le brouillon',
    kept: 'Brouillon enregistré',
    undo: 'Supprimer le brouillon',
    change: (called) => `Modifier le brouillon ${called}`,
    changes: (what, called) => `Modifie ${what} du brouillon ${called}.`,
    changeConfirm: 'Modifier le brouillon',
    changed: 'Brouillon modifié',
    changeBack: 'Annuler la modification',
    remove: (called) => `Supprimer le brouillon ${called}`,
    removes: (called) => `Supprime le brouillon ${called}.`,
    gone: 'Le brouillon est supprimé définitivement',
    removeConfirm: 'Supprimer le brouillon',
    removed: 'Brouillon supprimé',
    writeAgain: 'Recréer le brouillon',
    text: 'Texte',
    textThen: (before) =>
      counted(
        before,
        forms(
          'Nouveau texte (auparavant # caractère)',
          'Nouveau texte (auparavant # caractères)',
          'Nouveau texte (auparavant # de caractères)',
        ),
      ),
  },
}
