import { pluralsOf } from '../../../toolsets/languages.ts'
import type { DeskWords } from './en.ts'

const { counted } = pluralsOf<'other'>('ja')

const lines = (number: number): string => counted(number, { other: '明細 # 行' })
const signed = (delta: number): string => `${delta > 0 ? '+' : ''}${delta}`

export const ja: DeskWords = {
  labels: {
    item: '品目',
    qty: '数量',
    quantity: '数量',
    price: '単価',
    cost: '原価',
    amount: '金額',
    total: '合計',
    subtotal: '小計',
    customer: '顧客',
    state: '状態',
    created: '作成日時',
    delivery: '納期',
    discount: '値引き',
    contact: '連絡先',
    note: '備考',
    reason: '理由',
    expected: '入荷予定',
    onHand: '現在庫',
    reserved: '引当済み',
    available: '引当可能',
    totalWas: '削除前の合計',
  },
  states: { open: '未出荷', fulfilled: '出荷済み', cancelled: '取消済み' },
  discountOf: (percent) => `値引き ${percent} %`,

  list: (names) => names.join('、'),
  andMore: (first, left) => `${first}、他 ${left} 件`,
  lines,
  partOf: ({ sku, part, quantity }) => `${sku} ${quantity} 個中 ${part} 個`,

  notTold: (name) => `${name} には通知されません`,
  totalGoes: (from, to) => `合計が ${from} から ${to} になります`,
  stockGoes: ({ sku, from, to }) => `${sku} の引当可能在庫が ${from} から ${to} になります`,
  stockStays: (sku, at) => `${sku} の引当可能在庫は ${at} のままです`,
  stockIsNow: (sku, at) => `${sku} の引当可能在庫は ${at} になりました`,
  onHandGoes: ({ sku, from, to }) => `${sku} の現在庫が ${from} から ${to} になります`,
  backOrdered: ({ sku, quantity, part, arrival }) => {
    const until =
      arrival === undefined
        ? '（発注はありません）'
        : arrival.day === undefined
          ? `（${arrival.id} の入荷まで）`
          : `（${arrival.id}、${arrival.day} 入荷予定）`
    return `${sku} ${quantity} 個中 ${part} 個が入荷待ちになります${until}`
  },
  oddQuantity: {
    title: ({ sku, quantity, usual, times }) => `${sku} の数量 ${quantity} は、通常（${usual}）の ${times} 倍です。`,
    text: '確認する前に数量をお確かめください。',
  },

  create: {
    title: (customer) => `${customer} の受注を作成`,
    summary: ({ customer, goods, total }) => `${customer} の受注を作成します：${goods}、合計 ${total}。`,
    confirm: '受注を作成',
    done: (id) => `受注 ${id} を作成しました`,
    someBackOrdered: (items) => counted(items, { other: '# 個が入荷待ちです。' }),
    tooEarly: {
      title: (sku) => `${sku} の入荷は納期より後です。`,
      text: ({ delivery, missing, due }) =>
        `納期は ${delivery}、不足している ${missing} 個の入荷は ${due} の予定です。`,
    },
  },

  modify: {
    title: (id) => `受注 ${id} を変更`,
    fieldsChange: (changed, stay) => `${counted(changed, { other: '# 項目を変更' })}、${stay} 項目は変更なし`,
    summary: ({ fields, id, customer, total }) =>
      `受注 ${id}（${customer}）を変更します：${fields}。${total === undefined ? '' : `合計は ${total} になります。`}`,
    confirm: (fields) => counted(fields, { other: '# 項目を変更' }),
    back: (id) => `${id} の変更を元に戻す`,
    done: (id) => `受注 ${id} を変更しました`,
    aboveAgreed: {
      title: (discount, agreed) => `${discount} は、顧客と合意した値引き ${agreed} を超えています。`,
      text: (customer) => `他に確認する仕組みはありません。確認すると、この値引きが ${customer} に適用されます。`,
    },
  },

  fulfill: {
    title: (id) => `受注 ${id} を出荷`,
    summary: ({ id, customer, lines, total }) =>
      `受注 ${id}（${customer}）を出荷します：${lines}、${total}。商品は倉庫から出ます。`,
    confirm: '受注を出荷',
    done: (id) => `受注 ${id} を出荷しました`,
    leaves: ({ sku, quantity, from, to }) =>
      `${sku} ${quantity} 個が倉庫から出ます：現在庫は ${from} から ${to} になります`,
    early: {
      title: (day) => `納期は ${day} の約束です。`,
      text: '商品は今日出荷されます。',
    },
    noStock: {
      title: (lacking, all) => `${lines(all)}のうち ${lacking} 行に在庫がありません。`,
      orderFirst: ({ sku, quantity }) => `先に ${sku} を ${quantity} 個発注してください（purchases_create）`,
      receiveFirst: ({ id, sku, quantity, due }) =>
        `先に ${id} を入庫してください（${sku} が ${quantity} 個不足${due === undefined ? '' : `、${due} 入荷予定`}）`,
      text: (first, skus) => `${first.join('。')}。または ${skus} を受注から外してください。`,
    },
  },

  remove: {
    title: (id) => `受注 ${id} を削除`,
    created: (day) => `${day} 作成`,
    summary: ({ id, customer, total, number }) =>
      `受注 ${id}（${customer}、${total}）を${lines(number)}とともに完全に削除します。`,
    goes: (number) => `受注は${lines(number)}とともに完全に削除されます`,
    returns: (items) => counted(items, { other: '引当済みの # 個が在庫に戻ります' }),
    confirm: '受注を削除',
    done: (id) => `受注 ${id} を削除しました`,
    backInStock: (sku) => `${sku} の在庫戻し`,
    fulfilled: {
      title: (id) => `${id} は出荷済みです。`,
      text: '出荷済みの受注は記録に残ります。代わりに数量を訂正してください。',
    },
  },

  purchase: {
    title: (supplier) => `${supplier} に発注`,
    summary: ({ supplier, goods, total, expected }) =>
      `${supplier} への発注を作成します：${goods}、合計 ${total}、${expected} 入荷予定。`,
    stockWaits: '入庫するまで在庫は変わりません',
    notedOnly: (supplier) => `発注はここに記録されるだけで、${supplier} には通知されません`,
    elsewhere: {
      title: (sku, supplier) => `${sku} は通常 ${supplier} から仕入れています。`,
      text: (supplier) => `${supplier} で取り扱いがあるかご確認ください。`,
    },
    confirm: '発注を作成',
    done: (id) => `発注 ${id} を作成しました`,
  },

  receive: {
    title: (id) => `発注 ${id} を入庫`,
    summary: ({ id, supplier, goods }) => `${supplier} からの商品（${id}）を入庫します：${goods}。`,
    gets: ({ order, customer, sku, quantity }) =>
      `${order}（${customer}）の入荷待ちに ${sku} ${quantity} 個を引き当てます`,
    got: ({ order, sku, quantity }) => `${order} の入荷待ちに ${sku} ${quantity} 個を引き当てました`,
    early: {
      title: (id, day) => `${id} の入荷予定は ${day} です。`,
      text: '商品が実際に届いている場合にのみ入庫してください。',
    },
    confirm: '商品を入庫',
    done: (id) => `発注 ${id} を入庫しました`,
  },

  adjust: {
    title: (sku, delta) => (delta > 0 ? `${sku} の在庫を ${delta} 個増やす` : `${sku} の在庫を ${-delta} 個減らす`),
    summary: ({ sku, delta, from, to }) =>
      `${sku} の在庫を ${signed(delta)} 調整します：現在庫は ${from} から ${to} になります。`,
    signed,
    onTheBooks: '在庫移動は理由とともに記録に残ります',
    moreThanAll: {
      title: (amount, onHand) => `${amount} 個は現在庫（${onHand} 個）を超えています。`,
      text: '数量をお確かめください。',
    },
    confirm: '在庫を調整',
    back: (sku) => `${sku} の調整を元に戻す`,
    backReason: '直前の調整の取り消し',
    done: (sku) => `${sku} の在庫を調整しました`,
    notThatMany: {
      title: (sku, onHand) => `${sku} の現在庫は ${onHand} 個だけです。`,
      text: (onHand) => `減らせるのは ${onHand} 個までです。`,
    },
    promised: {
      title: (sku, reserved) => `${sku} ${reserved} 個は未出荷の受注に引当済みです。`,
      holds: (order, reserved) => `${order} に ${reserved} 個`,
      text: ({ after, held, free }) =>
        `現在庫は ${after} 個になりますが、${held}が引当済みです。先に該当の受注を変更するか、減らす数を ${free} 個までにしてください。`,
    },
  },

  correct: {
    title: (id) => `受注 ${id} を訂正`,
    linesOf: (number, all) => `明細 ${all} 行中 ${number} 行`,
    change: ({ sku, from, to }) => `${sku} を ${from} から ${to} に`,
    summary: ({ changes, id, total }) => `出荷済みの受注 ${id} を訂正します：${changes}。合計は ${total} になります。`,
    invoicesStay: '送付済みの請求書は変わりません',
    confirm: (number) => counted(number, { other: '明細 # 行を訂正' }),
    back: (id) => `${id} の訂正を元に戻す`,
    backReason: '直前の訂正の取り消し',
    done: (id) => `受注 ${id} を訂正しました`,
    noStock: {
      title: (number) => counted(number, { other: '明細 # 行は、在庫が足りず出荷できたはずがありません。' }),
      lacks: ({ sku, quantity, free }) =>
        `${sku} をさらに ${quantity} 個出庫する訂正ですが、引当可能なのは ${free} 個です`,
      text: (lacks) => `${lacks.join('。')}。先に在庫を調整するか、商品を入庫してください。`,
    },
  },

  rebuild: {
    title: '登録されている在庫数を再計算',
    differ: (wrong, all) => `${all} 品目中 ${wrong} 品目が在庫移動と一致しません`,
    summary: (skus) => `${skus} の在庫数を在庫移動から再計算します。`,
    onHandOf: (sku) => `${sku} 現在庫`,
    reservedOf: (sku) => `${sku} 引当済み`,
    agree: (number) => counted(number, { other: '# 品目は一致しているため変わりません' }),
    overPromised: {
      title: ({ sku, reserved, onHand }) => `${sku}：引当済み ${reserved} 個に対し、現在庫は ${onHand} 個です。`,
      text: '商品を入庫するか、引き当てている受注を変更してください。',
    },
    confirm: (number) => counted(number, { other: '# 品目を訂正' }),
    done: '在庫数を再計算しました',
    corrected: (number, all) => `${all} 品目中 ${number} 品目を訂正`,
  },

  failures: {
    unknown_customer: 'この名前の顧客は登録されていません。',
    unknown_supplier: 'この名前の仕入先は登録されていません。',
    unknown_sku: 'この品番の商品はありません。',
    unknown_order: 'この番号の受注はありません。',
    unknown_purchase: 'この番号の未入庫の発注はありません。',
    not_open: 'この受注は未処理の状態ではないため、変更できません。',
    not_fulfilled: 'この受注は出荷されていないため、訂正するものがありません。',
    line_not_on_order: 'この受注にその明細はありません。',
    already_fulfilled: 'この受注は出荷済みのため、記録として残ります。',
    already_received: 'この発注の商品はすでに入庫されています。',
    date_in_past: 'その日付は過ぎています。',
    no_stock: '在庫が足りません。',
    stock_promised: 'この在庫は未出荷の受注に引き当て済みです。',
    not_that_many: 'そこまでの数は在庫にありません。',
    nothing_to_change: 'すでに希望どおりになっています。',
  },
}
