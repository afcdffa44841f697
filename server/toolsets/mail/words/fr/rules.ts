import type { FoundSecret } from '../../../../model/found-secret.ts'
import { listing, pluralsOf } from '../../../languages.ts'
import { spokenNumber } from '../../../say.ts'
import type { Script } from '../../addresses/domains.ts'
import type { SecretPlace } from '../../policy.ts'
import type { Span } from '../../quota.ts'
import type { RulesWords } from '../en/rules.ts'

const { counted, form } = pluralsOf<'one' | 'many' | 'other'>('fr')

/** `many` begins at a million, where the noun follows with "de"; other words are the same as for few. */
const forms = (one: string, other: string, many = other) => ({ one, many, other })

const listed = listing('fr')
const recipients = (number: number): string =>
  counted(number, forms('# destinataire', '# destinataires', '# de destinataires'))
const mails = (number: number): string => counted(number, forms('# e-mail', '# e-mails', '# d’e-mails'))
const days = forms('# jour', '# jours', '# de jours')

const per = { hour: 'par heure', day: 'par jour' }

const spanned = ({ number, unit }: Span): string =>
  counted(
    number,
    {
      minutes: forms('# minute', '# minutes', '# de minutes'),
      hours: forms('# heure', '# heures', '# d’heures'),
      days,
    }[unit],
  )

const secrets: Readonly<Record<FoundSecret['what'], string>> = {
  'a payment card number': 'un numéro de carte de paiement',
  'a password': 'un mot de passe',
  'a private key': 'une clé privée',
  'a key, token or password': 'une clé, un jeton ou un mot de passe',
}

function place(where: SecretPlace): string {
  switch (where.at) {
    case 'subject':
      return 'dans l’objet'
    case 'line':
      return `à la ligne ${where.line}`
    case 'name':
      return `dans le nom du destinataire ${where.whom}`
    case 'reply-to':
      return 'dans l’adresse de réponse'
    case 'file-name':
      return 'dans le nom d’une pièce jointe'
    case 'file-line':
      return `à la ligne ${where.line} du fichier ${where.file}`
    case 'template-subject':
      return 'dans l’objet du modèle'
    case 'template-line':
      return `à la ligne ${where.line} du modèle`
    case 'value':
      return `dans la variable ${where.name}`
    default:
      return where satisfies never
  }
}

/** After “lettres”. */
const scripts: Readonly<Record<Script, string>> = {
  Latin: 'latines',
  Cyrillic: 'cyrilliques',
  Greek: 'grecques',
  Armenian: 'arméniennes',
  Hebrew: 'hébraïques',
  Arabic: 'arabes',
  Georgian: 'géorgiennes',
  Cherokee: 'cherokees',
  Thai: 'thaïes',
  Devanagari: 'devanagari',
  Han: 'chinoises',
  Hiragana: 'hiragana',
  Katakana: 'katakana',
  Hangul: 'coréennes',
}

export const rules: RulesWords = {
  secret: (what, where) => `${secrets[what]} ${place(where)}`,
  hasSecrets: { title: (found) => `L’e-mail contient ${found}.`, text: 'Quiconque le reçoit peut s’en servir.' },
  deceits: {
    looksLike: (domain, meant) => `${domain} ressemble à ${meant}, mais c’est un autre domaine.`,
    mixes: (shown, found) => `${shown} mélange des lettres ${listed(found.map((each) => scripts[each]))}.`,
    foreign: (shown, script, latin) =>
      `${shown} s’écrit en lettres ${script === undefined ? 'étrangères' : scripts[script]} qui ressemblent à « ${latin} ».`,
    name: (name, shown) => `Le nom « ${name} » ressemble à une adresse, mais l’e-mail est envoyé à ${shown}.`,
    link: (text, host) => `Le lien « ${text} » mène à ${host}.`,
    beforeHost: (url, host) => `Le lien ${url} mène à ${host} ; ce qui précède le @ ne désigne aucun serveur.`,
    more: (number) =>
      counted(
        number,
        forms(
          '# autre lien ou adresse mène ailleurs qu’il n’y paraît.',
          '# autres liens ou adresses mènent ailleurs qu’il n’y paraît.',
          '# d’autres liens ou adresses mènent ailleurs qu’il n’y paraît.',
        ),
      ),
  },

  policy: {
    // Of numbers and of domains alike.
    allow: (most) => `Autorisé par l’exploitant de ce serveur : ${most}.`,
    tooMany: (number) => `${recipients(number)} : un seul e-mail ne peut pas en avoir autant.`,
    tooManyForCampaign: (number) => `${recipients(number)} : une seule campagne ne peut pas en avoir autant.`,
    attachments: {
      title: (size) => `Les pièces jointes font ${size} au total.`,
      text: (most) => `L’exploitant de ce serveur autorise ${most} au plus. Envoyez plutôt un lien de téléchargement.`,
    },
    secrets: 'Les secrets ne quittent pas ce serveur par e-mail. Retirez-les, et transmettez-les autrement.',
    noMailTo: (domains) => `Aucun e-mail n’est envoyé à ${domains}.`,
    blocked: (number) =>
      form(
        number,
        forms('L’exploitant de ce serveur a bloqué ce domaine.', 'L’exploitant de ce serveur a bloqué ces domaines.'),
      ),
    noDomain: 'aucun domaine',
    there: (number) =>
      counted(
        number,
        forms(
          '# destinataire de cette campagne y a une adresse ; choisissez un segment qui ne le contient pas.',
          '# destinataires de cette campagne y ont une adresse ; choisissez un segment qui ne les contient pas.',
          '# de destinataires de cette campagne y ont une adresse ; choisissez un segment qui ne les contient pas.',
        ),
      ),
  },

  quota: {
    never: (number, period) =>
      `Avec ${recipients(number)}, l’envoi dépasse à lui seul le nombre de destinataires autorisé ${per[period]}.`,
    fewer: (most) => `L’exploitant de ce serveur en autorise ${most} au plus. Réduisez le nombre de destinataires.`,
    over: (number, period) => `Cela ferait ${recipients(number)} ${per[period]}, plus que le nombre autorisé.`,
    later: (most, from) =>
      `L’exploitant de ce serveur en autorise ${most} au plus. Il y a de la place à partir du ${from} : planifiez l’envoi à ce moment-là (sendAt).`,
    slow: {
      title: (number, takes) =>
        `Avec le quota de ce serveur, l’envoi de ${mails(number)} prendrait environ ${counted(takes, days)}.`,
      text: (most, period) =>
        `L’exploitant en autorise ${most} ${per[period]} au plus, et une campagne dure une semaine au maximum. Choisissez un segment plus petit, ou demandez à l’exploitant d’augmenter le quota.`,
    },
    limits: (quotas) => listed(quotas.map((each) => `${spokenNumber(each.most)} ${per[each.within]}`)),
    duration: (span) => (span === undefined ? 'Moins d’une minute' : spanned(span)),
    paced: (limits, span) =>
      `Le quota de ce serveur limite les envois à ${limits} : les e-mails partent peu à peu, le dernier ${span === undefined ? 'moins d’une minute' : `environ ${spanned(span)}`} après le premier`,
  },
}
