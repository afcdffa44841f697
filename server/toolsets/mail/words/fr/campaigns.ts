import { quotation } from '../../../../cards/card-words.ts'
import { listing, pluralsOf } from '../../../languages.ts'
import { spokenNumber } from '../../../say.ts'
import type { RenderTrouble } from '../../templates/template.ts'
import type { CampaignWords } from '../en/campaigns.ts'

const { counted, form } = pluralsOf<'one' | 'many' | 'other'>('fr')

/** `many` begins at a million, where the noun follows with "de"; other words are the same as for few. */
const forms = (one: string, other: string, many = other) => ({ one, many, other })

const listed = listing('fr')
const recipients = (number: number): string =>
  counted(number, forms('# destinataire', '# destinataires', '# de destinataires'))
const mails = (number: number): string => counted(number, forms('# e-mail', '# e-mails', '# d’e-mails'))
const accepted = (some: number, all: number): string =>
  `${mails(some)} sur ${spokenNumber(all)} ${form(some, forms('accepté', 'acceptés'))}`

const variables: ReadonlyMap<string, string> = new Map([
  ['first_name', 'prénom'],
  ['last_name', 'nom de famille'],
  ['name', 'nom'],
  ['email', 'adresse e-mail'],
  ['company', 'société'],
])
const variable = (name: string): string => variables.get(name) ?? name.replaceAll('_', ' ')

function trouble({ field, ...what }: RenderTrouble): string {
  const of = field === 'subject' ? 'L’objet' : 'Le texte'
  switch (what.kind) {
    case 'empty':
      return `${of} est vide.`
    case 'too-long':
      return `${of} compte ${what.length} caractères, et le maximum est de ${what.most}.`
    case 'unreadable':
    case 'error':
      return `${of} ne peut pas être généré ; en anglais : ${quotation('fr', what.english)}`
    default:
      return what satisfies never
  }
}

const because = {
  mail_server_unreachable: 'Le serveur de messagerie est injoignable',
  mail_server_defers: 'Le serveur de messagerie n’accepte rien pour le moment',
  mail_server_refuses_us: 'Le serveur de messagerie n’admet pas ce serveur',
  mail_server_refuses_all: 'Le serveur de messagerie refuse tous les destinataires',
  template_unreadable: 'Le modèle est illisible',
  quota_used_up: 'Le quota de ce serveur est épuisé',
}

