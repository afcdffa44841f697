import { quotation } from '../../../../cards/card-words.ts'
import { listing, pluralsOf } from '../../../languages.ts'
import { spokenNumber } from '../../../say.ts'
import type { RenderTrouble } from '../../templates/template.ts'
import type { CampaignWords } from '../en/campaigns.ts'

const { counted, form } = pluralsOf<'one' | 'many' | 'other'>('pt')

/** `many` is for whole millions, where the noun follows with "de". */
const forms = (one: string, other: string, many = other) => ({ one, many, other })

const listed = listing('pt')
const recipients = (number: number): string =>
  counted(number, forms('# destinatário', '# destinatários', '# de destinatários'))
const mails = (number: number): string => counted(number, forms('# e-mail', '# e-mails', '# de e-mails'))
const haveNo = (number: number): string =>
  counted(number, forms('# destinatário não tem', '# destinatários não têm', '# de destinatários não têm'))

const variables: Readonly<Record<string, string>> = {
  first_name: 'primeiro nome',
  last_name: 'sobrenome',
  name: 'nome',
  email: 'endereço de e-mail',
  company: 'empresa',
}
const variable = (name: string): string =>
  (Object.hasOwn(variables, name) ? variables[name] : undefined) ?? name.replaceAll('_', ' ')

function trouble({ field, ...what }: RenderTrouble): string {
  const part = field === 'subject' ? 'assunto' : 'texto'
  switch (what.kind) {
    case 'empty':
      return `O ${part} está vazio.`
    case 'too-long':
      return `O ${part} tem ${what.length} caracteres, e o máximo é ${what.most}.`
    case 'unreadable':
    case 'error':
      return `Não é possível gerar o ${part}; em inglês: ${quotation('pt', what.english)}`
    default:
      return what satisfies never
  }
}

const because = {
  mail_server_unreachable: 'O servidor de e-mail está inacessível',
  mail_server_defers: 'O servidor de e-mail não aceita nada por enquanto',
  mail_server_refuses_us: 'O servidor de e-mail não aceita este servidor',
  mail_server_refuses_all: 'O servidor de e-mail recusa todos os destinatários',
  template_unreadable: 'Não é possível ler o modelo',
  quota_used_up: 'A cota deste servidor está esgotada',
}

