import { pluralsOf } from '../../../toolsets/languages.ts'
import type { DeskWords } from './en.ts'

const { counted, form } = pluralsOf<'one' | 'many' | 'other'>('pt')

/** `many` begins at a million, where the noun follows with "de"; other words are the same as for few. */
const forms = (one: string, other: string, many = other) => ({ one, many, other })

const lines = (number: number): string => counted(number, forms('# linha', '# linhas', '# de linhas'))
const products = (number: number): string => counted(number, forms('# produto', '# produtos', '# de produtos'))
const signed = (delta: number): string => `${delta > 0 ? '+' : ''}${delta}`

export const pt: DeskWords = {
  labels: {
    item: 'Produto',
    qty: 'Qtd.',
    quantity: 'Quantidade',
    price: 'Preço',
    cost: 'Custo',
    amount: 'Valor',
    total: 'Total',
    subtotal: 'Subtotal',
    customer: 'Cliente',
    state: 'Situação',
    created: 'Criado',
    delivery: 'Entrega',
    discount: 'Desconto',
    contact: 'Contato',
    note: 'Observação',
    reason: 'Motivo',
    expected: 'Chegada prevista',
    onHand: 'Estoque físico',
    reserved: 'Reservado',
    available: 'Disponível',
    totalWas: 'Total anterior',
  },
  states: { open: 'aberto', fulfilled: 'expedido', cancelled: 'cancelado' },
  discountOf: (percent) => `Desconto ${percent} %`,

  list: (names) => names.join(', '),
  andMore: (first, left) => `${first} e mais ${left}`,
  lines,
  partOf: ({ sku, part, quantity }) => `${part} de ${quantity} ${sku}`,

  notTold: (name) => `${name} não recebe aviso`,
  totalGoes: (from, to) => `O total passa de ${from} para ${to}`,
  stockGoes: ({ sku, from, to }) => `O estoque disponível de ${sku} passa de ${from} para ${to}`,
  stockStays: (sku, at) => `O estoque disponível de ${sku} continua em ${at}`,
  stockIsNow: (sku, at) => `O estoque disponível de ${sku} agora é ${at}`,
  onHandGoes: ({ sku, from, to }) => `O estoque físico de ${sku} passa de ${from} para ${to}`,
  backOrdered: ({ sku, quantity, part, arrival }) => {
    const until =
      arrival === undefined
        ? '; não há nenhum pedido de compra em andamento'
        : arrival.day === undefined
          ? ` até a chegada de ${arrival.id}`
          : ` até ${arrival.day} (${arrival.id})`
    return `${part} de ${quantity} ${sku} ${form(part, forms('fica pendente', 'ficam pendentes'))}${until}`
  },
  oddQuantity: {
    title: ({ sku, quantity, usual, times }) =>
      `${quantity} de ${sku} é ${times} vezes a quantidade habitual (${usual}).`,
    text: 'Verifique a quantidade antes de confirmar.',
  },

  create: {
    title: (customer) => `Criar um pedido de venda para ${customer}`,
    summary: ({ customer, goods, total }) => `Cria um pedido de venda para ${customer}: ${goods}, total ${total}.`,
    confirm: 'Criar pedido',
    done: (id) => `Pedido ${id} criado`,
    someBackOrdered: (items) =>
      counted(items, forms('# unidade pendente.', '# unidades pendentes.', '# de unidades pendentes.')),
    tooEarly: {
      title: (sku) => `${sku} chega depois do dia da entrega.`,
      text: ({ delivery, missing, due }) =>
        `A entrega está prevista para ${delivery}; ${form(missing, forms(`a unidade que falta chega em ${due}`, `as ${missing} unidades que faltam chegam em ${due}`))}.`,
    },
  },

  modify: {
    title: (id) => `Alterar o pedido ${id}`,
    fieldsChange: (changed, stay) =>
      `${counted(changed, forms('# campo muda', '# campos mudam', '# de campos mudam'))}, ${stay} ${form(stay, forms('continua igual', 'continuam iguais'))}`,
    summary: ({ fields, id, customer, total }) =>
      `Altera ${fields} no pedido ${id} de ${customer}${total === undefined ? '' : `; o total passa a ser ${total}`}.`,
    confirm: (fields) => counted(fields, forms('Alterar # campo', 'Alterar # campos', 'Alterar # de campos')),
    back: (id) => `Desfazer a alteração de ${id}`,
    done: (id) => `Pedido ${id} alterado`,
    aboveAgreed: {
      title: (discount, agreed) => `${discount} está acima do desconto de ${agreed} combinado com o cliente.`,
      text: (customer) => `Nada mais verifica isso: se você confirmar, ${customer} recebe esse desconto.`,
    },
  },

  fulfill: {
    title: (id) => `Expedir o pedido ${id}`,
    summary: ({ id, customer, lines, total }) =>
      `Expede o pedido ${id} de ${customer}: ${lines}, ${total}. A mercadoria sai do depósito.`,
    confirm: 'Expedir pedido',
    done: (id) => `Pedido ${id} expedido`,
    leaves: ({ sku, quantity, from, to }) =>
      `${quantity} ${sku} ${form(quantity, forms('sai', 'saem'))} do depósito: o estoque físico passa de ${from} para ${to}`,
    early: {
      title: (day) => `A entrega está combinada para ${day}.`,
      text: 'A mercadoria sai hoje.',
    },
    noStock: {
      title: (lacking, all) => `${lacking} de ${lines(all)} ${form(lacking, forms('não tem', 'não têm'))} estoque.`,
      orderFirst: ({ sku, quantity }) => `Encomende primeiro ${quantity} ${sku} (purchases_create)`,
      receiveFirst: ({ id, sku, quantity, due }) =>
        `Receba primeiro ${id} (${form(quantity, forms('falta', 'faltam'))} ${quantity} ${sku}${due === undefined ? '' : `, chegada prevista em ${due}`})`,
      text: (first, skus) => `${first.join('. ')}, ou retire ${skus} do pedido.`,
    },
  },

  remove: {
    title: (id) => `Excluir o pedido ${id}`,
    created: (day) => `criado em ${day}`,
    summary: ({ id, customer, total, number }) =>
      `Exclui definitivamente o pedido ${id} de ${customer} (${total}), com ${lines(number)}.`,
    goes: (number) => `O pedido, com ${lines(number)}, é excluído definitivamente`,
    returns: (items) =>
      counted(
        items,
        forms(
          '# unidade reservada volta a ficar disponível',
          '# unidades reservadas voltam a ficar disponíveis',
          '# de unidades reservadas voltam a ficar disponíveis',
        ),
      ),
    confirm: 'Excluir pedido',
    done: (id) => `Pedido ${id} excluído`,
    backInStock: (sku) => `${sku} novamente disponível`,
    fulfilled: {
      title: (id) => `${id} já saiu do depósito.`,
      text: 'Um pedido expedido permanece nos registros. Em vez de excluí-lo, corrija as quantidades.',
    },
  },

  purchase: {
    title: (supplier) => `Encomendar mercadoria de ${supplier}`,
    summary: ({ supplier, goods, total, expected }) =>
      `Cria um pedido de compra para ${supplier}: ${goods}, total ${total}, chegada prevista em ${expected}.`,
    stockWaits: 'O estoque só muda quando a mercadoria é recebida',
    notedOnly: (supplier) => `O pedido de compra é apenas anotado aqui: ${supplier} não recebe aviso`,
    elsewhere: {
      title: (sku, supplier) => `${sku} costuma vir de ${supplier}.`,
      text: (supplier) => `Verifique se ${supplier} tem o produto.`,
    },
    confirm: 'Criar pedido de compra',
    done: (id) => `Pedido de compra ${id} criado`,
  },

  receive: {
    title: (id) => `Receber o pedido de compra ${id}`,
    summary: ({ id, supplier, goods }) => `Dá entrada na mercadoria de ${id}, de ${supplier}: ${goods}.`,
    gets: ({ order, customer, sku, quantity }) =>
      `${order} (${customer}) recebe ${quantity} ${sku} que ${form(quantity, forms('estava pendente', 'estavam pendentes'))}`,
    got: ({ order, sku, quantity }) =>
      `${order} recebeu ${quantity} ${sku} que ${form(quantity, forms('estava pendente', 'estavam pendentes'))}`,
    early: {
      title: (id, day) => `A chegada de ${id} está prevista para ${day}.`,
      text: 'Só confirme o recebimento se a mercadoria já estiver aqui.',
    },
    confirm: 'Receber mercadoria',
    done: (id) => `Pedido de compra ${id} recebido`,
  },

  adjust: {
    title: (sku, delta) =>
      delta > 0 ? `Adicionar ${delta} ao estoque de ${sku}` : `Retirar ${-delta} do estoque de ${sku}`,
    summary: ({ sku, delta, from, to }) =>
      `Ajusta ${sku} em ${signed(delta)}: o estoque físico passa de ${from} para ${to}.`,
    signed,
    onTheBooks: 'O movimento fica registrado com o motivo',
    moreThanAll: {
      title: (amount, onHand) => `${amount} é mais do que todo o estoque físico (${onHand}).`,
      text: 'Verifique a quantidade.',
    },
    confirm: 'Ajustar estoque',
    back: (sku) => `Desfazer o ajuste de ${sku}`,
    backReason: 'Desfaz o último ajuste',
    done: (sku) => `Estoque de ${sku} ajustado`,
    notThatMany: {
      title: (sku, onHand) => `Só há ${onHand} ${sku} no estoque físico.`,
      text: (onHand) => `Retire no máximo ${onHand}.`,
    },
    promised: {
      title: (sku, reserved) =>
        `${reserved} ${sku} ${form(reserved, forms('está prometido', 'estão prometidos'))} a pedidos abertos.`,
      holds: (order, reserved) => `${order} tem ${reserved} ${form(reserved, forms('reservado', 'reservados'))}`,
      text: ({ after, held, free }) =>
        `O estoque físico seria ${after}, e ${held}. Altere primeiro esses pedidos, ou retire no máximo ${free}.`,
    },
  },

  correct: {
    title: (id) => `Corrigir o pedido ${id}`,
    linesOf: (number, all) => `${lines(number)} de ${all}`,
    change: ({ sku, from, to }) => `${sku} de ${from} para ${to}`,
    summary: ({ changes, id, total }) => `Corrige ${changes} no pedido expedido ${id}; o total passa a ser ${total}.`,
    invoicesStay: 'As faturas já enviadas não mudam',
    confirm: (number) => counted(number, forms('Corrigir # linha', 'Corrigir # linhas', 'Corrigir # de linhas')),
    back: (id) => `Desfazer a correção de ${id}`,
    backReason: 'Desfaz a última correção',
    done: (id) => `Pedido ${id} corrigido`,
    noStock: {
      title: (number) =>
        counted(
          number,
          forms(
            '# linha não pode ter saído do depósito.',
            '# linhas não podem ter saído do depósito.',
            '# de linhas não podem ter saído do depósito.',
          ),
        ),
      lacks: ({ sku, quantity, free }) =>
        `A correção dá baixa em mais ${quantity} ${sku}, e ${form(free, forms('há disponível', 'há disponíveis'))} ${free}`,
      text: (lacks) => `${lacks.join('. ')}. Primeiro ajuste o estoque ou receba mercadoria.`,
    },
  },

  rebuild: {
    title: 'Recalcular os números de estoque guardados',
    differ: (wrong, all) => `${wrong} de ${products(all)} ${form(wrong, forms('difere', 'diferem'))} dos movimentos`,
    summary: (skus) => `Recalcula os números de estoque guardados de ${skus} a partir dos movimentos.`,
    onHandOf: (sku) => `${sku}: estoque físico`,
    reservedOf: (sku) => `${sku}: reservado`,
    agree: (number) =>
      counted(
        number,
        forms(
          '# produto já confere e não muda',
          '# produtos já conferem e não mudam',
          '# de produtos já conferem e não mudam',
        ),
      ),
    overPromised: {
      title: ({ sku, reserved, onHand }) =>
        `${sku}: ${reserved} ${form(reserved, forms('prometido', 'prometidos'))} e ${onHand} no estoque físico.`,
      text: 'Receba mercadoria, ou altere os pedidos que a reservam.',
    },
    confirm: (number) => counted(number, forms('Corrigir # produto', 'Corrigir # produtos', 'Corrigir # de produtos')),
    done: 'Números de estoque recalculados',
    corrected: (number, all) => `${number} de ${products(all)} ${form(number, forms('corrigido', 'corrigidos'))}`,
  },

  failures: {
    unknown_customer: 'Não existe cliente com esse nome.',
    unknown_supplier: 'Não existe fornecedor com esse nome.',
    unknown_sku: 'Não existe produto com esse código.',
    unknown_order: 'Não existe pedido com esse número.',
    unknown_purchase: 'Não existe pedido de compra em aberto com esse número.',
    not_open: 'O pedido não está mais em aberto e não pode ser alterado.',
    not_fulfilled: 'O pedido não foi expedido, então não há nada a corrigir.',
    line_not_on_order: 'O pedido não tem essa linha.',
    already_fulfilled: 'O pedido já saiu do armazém e permanece nos livros.',
    already_received: 'A mercadoria deste pedido de compra já foi recebida.',
    date_in_past: 'Esse dia já passou.',
    no_stock: 'Não há mercadoria suficiente em estoque.',
    stock_promised: 'O estoque está prometido a pedidos em aberto.',
    not_that_many: 'Não há tantas peças em estoque.',
    nothing_to_change: 'Tudo já está como foi pedido.',
  },
}
