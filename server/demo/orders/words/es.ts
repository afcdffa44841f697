import { pluralsOf } from '../../../toolsets/languages.ts'
import type { DeskWords } from './en.ts'

const { counted, form } = pluralsOf<'one' | 'many' | 'other'>('es')

/** `many` begins at a million, where the noun follows with "de"; other words are the same as for few. */
const forms = (one: string, other: string, many = other) => ({ one, many, other })

const lines = (number: number): string => counted(number, forms('# línea', '# líneas', '# de líneas'))
const products = (number: number): string => counted(number, forms('# producto', '# productos', '# de productos'))
const signed = (delta: number): string => `${delta > 0 ? '+' : ''}${delta}`

export const es: DeskWords = {
  labels: {
    item: 'Artículo',
    qty: 'Cant.',
    quantity: 'Cantidad',
    price: 'Precio',
    cost: 'Coste',
    amount: 'Importe',
    total: 'Total',
    subtotal: 'Subtotal',
    customer: 'Cliente',
    state: 'Estado',
    created: 'Creado',
    delivery: 'Entrega',
    discount: 'Descuento',
    contact: 'Contacto',
    note: 'Nota',
    reason: 'Motivo',
    expected: 'Llegada prevista',
    onHand: 'Existencias',
    reserved: 'Reservado',
    available: 'Disponible',
    totalWas: 'Total anterior',
  },
  states: { open: 'abierto', fulfilled: 'despachado', cancelled: 'cancelado' },
  discountOf: (percent) => `Descuento ${percent} %`,

  list: (names) => names.join(', '),
  andMore: (first, left) => `${first} y ${left} más`,
  lines,
  partOf: ({ sku, part, quantity }) => `${part} de ${quantity} ${sku}`,

  notTold: (name) => `No se avisa a ${name}`,
  totalGoes: (from, to) => `El total pasa de ${from} a ${to}`,
  stockGoes: ({ sku, from, to }) => `El stock disponible de ${sku} pasa de ${from} a ${to}`,
  stockStays: (sku, at) => `El stock disponible de ${sku} sigue en ${at}`,
  stockIsNow: (sku, at) => `El stock disponible de ${sku} es ahora ${at}`,
  onHandGoes: ({ sku, from, to }) => `Las existencias de ${sku} pasan de ${from} a ${to}`,
  backOrdered: ({ sku, quantity, part, arrival }) => {
    const until =
      arrival === undefined
        ? '; no hay ningún pedido de compra en curso'
        : arrival.day === undefined
          ? ` hasta que llegue ${arrival.id}`
          : ` hasta el ${arrival.day} (${arrival.id})`
    return `${part} de ${quantity} ${sku} ${form(part, forms('queda pendiente', 'quedan pendientes'))}${until}`
  },
  oddQuantity: {
    title: ({ sku, quantity, usual, times }) =>
      `${quantity} de ${sku} es ${times} veces la cantidad habitual (${usual}).`,
    text: 'Compruebe la cantidad antes de confirmar.',
  },

  create: {
    title: (customer) => `Crear un pedido de venta para ${customer}`,
    summary: ({ customer, goods, total }) => `Crea un pedido de venta para ${customer}: ${goods}, total ${total}.`,
    confirm: 'Crear pedido',
    done: (id) => `Pedido ${id} creado`,
    someBackOrdered: (items) =>
      counted(items, forms('# artículo pendiente.', '# artículos pendientes.', '# de artículos pendientes.')),
    tooEarly: {
      title: (sku) => `${sku} llega después del día de entrega.`,
      text: ({ delivery, missing, due }) =>
        `La entrega está prevista para el ${delivery}; ${form(missing, forms(`el artículo que falta llega el ${due}`, `los ${missing} artículos que faltan llegan el ${due}`))}.`,
    },
  },

  modify: {
    title: (id) => `Modificar el pedido ${id}`,
    fieldsChange: (changed, stay) =>
      `${counted(changed, forms('# campo cambia', '# campos cambian', '# de campos cambian'))}, ${stay} ${form(stay, forms('se mantiene', 'se mantienen'))}`,
    summary: ({ fields, id, customer, total }) =>
      `Modifica ${fields} en el pedido ${id} de ${customer}${total === undefined ? '' : `; el total pasa a ser ${total}`}.`,
    confirm: (fields) => counted(fields, forms('Modificar # campo', 'Modificar # campos', 'Modificar # de campos')),
    back: (id) => `Deshacer la modificación de ${id}`,
    done: (id) => `Pedido ${id} modificado`,
    aboveAgreed: {
      title: (discount, agreed) => `${discount} supera el descuento de ${agreed} acordado con el cliente.`,
      text: (customer) => `Nada más lo comprueba: si usted confirma, ${customer} recibe este descuento.`,
    },
  },

  fulfill: {
    title: (id) => `Despachar el pedido ${id}`,
    summary: ({ id, customer, lines, total }) =>
      `Despacha el pedido ${id} de ${customer}: ${lines}, ${total}. La mercancía sale del almacén.`,
    confirm: 'Despachar pedido',
    done: (id) => `Pedido ${id} despachado`,
    leaves: ({ sku, quantity, from, to }) =>
      `${quantity} ${sku} ${form(quantity, forms('sale', 'salen'))} del almacén: las existencias pasan de ${from} a ${to}`,
    early: {
      title: (day) => `La entrega está acordada para el ${day}.`,
      text: 'La mercancía sale hoy.',
    },
    noStock: {
      title: (lacking, all) =>
        `${lacking} de ${lines(all)} ${form(lacking, forms('no tiene', 'no tienen'))} existencias.`,
      orderFirst: ({ sku, quantity }) => `Pida primero ${quantity} ${sku} (purchases_create)`,
      receiveFirst: ({ id, sku, quantity, due }) =>
        `Reciba primero ${id} (${form(quantity, forms('falta', 'faltan'))} ${quantity} ${sku}${due === undefined ? '' : `, llegada prevista el ${due}`})`,
      text: (first, skus) => `${first.join('. ')}, o quite ${skus} del pedido.`,
    },
  },

  remove: {
    title: (id) => `Eliminar el pedido ${id}`,
    created: (day) => `creado el ${day}`,
    summary: ({ id, customer, total, number }) =>
      `Elimina definitivamente el pedido ${id} de ${customer} (${total}), con ${lines(number)}.`,
    goes: (number) => `El pedido, con ${lines(number)}, se elimina definitivamente`,
    returns: (items) =>
      counted(
        items,
        forms(
          '# artículo reservado vuelve a estar disponible',
          '# artículos reservados vuelven a estar disponibles',
          '# de artículos reservados vuelven a estar disponibles',
        ),
      ),
    confirm: 'Eliminar pedido',
    done: (id) => `Pedido ${id} eliminado`,
    backInStock: (sku) => `${sku} de nuevo disponible`,
    fulfilled: {
      title: (id) => `${id} ya salió del almacén.`,
      text: 'Un pedido despachado permanece en los libros. Corrija sus cantidades en lugar de eliminarlo.',
    },
  },

  purchase: {
    title: (supplier) => `Pedir mercancía a ${supplier}`,
    summary: ({ supplier, goods, total, expected }) =>
      `Crea un pedido de compra a ${supplier}: ${goods}, total ${total}, llegada prevista el ${expected}.`,
    stockWaits: 'El stock no cambia hasta que se recibe la mercancía',
    notedOnly: (supplier) => `El pedido de compra solo se anota aquí: no se avisa a ${supplier}`,
    elsewhere: {
      title: (sku, supplier) => `${sku} suele venir de ${supplier}.`,
      text: (supplier) => `Compruebe que ${supplier} lo tiene.`,
    },
    confirm: 'Crear pedido de compra',
    done: (id) => `Pedido de compra ${id} creado`,
  },

  receive: {
    title: (id) => `Recibir el pedido de compra ${id}`,
    summary: ({ id, supplier, goods }) => `Da entrada a la mercancía de ${id}, de ${supplier}: ${goods}.`,
    gets: ({ order, customer, sku, quantity }) =>
      `${order} (${customer}) recibe ${quantity} ${sku} que ${form(quantity, forms('estaba pendiente', 'estaban pendientes'))}`,
    got: ({ order, sku, quantity }) =>
      `${order} recibió ${quantity} ${sku} que ${form(quantity, forms('estaba pendiente', 'estaban pendientes'))}`,
    early: {
      title: (id, day) => `La llegada de ${id} está prevista para el ${day}.`,
      text: 'Recíbalo solo si la mercancía ya está aquí.',
    },
    confirm: 'Recibir mercancía',
    done: (id) => `Pedido de compra ${id} recibido`,
  },

  adjust: {
    title: (sku, delta) => (delta > 0 ? `Añadir ${delta} al stock de ${sku}` : `Quitar ${-delta} del stock de ${sku}`),
    summary: ({ sku, delta, from, to }) =>
      `Ajusta ${sku} en ${signed(delta)}: las existencias pasan de ${from} a ${to}.`,
    signed,
    onTheBooks: 'El movimiento queda en los libros con su motivo',
    moreThanAll: {
      title: (amount, onHand) => `${amount} es más que todas las existencias (${onHand}).`,
      text: 'Compruebe la cantidad.',
    },
    confirm: 'Ajustar stock',
    back: (sku) => `Deshacer el ajuste de ${sku}`,
    backReason: 'Deshace el último ajuste',
    done: (sku) => `Stock de ${sku} ajustado`,
    notThatMany: {
      title: (sku, onHand) => `Solo hay ${onHand} ${sku} en existencias.`,
      text: (onHand) => `Quite ${onHand} como máximo.`,
    },
    promised: {
      title: (sku, reserved) =>
        `${reserved} ${sku} ${form(reserved, forms('está prometido', 'están prometidos'))} a pedidos abiertos.`,
      holds: (order, reserved) => `${order} tiene ${form(reserved, forms('reservado', 'reservados'))} ${reserved}`,
      text: ({ after, held, free }) =>
        `Las existencias serían ${after}, y ${held}. Modifique primero esos pedidos, o quite ${free} como máximo.`,
    },
  },

  correct: {
    title: (id) => `Corregir el pedido ${id}`,
    linesOf: (number, all) => `${lines(number)} de ${all}`,
    change: ({ sku, from, to }) => `${sku} de ${from} a ${to}`,
    summary: ({ changes, id, total }) =>
      `Corrige ${changes} en el pedido despachado ${id}; el total pasa a ser ${total}.`,
    invoicesStay: 'Las facturas ya enviadas no cambian',
    confirm: (number) => counted(number, forms('Corregir # línea', 'Corregir # líneas', 'Corregir # de líneas')),
    back: (id) => `Deshacer la corrección de ${id}`,
    backReason: 'Deshace la última corrección',
    done: (id) => `Pedido ${id} corregido`,
    noStock: {
      title: (number) =>
        counted(number, forms('# línea no pudo salir del almacén.', '# líneas no pudieron salir del almacén.')),
      lacks: ({ sku, quantity, free }) =>
        `La corrección retira ${quantity} ${sku} más, y ${form(free, forms('hay disponible', 'hay disponibles'))} ${free}`,
      text: (lacks) => `${lacks.join('. ')}. Ajuste primero el stock, o reciba mercancía.`,
    },
  },

  rebuild: {
    title: 'Recalcular las existencias guardadas',
    differ: (wrong, all) =>
      `${wrong} de ${products(all)} ${form(wrong, forms('difiere', 'difieren'))} de los movimientos`,
    summary: (skus) => `Recalcula las existencias guardadas de ${skus} a partir de los movimientos.`,
    onHandOf: (sku) => `${sku}: existencias`,
    reservedOf: (sku) => `${sku}: reservado`,
    agree: (number) =>
      counted(number, forms('# producto ya coincide y no cambia', '# productos ya coinciden y no cambian')),
    overPromised: {
      title: ({ sku, reserved, onHand }) =>
        `${sku}: ${reserved} ${form(reserved, forms('prometido', 'prometidos'))} y ${onHand} en existencias.`,
      text: 'Reciba mercancía, o modifique los pedidos que la reservan.',
    },
    confirm: (number) =>
      counted(number, forms('Corregir # producto', 'Corregir # productos', 'Corregir # de productos')),
    done: 'Existencias recalculadas',
    corrected: (number, all) => `${number} de ${products(all)} ${form(number, forms('corregido', 'corregidos'))}`,
  },

  failures: {
    unknown_customer: 'No hay ningún cliente con ese nombre.',
    unknown_supplier: 'No hay ningún proveedor con ese nombre.',
    unknown_sku: 'No hay ningún artículo con esa referencia.',
    unknown_order: 'No hay ningún pedido con ese número.',
    unknown_purchase: 'No hay ningún pedido de compra abierto con ese número.',
    not_open: 'El pedido ya no está abierto y no se puede modificar.',
    not_fulfilled: 'El pedido no se ha despachado, así que no hay nada que corregir.',
    line_not_on_order: 'El pedido no tiene esa línea.',
    already_fulfilled: 'El pedido ya salió del almacén y queda en los libros.',
    already_received: 'La mercancía de este pedido de compra ya se recibió.',
    date_in_past: 'Ese día ya pasó.',
    no_stock: 'No hay suficiente mercancía en el almacén.',
    stock_promised: 'Las existencias están prometidas a pedidos abiertos.',
    not_that_many: 'No hay tantas unidades en el almacén.',
    nothing_to_change: 'Todo está ya como se pidió.',
  },
}
