import { quotation } from '../../../../cards/card-words.ts'
import { listing, pluralsOf } from '../../../languages.ts'
import type { PeopleWords } from '../en/people.ts'

const { counted } = pluralsOf<'one' | 'many' | 'other'>('pt')

const listed = listing('pt')

const spoken = {
  name: 'nome',
  description: 'descrição',
  subject: 'assunto',
  body: 'texto',
  variables: 'variáveis',
  fallbacks: 'textos substitutos',
}

export const people: PeopleWords = {
  contact: {
    fields: { name: 'Nome', firstName: 'Primeiro nome', lastName: 'Sobrenome', company: 'Empresa', note: 'Nota' },
    add: (name) => `Adicionar ${name} aos contatos`,
    addSummary: (address, name) => `Adiciona ${address}${name === null ? '' : ` como ${name}`} aos contatos.`,
    shown: 'Os cartões de e-mails mostram este nome para esse endereço',
    nobodyTold: 'Ninguém é avisado',
    addConfirm: 'Adicionar contato',
    added: 'Contato adicionado',
    change: (whom) => `Alterar o contato ${whom}`,
    changeSummary: (what, whom) => `Altera em ${whom}: ${listed(what.map((each) => each.toLowerCase()))}.`,
    arrives: 'entrega de e-mails',
    notArrives: 'Os e-mails não chegam',
    mayGo: 'E-mails podem voltar a ser enviados para lá',
    changeConfirm: 'Alterar contato',
    changed: 'Contato alterado',
    changeBack: 'Desfazer a alteração',
  },

  segment: {
    create: (name) => `Criar o segmento “${name}”`,
    summary: (name, number) =>
      `Cria o segmento “${name}”, que agora abrange ${counted(number, { one: '# contato', many: '# de contatos', other: '# contatos' })}.`,
    who: 'Quem faz parte',
    everybody: 'Todos os contatos',
    allOf: (conditions) => conditions.join('; e '),
    fields: {
      name: 'nome',
      first_name: 'primeiro nome',
      last_name: 'sobrenome',
      email: 'endereço',
      domain: 'domínio',
      company: 'empresa',
      note: 'nota',
      undeliverable: 'marca “não entregável”',
    },
    is: (field, value) => `${field} é “${value}”`,
    isNot: (field, value) => `${field} não é “${value}”`,
    contains: (field, value) => `${field} contém “${value}”`,
    exists: (field) => `tem ${field}`,
    missing: (field) => `não tem ${field}`,
    withoutFirstName: 'Sem primeiro nome',
    undeliverable: 'Não entregáveis',
    meantNow: 'Fazem parte agora',
    noName: 'Sem nome',
    isRule:
      'Quem atende às condições no momento em que o segmento é usado faz parte dele, inclusive contatos adicionados depois',
    noConditions: 'Não há condições: o segmento abrange todos os contatos.',
    nobody: 'Ninguém atende a estas condições no momento.',
    confirm: 'Criar segmento',
    created: (name) => `Segmento “${name}” criado`,
    now: (number) =>
      counted(number, { one: '# contato agora', many: '# de contatos agora', other: '# contatos agora' }),
    id: 'Id',
  },

  template: {
    fields: {
      name: 'Nome',
      description: 'Descrição',
      subject: 'Assunto',
      body: 'Texto',
      variables: 'Cada chamada informa',
      fallbacks: 'Textos substitutos',
    },
    spoken,
    done: spoken,
    create: (name) => `Criar o modelo “${name}”`,
    createSummary: (name, subject) => `Cria o modelo “${name}” com o assunto “${subject}”.`,
    reads: (name) => `Como fica, por exemplo, para ${name}`,
    readsNow: (name) => `Como fica agora, por exemplo, para ${name}`,
    readsThen: 'Como ficaria',
    noSample: (label) => `${label}: nenhum e-mail seria gerado.`,
    problem: (english) => `Em inglês: ${quotation('pt', english)}`,
    canBeUsed: 'A partir de então, o modelo pode ser usado em e-mails',
    createConfirm: 'Criar modelo',
    created: (name) => `Modelo “${name}” criado`,
    id: 'Id',
    without: (variable) => `Sem ${variable}`,
    needed: {
      title: (variables) => `Destinatários sem ${variables.join(' ou ')} não recebem e-mail.`,
      text: 'Não há texto substituto para isso. Quem fica de fora é indicado antes de qualquer envio.',
    },
    change: (name) => `Alterar o modelo “${name}”`,
    changeSummary: (what, name) => `Altera no modelo “${name}”: ${what}.`,
    readOtherwise: 'E-mails criados depois a partir deste modelo ficam diferentes',
    othersStay: 'E-mails enviados ou agendados continuam como estão',
    changeConfirm: 'Alterar modelo',
    changed: (name) => `Modelo “${name}” alterado`,
    changeBack: (name) => `Desfazer a alteração de “${name}”`,
    // The fields that are shown so, the subject and the text, are both masculine.
    now: (field) => `${field} atual`,
    afterwards: (field) => `${field} novo`,
  },
}
