// What agents really write, and whether it says why. The examples are sentences as they come in, with the calls that they
// came with: a rule that somebody changes must still tell them apart.
import { describe, expect, test } from 'vitest'
import {
  judgeRationale,
  judgeRationales,
  type JudgedRationale,
} from '../../../../server/operations/insights/meaningful.ts'

const create = { tool: 'orders_create', args: '{"customer":"ACME","lines":[{"sku":"DESK-01","quantity":2}]}' }
const remove = { tool: 'orders_delete', args: '{"order":"SO-1042"}' }
const modify = { tool: 'orders_modify', args: '{"order":"SO-1042","discount":"12 %","delivery":"2026-12-05"}' }
const list = { tool: 'orders_list', args: '{}' }
const mail = { tool: 'mail_send', args: '{"to":"list@example.org","subject":"Q3 newsletter"}' }

type Call = Pick<JudgedRationale, 'tool' | 'args'>

/** With the rationale among the arguments, as it is recorded. */
const judged = (call: Call, text: string) =>
  judgeRationale({
    text,
    tool: call.tool,
    args: JSON.stringify({ ...(JSON.parse(call.args) as object), rationale: text }),
  })

describe('says why', () => {
  test.each<[Call, string]>([
    [create, 'Customer ACME called: two desks arrived damaged, so we ship replacements.'],
    [create, 'The customer asked for it by phone.'],
    [create, 'Customer asked for two desks and four lamps by phone.'],
    [modify, 'The invoice from 3 Nov lists the wrong VAT id; accounting needs it corrected before the month closes.'],
    [modify, 'Stock count on Friday found 9 lamps instead of 12.'],
    [modify, 'Discount agreed with Ms. Weber by phone because the delivery was ten days late.'],
    [remove, 'Duplicate of SO-1041, the web form was submitted twice.'],
    [list, 'Checking open orders before proposing a delivery date to Northwind.'],
    [mail, 'Marketing wants it out before the trade fair opens on Monday.'],
    [remove, 'Kunde hat telefonisch storniert, weil die Lieferung zu spät kam.'],
    [modify, "Le client a signalé une erreur d'adresse, la commande part demain."],
    [remove, 'El cliente canceló el pedido porque encontró un precio mejor.'],
    [modify, 'お客様から電話があり、納品先が変更になったため。'],
    [modify, 'العميل اتصل وقال إن العنوان خاطئ لأن المكتب انتقل'],
  ])('%o: %s', (call, text) => expect(judged(call, text)).toBe('meaningful'))
})

describe('would fit every call', () => {
  test.each<[Call, string]>([
    [create, 'The user asked me to do this.'],
    [create, 'As requested by the user.'],
    [create, 'Required to complete the task.'],
    [create, 'Executing the tool call.'],
    [create, 'I need to call this tool to proceed with the next step.'],
    [create, 'The person asked for this.'],
    [list, 'Lorem ipsum dolor sit amet'],
    [create, 'asdf asdf qwer zxcvb'],
    [create, 'This action was performed because the operator requested that operation.'],
  ])('%o: %s', (call, text) => expect(judged(call, text)).toBe('boilerplate'))
})

describe('repeats the call', () => {
  test.each<[Call, string]>([
    [create, 'Create order for ACME with DESK-01'],
    [remove, 'Deleting order SO-1042'],
    [modify, 'Updating the discount to 12 %.'],
    [create, 'Calling orders_create with customer ACME and two lines'],
    [create, 'To create the order.'],
    [create, 'Because the order must be created.'],
    [list, 'Getting the list of orders'],
    [remove, 'The user wants to delete this order.'],
    [remove, 'Der Benutzer möchte die Bestellung löschen.'],
    [create, "L'utilisateur a demandé de créer la commande."],
    [create, 'El usuario quiere crear el pedido.'],
    [create, 'ユーザーの依頼により注文を作成します。'],
  ])('%o: %s', (call, text) => expect(judged(call, text)).toBe('repeats_the_call'))
})

test.each(['test test test test', '..........', 'n/a n/a n/a n/a', 'because because because', '', '1234567890'])(
  '%j is no sentence',
  (text) => expect(judged(list, text)).toBe('not_a_sentence'),
)

test('a field of that name is no repetition where somebody is the source', () => {
  expect(judged(create, 'Creating a new sales order for customer ACME with two lines')).toBe('no_reason')
  expect(judged(create, 'Customer phoned and wants two of these')).toBe('meaningful')
})

describe('over many calls', () => {
  const said = (text: string, act: string): JudgedRationale => ({ ...create, text, act })
  const reason = 'Customer called: the desk arrived damaged, so we ship another one.'

  test('a preview and its apply are one act', () => {
    expect(judgeRationales([said(reason, 'pl_1'), said(reason, 'pl_1')])).toMatchObject({ acts: 1, meaningful: 1 })
  })

  test('the same words for another act say nothing new, however they are written', () => {
    const again = judgeRationales([
      said(reason, 'pl_1'),
      said(reason.toUpperCase(), 'pl_2'),
      said(`${reason}!`, 'pl_3'),
    ])
    expect(again).toMatchObject({ acts: 3, meaningful: 1, empty: { used_before: 2 } })
  })

  test('a form in which only a number changes counts three times', () => {
    const form = Array.from({ length: 40 }, (_, at) =>
      said(`Ticket ${at}: the desk arrived damaged, ship another`, `pl_${at}`),
    )
    expect(judgeRationales(form)).toMatchObject({ acts: 40, meaningful: 3, empty: { used_before: 37 } })
  })

  test('each way of saying nothing has its example', () => {
    const { examples } = judgeRationales([
      said(reason, 'pl_1'),
      said('As requested by the user.', 'pl_2'),
      said('As requested by the user.', 'pl_3'),
      said('To create the order.', 'pl_4'),
    ])
    expect(examples.map(({ judgement, text }) => [judgement, text])).toStrictEqual([
      ['meaningful', reason],
      ['boilerplate', 'As requested by the user.'],
      ['repeats_the_call', 'To create the order.'],
    ])
  })
})