export const campaigns: CampaignWords = {
  variable,
  reasons: {
    undeliverable: (why) => `L’adresse est marquée comme non distribuable : ${quotation('fr', why)}`,
    missing: (names) => `Valeur absente et sans texte de remplacement : ${listed(names.map(variable))}.`,
    trouble,
  },

  bulk: {
    title: (number) => `Envoyer un e-mail à ${recipients(number)}`,
    summary: ({ template, number, segment }) =>
      `Envoie le modèle « ${template} » à ${recipients(number)} du segment « ${segment} ».`,
    summaryLater: ({ template, number, segment }) =>
      `Envoie plus tard le modèle « ${template} » à ${recipients(number)} du segment « ${segment} ».`,
    template: 'Modèle',
    segment: 'Segment',
    inSegment: 'Dans le segment',
    getIt: 'Reçoivent l’e-mail',
    skipped: 'Sont exclus',
    begins: 'Début',
    takes: 'Durée approximative',
    everybody: 'Tout le segment',
    rest: '`segments_preview` en donne la liste complète.',
    reads: (whom) => `L’e-mail tel que ${whom} le lira`,
    source: 'Le modèle : certains e-mails en contiennent d’autres parties',
    who: 'Qui reçoit l’e-mail',
    sentNow: (number) =>
      counted(
        number,
        forms(
          '# e-mail externe est envoyé et ne peut pas être rappelé',
          '# e-mails externes sont envoyés et ne peuvent pas être rappelés',
          '# d’e-mails externes sont envoyés et ne peuvent pas être rappelés',
        ),
      ),
    sentLater: (number) =>
      counted(
        number,
        forms(
          '# e-mail externe est envoyé à partir de cette date ; d’ici là, la campagne peut être arrêtée',
          '# e-mails externes sont envoyés à partir de cette date ; d’ici là, la campagne peut être arrêtée',
          '# d’e-mails externes sont envoyés à partir de cette date ; d’ici là, la campagne peut être arrêtée',
        ),
      ),
    goTo: ({ number, domains, outside }) => {
      const go = form(number, forms('Il part vers', 'Ils partent vers'))
      if (domains === 1) return `${go} 1 domaine${outside === 1 ? ' externe' : ''}`
      const some =
        outside === domains
          ? 'tous externes'
          : outside === 0
            ? 'aucun externe'
            : counted(outside, forms('dont # externe', 'dont # externes'))
      return `${go} ${counted(domains, forms('# domaine', '# domaines', '# de domaines'))}, ${some}`
    },
    getNothing: (number) =>
      counted(
        number,
        forms(
          '# contact du segment ne reçoit rien',
          '# contacts du segment ne reçoivent rien',
          '# de contacts du segment ne reçoivent rien',
        ),
      ),
    countsForQuota: (number) =>
      counted(
        number,
        forms(
          '# destinataire compte dans le quota de ce serveur',
          '# destinataires comptent dans le quota de ce serveur',
          '# de destinataires comptent dans le quota de ce serveur',
        ),
      ),
    canBeStopped: 'La campagne peut être suspendue ou arrêtée en cours d’envoi ; ce qui est envoyé le reste',
    confirm: (number) => `Envoyer ${mails(number)}`,
    confirmLater: (number) => `Planifier ${mails(number)}`,
    skippedAll: (all) => `Exclus : ${spokenNumber(all)}`,
    skippedSome: (all, named) => `Exclus : ${spokenNumber(all)}, dont ${named} ici`,
    contact: 'Contact',
    why: 'Motif',
    gets: 'Reçoit',
    nothing: (reason) => `Rien. ${reason}`,
    theMail: 'L’e-mail',
    withFallbacks: (names) => `L’e-mail, avec un texte de remplacement pour : ${listed(names.map(variable))}`,
    noMail: (whom) => `${whom} ne reçoit aucun e-mail.`,
    cannotRender: 'L’e-mail ne peut pas être généré.',
    // After “sans” no variable needs an article.
    absent: (number, name) =>
      `${recipients(number)} sans ${variable(name)} : l’e-mail est envoyé sans cette information.`,
    absentReplaced: (number, name, fallback) =>
      `${recipients(number)} sans ${variable(name)} : le texte de remplacement « ${fallback} » est utilisé.`,
    notGiven: (name, fallback) =>
      `L’appel ne donne aucune valeur pour « ${variable(name)} » : le texte de remplacement « ${fallback} » est utilisé dans chaque e-mail.`,
    undeliverable: (number) =>
      counted(
        number,
        forms(
          '# adresse e-mail est marquée comme non distribuable et sera exclue.',
          '# adresses e-mail sont marquées comme non distribuables et seront exclues.',
          '# d’adresses e-mail sont marquées comme non distribuables et seront exclues.',
        ),
      ),
    // Two sentences: the reason is one of its own, and may have a colon.
    leftOut: (number, reason) =>
      `${counted(number, forms('# destinataire sera exclu.', '# destinataires seront exclus.', '# de destinataires seront exclus.'))} ${reason}`,
    misnamed: {
      title: (number) =>
        counted(
          number,
          forms(
            '# destinataire a un nom qui ressemble à une autre adresse.',
            '# destinataires ont un nom qui ressemble à une autre adresse.',
            '# de destinataires ont un nom qui ressemble à une autre adresse.',
          ),
        ),
      text: (name, address) => `L’e-mail destiné à « ${name} » est envoyé à ${address}.`,
    },
    empty: {
      title: (segment) => `Le segment « ${segment} » est actuellement vide.`,
      text: 'Choisissez un autre segment ; segments_preview indique qui en fait partie.',
    },
    nobody: (segment) => `Personne du segment « ${segment} » ne peut recevoir cet e-mail.`,
    allUndeliverable: 'Des adresses sont marquées comme non distribuables.',
    accepted: (some, all) => `${accepted(some, all)} par le serveur de messagerie`,
    campaign: 'Campagne',
  },

  progress: {
    titles: {
      scheduled: 'Campagne planifiée',
      sending: 'Campagne en cours d’envoi',
      paused: 'Campagne suspendue',
      stopped: 'Campagne arrêtée',
      finished: 'Campagne envoyée',
    },
    nobody: 'Personne n’a reçu la campagne',
    stop: 'Arrêter',
    pause: 'Suspendre',
    resume: 'Reprendre',
    done: 'E-mails traités',
    accepted: 'Acceptés par le serveur de messagerie',
    deferred: 'Nouvel essai plus tard',
    refused: 'Refusés',
    unknown: 'Réception inconnue',
    skipped: 'Exclus',
    stopped: 'Jamais envoyés, à cause de l’arrêt',
    rests: 'Rien n’est envoyé pour le moment.',
    because: (code, said) =>
      code === undefined ? quotation('fr', said) : `${because[code]} : ${quotation('fr', said)}`,
  },

  halt: {
    confirmed: 'Confirmation',
    mails: 'E-mails',
    left: 'Encore à envoyer',
    mayHave: 'Peut-être arrivés',
    because: 'Motif de l’interruption',
    atServer: (number) => `${spokenNumber(number)} en ce moment au serveur de messagerie`,
    pause: (template) => `Suspendre la campagne « ${template} »`,
    pauseSummary: ({ template, segment, left }) =>
      `Suspend la campagne « ${template} » pour « ${segment} » ; il reste ${mails(left)} à envoyer.`,
    noMore: 'Aucun autre e-mail ne part avant la reprise',
    fewDo: 'Les quelques e-mails qui sont en ce moment au serveur de messagerie partent encore',
    pauseConfirm: 'Suspendre la campagne',
    accepted,
    undoPause: 'Reprendre la campagne',
    resume: (template) => `Envoyer le reste de la campagne « ${template} »`,
    resumeSummary: ({ template, segment, left }) =>
      `Reprend la campagne « ${template} » et envoie ${mails(left)} à « ${segment} ».`,
    goOut: (number) =>
      counted(
        number,
        forms(
          '# e-mail est envoyé et ne peut pas être rappelé',
          '# e-mails sont envoyés et ne peuvent pas être rappelés',
          '# d’e-mails sont envoyés et ne peuvent pas être rappelés',
        ),
      ),
    notTwice: 'Personne ne reçoit l’e-mail deux fois',
    tookNothing: {
      title: 'Le serveur de messagerie n’a rien accepté de ce serveur.',
      text: (said) => `Sa réponse : ${quotation('fr', said)}`,
    },
    resumeConfirm: 'Reprendre la campagne',
    resumed: 'Campagne reprise',
    toGo: (number) => `${mails(number)} à envoyer`,
    stop: (template) => `Arrêter la campagne « ${template} »`,
    stopSummary: (about) =>
      `Arrête la campagne « ${about.template} » pour « ${about.segment} ». E-mails envoyés : ${spokenNumber(about.accepted)} sur ${spokenNumber(about.number)} ; jamais envoyés : ${spokenNumber(about.left)}.`,
    staySent: (number) =>
      counted(
        number,
        forms(
          '# e-mail a déjà été envoyé et le reste',
          '# e-mails ont déjà été envoyés et le restent',
          '# d’e-mails ont déjà été envoyés et le restent',
        ),
      ),
    mayHaveGot: (number) =>
      counted(
        number,
        forms(
          '# destinataire a peut-être reçu l’e-mail sans qu’on le sache',
          '# destinataires ont peut-être reçu l’e-mail sans qu’on le sache',
          '# de destinataires ont peut-être reçu l’e-mail sans qu’on le sache',
        ),
      ),
    goesOn: {
      title: 'La campagne continue jusqu’à votre confirmation.',
      text: 'Il sera alors parti plus d’e-mails que la carte ne l’indique.',
    },
    stopConfirm: 'Arrêter la campagne',
    sent: (number) => counted(number, forms('# envoyé', '# envoyés')),
    refused: (number) => counted(number, forms('# refusé', '# refusés')),
    unknown: (number) => `${spokenNumber(number)} au résultat inconnu`,
    notSent: (number) => counted(number, forms('# non envoyé', '# non envoyés')),
  },
}
