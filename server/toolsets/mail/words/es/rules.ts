import type { FoundSecret } from '../../../../model/found-secret.ts'
import { listing, pluralsOf } from '../../../languages.ts'
import { spokenNumber } from '../../../say.ts'
import type { Script } from '../../addresses/domains.ts'
import type { SecretPlace } from '../../policy.ts'
import type { Span } from '../../quota.ts'
import type { RulesWords } from '../en/rules.ts'

const { counted, form } = pluralsOf<'one' | 'many' | 'other'>('es')

/** `many` begins at a million, where the noun follows with "de"; other words are the same as for few. */
const forms = (one: string, other: string, many = other) => ({ one, many, other })

const listed = listing('es')
const recipients = (number: number): string =>
  counted(number, forms('# destinatario', '# destinatarios', '# de destinatarios'))
const exceed = (number: number): string => form(number, forms('supera', 'superan'))
const within = { hour: 'en una hora', day: 'en un día' }

const spans: Readonly<Record<Span['unit'], ReturnType<typeof forms>>> = {
  minutes: forms('# minuto', '# minutos', '# de minutos'),
  hours: forms('# hora', '# horas', '# de horas'),
  days: forms('# día', '# días', '# de días'),
}
const known = ({ number, unit }: Span): string => counted(number, spans[unit])

const secrets: Readonly<Record<FoundSecret['what'], string>> = {
  'a payment card number': 'un número de tarjeta de pago',
  'a password': 'una contraseña',
  'a private key': 'una clave privada',
  'a key, token or password': 'una clave, un token o una contraseña',
}

function place(where: SecretPlace): string {
  switch (where.at) {
    case 'subject':
      return 'en el asunto'
    case 'line':
      return `en la línea ${where.line}`
    case 'name':
      return `en el nombre de ${where.whom}`
    case 'reply-to':
      return 'en la dirección de respuesta'
    case 'file-name':
      return 'en el nombre de un archivo adjunto'
    case 'file-line':
      return `en la línea ${where.line} de ${where.file}`
    case 'template-subject':
      return 'en el asunto de la plantilla'
    case 'template-line':
      return `en la línea ${where.line} de la plantilla`
    case 'value':
      return `en ${where.name}`
    default:
      return where satisfies never
  }
}

/** After “letras”. */
const scripts: Readonly<Record<Script, string>> = {
  Latin: 'latinas',
  Cyrillic: 'cirílicas',
  Greek: 'griegas',
  Armenian: 'armenias',
  Hebrew: 'hebreas',
  Arabic: 'árabes',
  Georgian: 'georgianas',
  Cherokee: 'cheroquis',
  Thai: 'tailandesas',
  Devanagari: 'devanagari',
  Han: 'chinas',
  Hiragana: 'hiragana',
  Katakana: 'katakana',
  Hangul: 'coreanas',
}

export const rules: RulesWords = {
  secret: (what, where) => `${secrets[what]} ${place(where)}`,
  hasSecrets: {
    title: (found) => `El correo contiene ${found}.`,
    text: 'Quien lo reciba puede hacer uso de ello.',
  },
  deceits: {
    looksLike: (domain, meant) => `${domain} se parece a ${meant}, pero es otro dominio.`,
    mixes: (shown, found) => `${shown} mezcla letras ${listed(found.map((each) => scripts[each]))}.`,
    foreign: (shown, script, latin) =>
      `${shown} está escrito con letras ${script === undefined ? 'de otra escritura' : scripts[script]} que parecen «${latin}».`,
    name: (name, shown) => `El nombre «${name}» parece una dirección, pero el correo va a ${shown}.`,
    link: (text, host) => `El enlace «${text}» lleva a ${host}.`,
    beforeHost: (url, host) => `El enlace ${url} lleva a ${host}; lo que precede a la @ no es un servidor.`,
    more: (number) =>
      counted(
        number,
        forms(
          '# enlace o dirección más lleva a un lugar distinto del que aparenta.',
          '# enlaces o direcciones más llevan a un lugar distinto del que aparentan.',
          '# de enlaces o direcciones más llevan a un lugar distinto del que aparentan.',
        ),
      ),
  },

  policy: {
    // A number, a list of domains or none: a verb before it would not suit all of them.
    allow: (most) => `Permitido por los operadores de este servidor: ${most}.`,
    tooMany: (number) => `${recipients(number)} ${exceed(number)} lo permitido para un correo.`,
    tooManyForCampaign: (number) => `${recipients(number)} ${exceed(number)} lo permitido para una campaña.`,
    attachments: {
      title: (size) => `Los archivos adjuntos suman ${size}.`,
      text: (most) => `Los operadores de este servidor permiten ${most}. Envíe en su lugar un enlace de descarga.`,
    },
    secrets: 'La información secreta no sale de este servidor por correo. Quítela y entréguela por otra vía.',
    noMailTo: (domains) => `No se envía correo a ${domains}.`,
    blocked: (number) =>
      form(
        number,
        forms(
          'Los operadores de este servidor han bloqueado ese dominio.',
          'Los operadores de este servidor han bloqueado esos dominios.',
        ),
      ),
    noDomain: 'ningún dominio',
    there: (number) =>
      `${recipients(number)} de esta campaña ${form(number, forms('tiene su dirección ahí; elija un segmento que no lo incluya', 'tienen su dirección ahí; elija un segmento que no los incluya'))}.`,
  },

  quota: {
    never: (number, period) =>
      `${recipients(number)} ${exceed(number)} en cualquier caso lo permitido ${within[period]}.`,
    fewer: (most) => `Los operadores de este servidor permiten ${most}. Envíelo a menos destinatarios.`,
    over: (number, period) => `${recipients(number)} ${within[period]} ${exceed(number)} lo permitido.`,
    later: (most, from) =>
      `Los operadores de este servidor permiten ${most}. Hay margen a partir del ${from}: envíelo entonces (sendAt).`,
    slow: {
      title: (number, days) =>
        `Con la cuota de este servidor, ${counted(number, forms('# correo tardaría', '# correos tardarían', '# de correos tardarían'))} aproximadamente ${known({ number: days, unit: 'days' })}.`,
      text: (most, period) =>
        `Sus operadores permiten ${most} ${within[period]}, y una campaña dura como máximo una semana. Elija un segmento menor, o pídales que aumenten la cuota.`,
    },
    limits: (quotas) => listed(quotas.map((each) => `${spokenNumber(each.most)} ${within[each.within]}`)),
    duration: (span) => (span === undefined ? 'Menos de un minuto' : known(span)),
    paced: (limits, span) =>
      `La cuota de este servidor limita los destinatarios a ${limits}: los correos se envían poco a poco, el último ${span === undefined ? 'menos de un minuto' : `aproximadamente ${known(span)}`} después del primero`,
  },
}
