import { pt as files } from '../../../files/words/pt.ts'
import { listing, pluralsOf } from '../../../languages.ts'
import type { MailsWords } from '../en/mails.ts'

const { counted, form } = pluralsOf<'one' | 'many' | 'other'>('pt')

/** `many` is for whole millions, where the noun follows with "de". */
const forms = (one: string, other: string, many = other) => ({ one, many, other })

const listed = listing('pt')
const recipients = (number: number): string =>
  counted(number, forms('# destinatário', '# destinatários', '# de destinatários'))

export const mails: MailsWords = {
  units: files.units,
  listed,
  andMore: (first, more) => `${first} e mais ${more}`,
  recipients,
  noMailByThis: 'Ninguém recebe um e-mail por causa disto',
  of: (name, warning) => `${name}: ${warning}`,
  outside: (domain) => `${domain} · externo`,
  hasHtml: {
    title: 'Há HTML no texto.',
    text: 'Os destinatários o veem tal como está escrito; nada dele é executado nem carregado.',
  },
  missed: {
    title: (moment) => `O horário previsto para o envio já passou (${moment}).`,
    text: 'O e-mail é enviado imediatamente.',
  },
  links: { label: 'Links', text: 'Texto', leadsTo: 'Leva a', address: 'Endereço' },
  labels: { address: 'Endereço', name: 'Nome', subject: 'Assunto', from: 'De', answersTo: 'Respostas para' },
  atOnce: 'Imediatamente',
  newRecipients: (number) =>
    counted(
      number,
      forms(
        '# destinatário nunca recebeu um e-mail daqui',
        '# destinatários nunca receberam um e-mail daqui',
        '# de destinatários nunca receberam um e-mail daqui',
      ),
    ),

  send: {
    title: (whom) => `Enviar um e-mail para ${whom}`,
    summary: ({ subject, whom, attachments }) =>
      `Envia o e-mail “${subject}” para ${whom}${attachments === 0 ? '' : counted(attachments, forms(', com # anexo', ', com # anexos', ', com # de anexos'))}.`,
    goesOut: 'Envio',
    project: 'Projeto',
    text: 'O e-mail, como será lido',
    leavesNow: (number) => `O e-mail é enviado para ${recipients(number)}, e não é possível desfazer o envio`,
    leavesLater: (number) =>
      `O e-mail é enviado para ${recipients(number)} nesse horário; até lá, o envio pode ser cancelado`,
    leavesFor: (domains, named) =>
      `Ele vai para ${domains === 1 ? 'um domínio externo' : `${domains} domínios externos`}: ${named}`,
    hidden: (number) =>
      counted(
        number,
        forms(
          '# destinatário (Cco) o recebe sem que os outros vejam',
          '# destinatários (Cco) o recebem sem que os outros vejam',
          '# de destinatários (Cco) o recebem sem que os outros vejam',
        ),
      ),
    kept: 'Ele permanece na lista de e-mails',
    draftGoes: (id) => `O rascunho ${id} é excluído`,
    draftDiffers: (id, differs) => `O rascunho ${id} é excluído; neste e-mail são diferentes: ${differs}`,
    confirm: 'Enviar e-mail',
    confirmLater: 'Agendar e-mail',
    roles: { to: 'Para', cc: 'Cópia para (Cc)', bcc: 'Cópia oculta para (Cco); os outros não veem' },
    notContact: (name) => `${name} · fora dos seus contatos`,
    all: (role, number) => `${role}: todos os ${number}`,
    before: 'Já recebeu e-mail',
    never: 'Nunca',
    yes: 'Sim',
    attachments: 'Anexos',
    name: 'Nome',
    type: 'Tipo, segundo o conteúdo',
    size: 'Tamanho',
    together: 'Total',
    done: { sent: 'E-mail enviado', scheduled: 'E-mail agendado', failed: 'E-mail não enviado' },
    mail: 'E-mail',
    state: 'Situação',
    states: {
      pending: 'pendente',
      deferred: 'adiado',
      accepted: 'aceito',
      refused: 'recusado',
      unknown: 'desconhecido',
      cancelled: 'cancelado',
    },
    answer: 'Resposta do servidor de e-mail',
    notGot: (addresses) =>
      `${listed(addresses)} ${form(addresses.length, forms('não recebe', 'não recebem'))} o e-mail.`,
    undo: 'Cancelar o envio',
  },

  cancel: {
    title: (subject) => `Cancelar o envio do e-mail “${subject}”`,
    summary: (subject, whom) => `Cancela o envio do e-mail “${subject}” para ${whom}.`,
    would: 'Envio previsto',
    who: 'Não recebem o e-mail',
    doNot: (number) =>
      counted(
        number,
        forms(
          '# destinatário não recebe o e-mail',
          '# destinatários não recebem o e-mail',
          '# de destinatários não recebem o e-mail',
        ),
      ),
    answered: (number) => `Para ${recipients(number)}, o servidor de e-mail já respondeu, e isso não muda`,
    confirm: 'Interromper o envio',
    done: 'Envio cancelado',
  },

  settle: {
    // With their articles: one is masculine and one feminine.
    mail: (subject) => `o e-mail “${subject}”`,
    campaign: (template) => `a campanha “${template}”`,
    again: (what, whom) => `Enviar ${what} de novo para ${whom}`,
    reached: (what, whom) => `Registrar que ${what} chegou a ${whom}`,
    notReached: (what, whom) => `Registrar que ${what} não chegou a ${whom}`,
    againSummary: (what, whom) => `Envia ${what} de novo para ${whom}; não se sabe se o primeiro envio chegou.`,
    reachedSummary: (what, whom) => `Registra que ${what} chegou a ${whom}.`,
    notReachedSummary: (what, whom) => `Registra que ${what} não chegou a ${whom}.`,
    who: 'Não se sabe se chegou a',
    said: 'Você informa',
    arrived: 'Chegou',
    notArrived: 'Não chegou',
    goesOut: (number) =>
      counted(
        number,
        forms(
          '# e-mail é enviado, e não é possível desfazer o envio',
          '# e-mails são enviados, e não é possível desfazer o envio',
          '# de e-mails são enviados, e não é possível desfazer o envio',
        ),
      ),
    goesOutResumed: (number) =>
      counted(
        number,
        forms(
          '# e-mail é enviado assim que a campanha for retomada, e não é possível desfazer o envio',
          '# e-mails são enviados assim que a campanha for retomada, e não é possível desfazer o envio',
          '# de e-mails são enviados assim que a campanha for retomada, e não é possível desfazer o envio',
        ),
      ),
    waits: (_number, from) =>
      `A cota deste servidor está esgotada: o envio ocorre quando houver espaço, a partir de ${from}`,
    counts: 'Conta como enviado',
    doNot: (number) =>
      form(number, forms('Este destinatário não recebe o e-mail', 'Estes destinatários não recebem o e-mail')),
    twice: {
      title: (number) =>
        form(
          number,
          forms(
            'Esta pessoa pode receber o mesmo e-mail duas vezes.',
            'Cada uma destas pessoas pode receber o mesmo e-mail duas vezes.',
          ),
        ),
      text: 'Ninguém sabe se o primeiro foi entregue. Só confirme se você perguntou e ele não chegou.',
    },
    confirmAgain: 'Enviar de novo',
    confirm: 'Registrar',
    sentAgain: 'Enviado de novo',
    doneArrived: 'Registrado: chegou',
    doneNotArrived: 'Registrado: não chegou',
  },

  draft: {
    fields: {
      to: 'Para',
      cc: 'Cópia para (Cc)',
      bcc: 'Cópia oculta para (Cco)',
      replyTo: 'Respostas para',
      subject: 'Assunto',
      body: 'Texto',
      attachments: 'Anexos',
      projectId: 'Projeto',
    },
    spoken: {
      to: 'destinatários',
      cc: 'destinatários em cópia (Cc)',
      bcc: 'destinatários em cópia oculta (Cco)',
      replyTo: 'endereço de resposta',
      subject: 'assunto',
      body: 'texto',
      attachments: 'anexos',
      projectId: 'projeto',
    },
    called: (subject) => `“${subject}”`,
    to: (addresses) => `para ${addresses.join(', ')}`,
    noSubject: 'sem assunto',
    write: 'Escrever um rascunho',
    keeps: (called) => `Salva o rascunho ${called}.`,
    keep: 'Salvar rascunho',
    kept: 'Rascunho salvo',
    undo: 'Excluir o rascunho',
    change: (called) => `Alterar o rascunho ${called}`,
    changes: (what, called) => `Altera no rascunho ${called}: ${what}.`,
    changeConfirm: 'Alterar rascunho',
    changed: 'Rascunho alterado',
    changeBack: 'Desfazer a alteração',
    remove: (called) => `Excluir o rascunho ${called}`,
    removes: (called) => `Exclui o rascunho ${called}.`,
    gone: 'O rascunho é excluído definitivamente',
    removeConfirm: 'Excluir rascunho',
    removed: 'Rascunho excluído',
    writeAgain: 'Criar de novo',
    text: 'Texto',
    textThen: (before) =>
      counted(
        before,
        forms(
          'Texto novo (antes: # caractere)',
          'Texto novo (antes: # caracteres)',
          'Texto novo (antes: # de caracteres)',
        ),
      ),
  },
}