export const campaigns: CampaignWords = {
  variable,
  reasons: {
    undeliverable: (why) => `O endereço está marcado como não entregável: ${quotation('pt', why)}`,
    missing: (names) => `Dados ausentes e sem texto substituto: ${listed(names.map(variable))}.`,
    trouble,
  },

  bulk: {
    title: (number) => `Enviar um e-mail para ${recipients(number)}`,
    summary: ({ template, number, segment }) =>
      `Envia o modelo “${template}” para ${recipients(number)} do segmento “${segment}”.`,
    summaryLater: ({ template, number, segment }) =>
      `Envia mais tarde o modelo “${template}” para ${recipients(number)} do segmento “${segment}”.`,
    template: 'Modelo',
    segment: 'Segmento',
    inSegment: 'No segmento',
    getIt: 'Recebem o e-mail',
    skipped: 'Ficam de fora',
    begins: 'Início',
    takes: 'Duração aproximada',
    everybody: 'Todos os que estão no segmento',
    rest: '`segments_preview` lista todos.',
    reads: (whom) => `Como fica para ${whom}`,
    source: 'O modelo: alguns e-mails trazem outras partes dele',
    who: 'Quem recebe o e-mail',
    sentNow: (number) =>
      counted(
        number,
        forms(
          '# e-mail externo é enviado, e não é possível desfazer o envio',
          '# e-mails externos são enviados, e não é possível desfazer o envio',
          '# de e-mails externos são enviados, e não é possível desfazer o envio',
        ),
      ),
    sentLater: (number) =>
      counted(
        number,
        forms(
          '# e-mail externo é enviado a partir desse horário; até lá, a campanha pode ser encerrada',
          '# e-mails externos são enviados a partir desse horário; até lá, a campanha pode ser encerrada',
          '# de e-mails externos são enviados a partir desse horário; até lá, a campanha pode ser encerrada',
        ),
      ),
    goTo: ({ number, domains, outside }) => {
      const they = form(number, forms('Ele vai', 'Eles vão'))
      if (domains === 1) return `${they} para 1 domínio${outside === 1 ? ' externo' : ''}`
      const which =
        outside === domains
          ? 'todos externos'
          : outside === 0
            ? 'nenhum deles externo'
            : counted(outside, forms('# deles externo', '# deles externos'))
      return `${they} para ${counted(domains, forms('# domínio', '# domínios', '# de domínios'))}, ${which}`
    },
    getNothing: (number) =>
      counted(
        number,
        forms(
          '# contato do segmento não recebe nada',
          '# contatos do segmento não recebem nada',
          '# de contatos do segmento não recebem nada',
        ),
      ),
    countsForQuota: (number) =>
      `${recipients(number)} ${form(number, forms('conta', 'contam'))} para a cota deste servidor`,
    canBeStopped: 'A campanha pode ser pausada e encerrada durante o envio; o que já foi enviado continua enviado',
    confirm: (number) => `Enviar ${mails(number)}`,
    confirmLater: (number) => `Agendar ${mails(number)}`,
    skippedAll: (all) => `Ficam de fora: ${spokenNumber(all)}`,
    skippedSome: (all, named) => `Ficam de fora: ${spokenNumber(all)}, mostrados aqui: ${named}`,
    contact: 'Contato',
    why: 'Motivo',
    gets: 'Recebe',
    nothing: (reason) => `Nada. ${reason}`,
    theMail: 'O e-mail',
    withFallbacks: (names) => `O e-mail, com texto substituto para: ${listed(names.map(variable))}`,
    noMail: (whom) => `${whom} não recebe e-mail.`,
    cannotRender: 'Não é possível gerar o e-mail.',
    absent: (number, name) => `${haveNo(number)} ${variable(name)}; o e-mail é enviado sem esse dado.`,
    absentReplaced: (number, name, fallback) =>
      `${haveNo(number)} ${variable(name)}; no lugar, é usado o texto substituto “${fallback}”.`,
    notGiven: (name, fallback) =>
      `A chamada não informa “${variable(name)}”; em todos os e-mails é usado o texto substituto “${fallback}”.`,
    undeliverable: (number) =>
      counted(
        number,
        forms(
          '# endereço de e-mail está marcado como não entregável e fica de fora.',
          '# endereços de e-mail estão marcados como não entregáveis e ficam de fora.',
          '# de endereços de e-mail estão marcados como não entregáveis e ficam de fora.',
        ),
      ),
    leftOut: (number, reason) => `${recipients(number)} ${form(number, forms('fica', 'ficam'))} de fora: ${reason}`,
    misnamed: {
      title: (number) =>
        counted(
          number,
          forms(
            '# destinatário tem um nome que parece outro endereço.',
            '# destinatários têm nomes que parecem outros endereços.',
            '# de destinatários têm nomes que parecem outros endereços.',
          ),
        ),
      text: (name, address) => `O e-mail para “${name}” vai para ${address}.`,
    },
    empty: {
      title: (segment) => `Não há ninguém no segmento “${segment}” no momento.`,
      text: 'Use outro segmento; segments_preview mostra quem cada um abrange.',
    },
    nobody: (segment) => `Ninguém de “${segment}” pode receber este e-mail.`,
    allUndeliverable: 'Há endereços marcados como não entregáveis.',
    accepted: (accepted, number) =>
      `${spokenNumber(accepted)} de ${counted(number, forms('# e-mail aceito', '# e-mails aceitos', '# de e-mails aceitos'))} pelo servidor de e-mail`,
    campaign: 'Campanha',
  },

  progress: {
    titles: {
      scheduled: 'Campanha agendada',
      sending: 'Campanha em envio',
      paused: 'Campanha pausada',
      stopped: 'Campanha encerrada',
      finished: 'Campanha enviada',
    },
    nobody: 'Ninguém recebeu a campanha',
    stop: 'Encerrar',
    pause: 'Pausar',
    resume: 'Retomar',
    done: 'E-mails concluídos',
    accepted: 'Aceitos pelo servidor de e-mail',
    deferred: 'Nova tentativa mais tarde',
    refused: 'Recusados',
    unknown: 'Não se sabe se chegaram',
    skipped: 'Ficaram de fora',
    stopped: 'Nunca enviados, porque a campanha foi encerrada',
    rests: 'Nada está sendo enviado no momento.',
    because: (code, said) =>
      code === undefined ? quotation('pt', said) : `${because[code]}: ${quotation('pt', said)}`,
  },

  halt: {
    confirmed: 'Confirmada',
    mails: 'E-mails',
    left: 'Ainda por enviar',
    mayHave: 'Talvez tenham chegado',
    because: 'Motivo da espera',
    atServer: (number) => `${spokenNumber(number)} no servidor de e-mail neste momento`,
    pause: (template) => `Pausar a campanha “${template}”`,
    pauseSummary: ({ template, segment, left }) =>
      `Pausa a campanha “${template}” para “${segment}”; ainda por enviar: ${mails(left)}.`,
    noMore: 'Nenhum outro e-mail é enviado até que a campanha seja retomada',
    fewDo: 'Os poucos que estão no servidor de e-mail neste momento ainda são enviados',
    pauseConfirm: 'Pausar campanha',
    accepted: (accepted, number) =>
      `${spokenNumber(accepted)} de ${counted(number, forms('# e-mail aceito', '# e-mails aceitos', '# de e-mails aceitos'))}`,
    undoPause: 'Retomar a campanha',
    resume: (template) => `Enviar o restante da campanha “${template}”`,
    resumeSummary: ({ template, segment, left }) =>
      `Retoma a campanha “${template}” e envia ${mails(left)} para “${segment}”.`,
    goOut: (number) =>
      `${mails(number)} ${form(number, forms('é enviado', 'são enviados'))}, e não é possível desfazer o envio`,
    notTwice: 'Ninguém recebe o e-mail duas vezes',
    tookNothing: {
      title: 'O servidor de e-mail não aceitou nada daqui.',
      text: (said) => `A resposta: ${quotation('pt', said)}`,
    },
    resumeConfirm: 'Retomar campanha',
    resumed: 'Campanha retomada',
    toGo: (number) => `${form(number, forms('Falta', 'Faltam'))} ${mails(number)}`,
    stop: (template) => `Encerrar a campanha “${template}”`,
    stopSummary: (about) =>
      `Encerra a campanha “${about.template}” para “${about.segment}”. Enviados: ${spokenNumber(about.accepted)} de ${spokenNumber(about.number)}; não serão enviados: ${spokenNumber(about.left)}.`,
    staySent: (number) =>
      `${mails(number)} ${form(number, forms('já foi enviado e continua enviado', 'já foram enviados e continuam enviados'))}`,
    mayHaveGot: (number) =>
      `${recipients(number)} ${form(number, forms('talvez tenha recebido o e-mail sem que se saiba', 'talvez tenham recebido o e-mail sem que se saiba'))}`,
    goesOn: {
      title: 'A campanha continua até você confirmar.',
      text: 'Até lá, terão sido enviados mais e-mails do que o cartão mostra.',
    },
    stopConfirm: 'Encerrar campanha',
    sent: (number) => counted(number, forms('# enviado', '# enviados')),
    refused: (number) => counted(number, forms('# recusado', '# recusados')),
    unknown: (number) => `${spokenNumber(number)} com resultado desconhecido`,
    notSent: (number) => counted(number, forms('# não enviado', '# não enviados')),
  },
}
