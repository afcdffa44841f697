// English, which is the list of what has to be said: the other languages have its type. Amounts and days come as figures
// (`server/cards/figures.ts`), which a view finds only where no letter touches them.
import { pluralsOf } from '../../../toolsets/languages.ts'

const { counted, form } = pluralsOf<'one' | 'other'>('en')

const lines = (number: number): string => counted(number, { one: '# line', other: '# lines' })
const products = (number: number): string => counted(number, { one: '# product', other: '# products' })
const signed = (delta: number): string => `${delta > 0 ? '+' : ''}${delta}`

/** So many pieces of a product. */
export interface Pieces {
  readonly sku: string
  readonly quantity: number
}

/** A number before and after. */
export interface Step {
  readonly from: number
  readonly to: number
}

export const en = {
  labels: {
    item: 'Item',
    qty: 'Qty',
    quantity: 'Quantity',
    price: 'Price',
    cost: 'Cost',
    /** Of one line. */
    amount: 'Total',
    total: 'Total',
    subtotal: 'Subtotal',
    customer: 'Customer',
    state: 'State',
    created: 'Created',
    delivery: 'Delivery',
    discount: 'Discount',
    contact: 'Contact',
    note: 'Note',
    reason: 'Reason',
    expected: 'Expected',
    onHand: 'On hand',
    reserved: 'Reserved',
    available: 'Available',
    /** Of an order that is gone. */
    totalWas: 'Total was',
  },
  states: { open: 'open', fulfilled: 'fulfilled', cancelled: 'cancelled' },
  discountOf: (percent: number) => `Discount ${percent} %`,

  /** Names in a row: SKUs, pieces. */
  list: (names: readonly string[]) => names.join(', '),
  andMore: (first: string, left: number) => `${first} and ${left} more`,
  lines,
  /** How much of a quantity is missing. */
  partOf: ({ sku, part, quantity }: Pieces & { part: number }) => `${part} of ${quantity} ${sku}`,

  notTold: (name: string) => `${name} is not told`,
  totalGoes: (from: string, to: string) => `The total goes from ${from} to ${to}`,
  /** "Stock" without another word is what is free to promise. */
  stockGoes: ({ sku, from, to }: Step & { sku: string }) => `Stock of ${sku} goes from ${from} to ${to}`,
  stockStays: (sku: string, at: number) => `Stock of ${sku} stays at ${at}`,
  stockIsNow: (sku: string, at: number) => `Stock of ${sku} is now ${at}`,
  onHandGoes: ({ sku, from, to }: Step & { sku: string }) => `On hand of ${sku} goes from ${from} to ${to}`,
  /** `arrival`: the purchase order that brings the rest, and its day where it has one. */
  backOrdered: ({
    sku,
    quantity,
    part,
    arrival,
  }: Pieces & {
    part: number
    arrival: { id: string; day: string | undefined } | undefined
  }) => {
    const until =
      arrival === undefined
        ? '; none are on order'
        : arrival.day === undefined
          ? ` until ${arrival.id} arrives`
          : ` until ${arrival.day} (${arrival.id})`
    return `${part} of ${quantity} ${sku} ${form(part, { one: 'is', other: 'are' })} back-ordered${until}`
  },
  oddQuantity: {
    title: ({ sku, quantity, usual, times }: Pieces & { usual: number; times: number }) =>
      `${quantity} of ${sku} is ${times} times the usual ${usual}.`,
    text: 'Check the quantity before you confirm.',
  },

  create: {
    title: (customer: string) => `Create a sales order for ${customer}`,
    summary: ({ customer, goods, total }: { customer: string; goods: string; total: string }) =>
      `Creates a sales order for ${customer}: ${goods}, total ${total}.`,
    confirm: 'Create order',
    done: (id: string) => `Order ${id} created`,
    someBackOrdered: (items: number) => counted(items, { one: '# item back-ordered.', other: '# items back-ordered.' }),
    tooEarly: {
      title: (sku: string) => `${sku} arrives after the delivery day.`,
      text: ({ delivery, missing, due }: { delivery: string; missing: number; due: string }) =>
        `Delivery is set for ${delivery}; the missing ${missing} arrive on ${due}.`,
    },
  },

  modify: {
    title: (id: string) => `Change order ${id}`,
    fieldsChange: (changed: number, stay: number) =>
      `${counted(changed, { one: '# field changes', other: '# fields change' })}, ${stay} stay`,
    /** `total`: where it changes. */
    summary: ({ fields, id, customer, total }: { fields: string; id: string; customer: string; total?: string }) =>
      `Changes ${fields} of order ${id} for ${customer}${total === undefined ? '' : `; the total becomes ${total}`}.`,
    confirm: (fields: number) => counted(fields, { one: 'Change # field', other: 'Change # fields' }),
    back: (id: string) => `Change ${id} back`,
    done: (id: string) => `Order ${id} changed`,
    aboveAgreed: {
      title: (discount: string, agreed: string) => `${discount} is above the customer's agreed ${agreed}.`,
      text: (customer: string) => `Nothing else checks it: with your confirmation ${customer} gets it.`,
    },
  },

  fulfill: {
    title: (id: string) => `Fulfil order ${id}`,
    summary: ({ id, customer, lines, total }: { id: string; customer: string; lines: string; total: string }) =>
      `Fulfils order ${id} for ${customer}: ${lines}, ${total}. The goods leave the warehouse.`,
    confirm: 'Fulfil order',
    done: (id: string) => `Order ${id} fulfilled`,
    leaves: ({ sku, quantity, from, to }: Pieces & Step) =>
      `${quantity} ${sku} ${form(quantity, { one: 'leaves', other: 'leave' })} the warehouse: on hand goes from ${from} to ${to}`,
    early: { title: (day: string) => `Delivery is agreed for ${day}.`, text: 'The goods leave today.' },
    noStock: {
      title: (lacking: number, all: number) =>
        `${lacking} of ${lines(all)} ${form(lacking, { one: 'has', other: 'have' })} no stock.`,
      orderFirst: ({ sku, quantity }: Pieces) => `Order ${quantity} ${sku} first (purchases_create)`,
      /** `due`: its day, where it has one. */
      receiveFirst: ({ id, sku, quantity, due }: Pieces & { id: string; due: string | undefined }) =>
        `Receive ${id} first (${quantity} ${sku} missing${due === undefined ? '' : `, expected ${due}`})`,
      text: (first: readonly string[], skus: string) => `${first.join('. ')}, or take ${skus} off the order.`,
    },
  },

  remove: {
    title: (id: string) => `Delete order ${id}`,
    created: (day: string) => `created ${day}`,
    summary: ({ id, customer, total, number }: { id: string; customer: string; total: string; number: number }) =>
      `Deletes order ${id} for ${customer} (${total}) and its ${lines(number)} for good.`,
    goes: (number: number) => `The order and its ${lines(number)} are removed for good`,
    returns: (items: number) =>
      counted(items, { one: '# reserved item returns to stock', other: '# reserved items return to stock' }),
    confirm: 'Delete order',
    done: (id: string) => `Order ${id} deleted`,
    backInStock: (sku: string) => `${sku} back in stock`,
    fulfilled: {
      title: (id: string) => `${id} has left the warehouse.`,
      text: 'A delivered order stays on the books. Correct its quantities instead.',
    },
  },

  purchase: {
    title: (supplier: string) => `Order goods from ${supplier}`,
    summary: (order: { supplier: string; goods: string; total: string; expected: string }) =>
      `Creates a purchase order to ${order.supplier}: ${order.goods}, total ${order.total}, expected ${order.expected}.`,
    stockWaits: 'Stock does not change before the goods are received',
    notedOnly: (supplier: string) => `The purchase order is only noted here: ${supplier} is not told`,
    elsewhere: {
      title: (sku: string, supplier: string) => `${sku} usually comes from ${supplier}.`,
      text: (supplier: string) => `Check that ${supplier} has it.`,
    },
    confirm: 'Create purchase order',
    done: (id: string) => `Purchase order ${id} created`,
  },

  receive: {
    title: (id: string) => `Receive purchase order ${id}`,
    summary: ({ id, supplier, goods }: { id: string; supplier: string; goods: string }) =>
      `Books the goods of ${id} from ${supplier} into stock: ${goods}.`,
    gets: ({ order, customer, sku, quantity }: Pieces & { order: string; customer: string }) =>
      `${order} (${customer}) gets ${quantity} back-ordered ${sku}`,
    got: ({ order, sku, quantity }: Pieces & { order: string }) => `${order} got ${quantity} back-ordered ${sku}`,
    early: {
      title: (id: string, day: string) => `${id} is expected on ${day}.`,
      text: 'Receive it only when the goods are really here.',
    },
    confirm: 'Receive goods',
    done: (id: string) => `Purchase order ${id} received`,
  },

  adjust: {
    title: (sku: string, delta: number) =>
      `${delta > 0 ? `Add ${delta} to` : `Take ${-delta} from`} the stock of ${sku}`,
    summary: ({ sku, delta, from, to }: Step & { sku: string; delta: number }) =>
      `Adjusts ${sku} by ${signed(delta)}: on hand goes from ${from} to ${to}.`,
    signed,
    onTheBooks: 'The movement stays on the books with its reason',
    moreThanAll: {
      title: (amount: number, onHand: number) => `${amount} is more than all that is on hand (${onHand}).`,
      text: 'Check the quantity.',
    },
    confirm: 'Adjust stock',
    back: (sku: string) => `Adjust ${sku} back`,
    backReason: 'Takes the last adjustment back',
    done: (sku: string) => `Stock of ${sku} adjusted`,
    notThatMany: {
      title: (sku: string, onHand: number) => `Only ${onHand} ${sku} are on hand.`,
      text: (onHand: number) => `Take away ${onHand} at most.`,
    },
    promised: {
      title: (sku: string, reserved: number) => `${reserved} ${sku} are promised to open orders.`,
      holds: (order: string, reserved: number) => `${order} holds ${reserved}`,
      text: ({ after, held, free }: { after: number; held: string; free: number }) =>
        `On hand would be ${after}, and ${held}. Change those orders first, or take away ${free} at most.`,
    },
  },

  correct: {
    title: (id: string) => `Correct order ${id}`,
    linesOf: (number: number, all: number) => `${lines(number)} of ${all}`,
    change: ({ sku, from, to }: Step & { sku: string }) => `${sku} from ${from} to ${to}`,
    summary: ({ changes, id, total }: { changes: string; id: string; total: string }) =>
      `Corrects ${changes} on fulfilled order ${id}; the total becomes ${total}.`,
    invoicesStay: 'Invoices that were already sent stay as they are',
    confirm: (number: number) => counted(number, { one: 'Correct # line', other: 'Correct # lines' }),
    back: (id: string) => `Correct ${id} back`,
    backReason: 'Takes the last correction back',
    done: (id: string) => `Order ${id} corrected`,
    noStock: {
      title: (number: number) =>
        counted(number, {
          one: '# line cannot have left the warehouse.',
          other: '# lines cannot have left the warehouse.',
        }),
      lacks: ({ sku, quantity, free }: Pieces & { free: number }) =>
        `${quantity} more ${sku} were to be posted out, and ${free} are free`,
      text: (lacks: readonly string[]) => `${lacks.join('. ')}. Adjust the stock or receive goods first.`,
    },
  },

  rebuild: {
    title: 'Rebuild the stored stock figures',
    differ: (wrong: number, all: number) =>
      `${wrong} of ${products(all)} ${form(wrong, { one: 'differs', other: 'differ' })} from the movements`,
    summary: (skus: string) => `Rebuilds the stored figures of ${skus} from the movements.`,
    onHandOf: (sku: string) => `${sku} on hand`,
    reservedOf: (sku: string) => `${sku} reserved`,
    agree: (number: number) =>
      counted(number, {
        one: '# product already agrees and stays as it is',
        other: '# products already agree and stay as they are',
      }),
    overPromised: {
      title: ({ sku, reserved, onHand }: { sku: string; reserved: number; onHand: number }) =>
        `${sku}: ${reserved} are promised and ${onHand} are on hand.`,
      text: 'Receive goods or change the orders that hold it.',
    },
    confirm: (number: number) => counted(number, { one: 'Correct # product', other: 'Correct # products' }),
    done: 'Stock figures rebuilt',
    corrected: (number: number, all: number) => `${number} of ${products(all)} corrected`,
  },

  /** What has happened, by the code of the failure; in English a card has the message of the tool itself. */
  failures: {
    unknown_customer: 'There is no customer of this name.',
    unknown_supplier: 'There is no supplier of this name.',
    unknown_sku: 'There is no product with this SKU.',
    unknown_order: 'There is no order with this number.',
    unknown_purchase: 'There is no open purchase order with this number.',
    not_open: 'The order is not open any more and cannot be changed.',
    not_fulfilled: 'The order has not been fulfilled, so there is nothing to correct.',
    line_not_on_order: 'The order has no such line.',
    already_fulfilled: 'The order has left the warehouse and stays on the books.',
    already_received: 'The goods of this purchase order are in stock already.',
    date_in_past: 'The day is in the past.',
    no_stock: 'There are not enough goods in stock.',
    stock_promised: 'The stock is promised to open orders.',
    not_that_many: 'There are not that many pieces in stock.',
    nothing_to_change: 'Everything is already as asked.',
  },
}

export type DeskWords = typeof en
