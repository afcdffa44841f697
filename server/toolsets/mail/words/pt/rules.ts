import type { FoundSecret } from '../../../../model/found-secret.ts'
import { listing, pluralsOf } from '../../../languages.ts'
import { spokenNumber } from '../../../say.ts'
import type { Script } from '../../addresses/domains.ts'
import type { SecretPlace } from '../../policy.ts'
import type { Span } from '../../quota.ts'
import type { RulesWords } from '../en/rules.ts'

const { counted, form } = pluralsOf<'one' | 'many' | 'other'>('pt')

/** `many` is for whole millions, where the noun follows with "de". */
const forms = (one: string, other: string, many = other) => ({ one, many, other })

const listed = listing('pt')
const days = forms('# dia', '# dias', '# de dias')
const within = { hour: 'em uma hora', day: 'em um dia' }
const noDomain = 'nenhum domínio'

const lengthOf = ({ number, unit }: Span): string =>
  counted(
    number,
    {
      minutes: forms('# minuto', '# minutos', '# de minutos'),
      hours: forms('# hora', '# horas', '# de horas'),
      days,
    }[unit],
  )

const secrets: Readonly<Record<FoundSecret['what'], string>> = {
  'a payment card number': 'um número de cartão de pagamento',
  'a password': 'uma senha',
  'a private key': 'uma chave privada',
  'a key, token or password': 'uma chave, um token ou uma senha',
}

function place(where: SecretPlace): string {
  switch (where.at) {
    case 'subject':
      return 'no assunto'
    case 'line':
      return `na linha ${where.line}`
    case 'name':
      return `no nome de ${where.whom}`
    case 'reply-to':
      return 'no endereço de resposta'
    case 'file-name':
      return 'no nome de um anexo'
    case 'file-line':
      return `na linha ${where.line} de ${where.file}`
    case 'template-subject':
      return 'no assunto do modelo'
    case 'template-line':
      return `na linha ${where.line} do modelo`
    case 'value':
      return `em ${where.name}`
    default:
      return where satisfies never
  }
}

/** After "letras". */
const scripts: Readonly<Record<Script, string>> = {
  Latin: 'latinas',
  Cyrillic: 'cirílicas',
  Greek: 'gregas',
  Armenian: 'armênias',
  Hebrew: 'hebraicas',
  Arabic: 'árabes',
  Georgian: 'georgianas',
  Cherokee: 'cherokees',
  Thai: 'tailandesas',
  Devanagari: 'devanágari',
  Han: 'chinesas',
  Hiragana: 'hiragana',
  Katakana: 'katakana',
  Hangul: 'coreanas',
}

export const rules: RulesWords = {
  secret: (what, where) => `${secrets[what]} ${place(where)}`,
  hasSecrets: { title: (found) => `O e-mail contém ${found}.`, text: 'Quem o receber poderá usar esses dados.' },
  deceits: {
    looksLike: (domain, meant) => `${domain} parece ${meant}, mas é outro domínio.`,
    mixes: (shown, found) => `${shown} mistura letras ${listed(found.map((each) => scripts[each]))}.`,
    foreign: (shown, script, latin) =>
      `${shown} está escrito com letras ${script === undefined ? 'de outra escrita' : scripts[script]} que parecem “${latin}”.`,
    name: (name, shown) => `O nome “${name}” parece um endereço, mas o e-mail vai para ${shown}.`,
    link: (text, host) => `O link “${text}” leva a ${host}.`,
    beforeHost: (url, host) => `O link ${url} leva a ${host}; o que vem antes do @ não é um servidor.`,
    more: (number) =>
      counted(
        number,
        forms(
          'Mais # link ou endereço leva a um lugar diferente do que aparenta.',
          'Mais # links ou endereços levam a um lugar diferente do que aparentam.',
          'Mais # de links ou endereços levam a um lugar diferente do que aparentam.',
        ),
      ),
  },

  policy: {
    // "nenhum" after the verb needs its "não".
    allow: (most) => `Os operadores deste servidor ${most === noDomain ? 'não ' : ''}permitem ${most}.`,
    tooMany: (number) =>
      counted(
        number,
        forms(
          '# destinatário é mais do que um e-mail pode ter.',
          '# destinatários são mais do que um e-mail pode ter.',
          '# de destinatários são mais do que um e-mail pode ter.',
        ),
      ),
    tooManyForCampaign: (number) =>
      counted(
        number,
        forms(
          '# destinatário é mais do que uma campanha pode ter.',
          '# destinatários são mais do que uma campanha pode ter.',
          '# de destinatários são mais do que uma campanha pode ter.',
        ),
      ),
    attachments: {
      title: (size) => `Os anexos somam ${size}.`,
      text: (most) => `Os operadores deste servidor permitem ${most}. Em vez disso, envie um link de download.`,
    },
    secrets: 'Dados sigilosos não saem deste servidor por e-mail. Remova-os e entregue-os de outra forma.',
    noMailTo: (domains) => `Nenhum e-mail é enviado para ${domains}.`,
    blocked: (number) =>
      form(
        number,
        forms(
          'Os operadores deste servidor bloquearam esse domínio.',
          'Os operadores deste servidor bloquearam esses domínios.',
        ),
      ),
    noDomain,
    // Before this may stand which domains are allowed: "ali" would be taken for these.
    there: (number) =>
      counted(
        number,
        forms(
          '# destinatário desta campanha tem um endereço não permitido; use um segmento sem ele.',
          '# destinatários desta campanha têm um endereço não permitido; use um segmento sem eles.',
          '# de destinatários desta campanha têm um endereço não permitido; use um segmento sem eles.',
        ),
      ),
  },

  quota: {
    never: (number, period) =>
      `${counted(number, forms('# destinatário ultrapassa', '# destinatários ultrapassam', '# de destinatários ultrapassam'))} o máximo permitido ${within[period]}, seja qual for o horário do envio.`,
    fewer: (most) => `Os operadores deste servidor permitem ${most}. Envie para menos destinatários.`,
    over: (number, period) =>
      `${counted(number, forms('# destinatário', '# destinatários', '# de destinatários'))} ${within[period]} ${form(number, forms('ultrapassa', 'ultrapassam'))} o máximo permitido.`,
    later: (most, from) =>
      `Os operadores deste servidor permitem ${most}. Há espaço a partir de ${from}: agende o envio para esse horário (sendAt).`,
    slow: {
      title: (number, long) =>
        `${counted(number, forms('# e-mail levaria', '# e-mails levariam', '# de e-mails levariam'))} cerca de ${counted(long, days)} com a cota deste servidor.`,
      text: (most, period) =>
        `Os operadores permitem ${most} ${within[period]}, e uma campanha leva no máximo uma semana. Use um segmento menor ou peça a eles que aumentem a cota.`,
    },
    limits: (quotas) => listed(quotas.map((each) => `${spokenNumber(each.most)} ${within[each.within]}`)),
    duration: (span) => (span === undefined ? 'Menos de um minuto' : lengthOf(span)),
    paced: (limits, span) =>
      `A cota deste servidor limita os destinatários a ${limits}: os e-mails saem aos poucos, o último ${span === undefined ? 'menos de um minuto' : `cerca de ${lengthOf(span)}`} depois do primeiro`,
  },
}
