import { pluralsOf } from '../../../toolsets/languages.ts'
import type { DeskWords } from './en.ts'

const { counted } = pluralsOf<'zero' | 'one' | 'two' | 'few' | 'many' | 'other'>('ar')

/** A noun in the order of the categories. One and two are said by the noun itself, without the number. */
const noun = (one: string, two: string, few: string, many: string, other: string) => ({
  zero: `# ${other}`,
  one,
  two,
  few: `# ${few}`,
  many: `# ${many}`,
  other: `# ${other}`,
})

const lines = (number: number): string => counted(number, noun('بند واحد', 'بندان', 'بنود', 'بندًا', 'بند'))
/** After a preposition or another noun. */
const ofLines = (number: number): string => counted(number, noun('بند واحد', 'بندين', 'بنود', 'بندًا', 'بند'))
const ofProducts = (number: number): string => counted(number, noun('صنف واحد', 'صنفين', 'أصناف', 'صنفًا', 'صنف'))
const ofFields = (number: number): string => counted(number, noun('حقل واحد', 'حقلين', 'حقول', 'حقلًا', 'حقل'))
/** A sign beside a number changes its side in a text that is read from the right. */
const signed = (delta: number): string => (delta > 0 ? `زيادة ${delta}` : `نقص ${-delta}`)

export const ar: DeskWords = {
  labels: {
    item: 'الصنف',
    qty: 'الكمية',
    quantity: 'الكمية',
    price: 'السعر',
    cost: 'التكلفة',
    amount: 'المبلغ',
    total: 'الإجمالي',
    subtotal: 'المجموع الفرعي',
    customer: 'العميل',
    state: 'الحالة',
    created: 'تاريخ الإنشاء',
    delivery: 'التسليم',
    discount: 'الخصم',
    contact: 'جهة الاتصال',
    note: 'ملاحظة',
    reason: 'السبب',
    expected: 'الوصول المتوقع',
    onHand: 'المخزون الفعلي',
    reserved: 'المحجوز',
    available: 'المتاح',
    totalWas: 'الإجمالي السابق',
  },
  states: { open: 'مفتوح', fulfilled: 'مشحون', cancelled: 'ملغى' },
  discountOf: (percent) => `خصم ${percent} %`,

  list: (names) => names.join('، '),
  andMore: (first, left) => `${first} و${left} غيرها`,
  lines,
  partOf: ({ sku, part, quantity }) => `${part} من أصل ${quantity} من ${sku}`,

  notTold: (name) => `لا يُرسَل أي إشعار إلى ${name}`,
  totalGoes: (from, to) => `يتغيّر الإجمالي من ${from} إلى ${to}`,
  stockGoes: ({ sku, from, to }) => `المخزون المتاح للصنف ${sku} يتغيّر من ${from} إلى ${to}`,
  stockStays: (sku, at) => `المخزون المتاح للصنف ${sku} يبقى ${at}`,
  stockIsNow: (sku, at) => `المخزون المتاح للصنف ${sku} أصبح ${at}`,
  onHandGoes: ({ sku, from, to }) => `المخزون الفعلي للصنف ${sku} يتغيّر من ${from} إلى ${to}`,
  backOrdered: ({ sku, quantity, part, arrival }) => {
    const until =
      arrival === undefined
        ? '، ولا يوجد أمر شراء لها'
        : arrival.day === undefined
          ? ` حتى وصول ${arrival.id}`
          : ` حتى ${arrival.day} (${arrival.id})`
    return `${part} من أصل ${quantity} من ${sku} بانتظار التوريد${until}`
  },
  oddQuantity: {
    title: ({ sku, quantity, usual, times }) =>
      `الكمية ${quantity} من ${sku} تساوي الكمية المعتادة (${usual}) مضروبة في ${times}.`,
    text: 'تحقّق من الكمية قبل التأكيد.',
  },

  create: {
    title: (customer) => `إنشاء أمر بيع للعميل ${customer}`,
    summary: ({ customer, goods, total }) => `ينشئ أمر بيع للعميل ${customer}: ${goods}، الإجمالي ${total}.`,
    confirm: 'إنشاء الأمر',
    done: (id) => `تم إنشاء أمر البيع ${id}`,
    someBackOrdered: (items) =>
      `${counted(items, noun('قطعة واحدة', 'قطعتان', 'قطع', 'قطعة', 'قطعة'))} بانتظار التوريد.`,
    tooEarly: {
      title: (sku) => `يصل ${sku} بعد يوم التسليم.`,
      text: ({ delivery, missing, due }) => `التسليم محدد في ${delivery} والكمية الناقصة (${missing}) تصل في ${due}.`,
    },
  },

  modify: {
    title: (id) => `تعديل أمر البيع ${id}`,
    fieldsChange: (changed, stay) => `تعديل ${ofFields(changed)}، وبقاء ${stay} دون تغيير`,
    summary: ({ fields, id, customer, total }) =>
      `يعدّل ${fields} في أمر البيع ${id} للعميل ${customer}${total === undefined ? '' : `، ويصبح الإجمالي ${total}`}.`,
    confirm: (fields) => `تعديل ${ofFields(fields)}`,
    back: (id) => `التراجع عن تعديل ${id}`,
    done: (id) => `تم تعديل أمر البيع ${id}`,
    aboveAgreed: {
      title: (discount, agreed) => `الخصم ${discount} أعلى من المتفق عليه مع العميل وهو ${agreed}.`,
      text: (customer) => `لا شيء آخر يتحقق من ذلك: بتأكيدك يحصل ${customer} على هذا الخصم.`,
    },
  },

  fulfill: {
    title: (id) => `شحن أمر البيع ${id}`,
    summary: ({ id, customer, lines, total }) =>
      `يشحن أمر البيع ${id} للعميل ${customer}: ${lines}، ${total}. تغادر البضاعة المستودع.`,
    confirm: 'شحن الأمر',
    done: (id) => `تم شحن أمر البيع ${id}`,
    leaves: ({ sku, quantity, from, to }) =>
      `يغادر المستودع ${quantity} من ${sku}: يتغيّر المخزون الفعلي من ${from} إلى ${to}`,
    early: {
      title: (day) => `التسليم متفق عليه في ${day}.`,
      text: 'تغادر البضاعة المستودع اليوم.',
    },
    noStock: {
      title: (lacking, all) => `لا يتوفر مخزون لعدد ${lacking} من أصل ${ofLines(all)}.`,
      orderFirst: ({ sku, quantity }) => `اطلب أولًا ${quantity} من ${sku} (purchases_create)`,
      receiveFirst: ({ id, sku, quantity, due }) =>
        `استلم أولًا ${id} (ينقص ${quantity} من ${sku}${due === undefined ? '' : `، والوصول متوقع في ${due}`})`,
      text: (first, skus) => `${first.join('. ')}، أو احذف ${skus} من الأمر.`,
    },
  },

  remove: {
    title: (id) => `حذف أمر البيع ${id}`,
    created: (day) => `أُنشئ في ${day}`,
    summary: ({ id, customer, total, number }) =>
      `يحذف نهائيًا أمر البيع ${id} للعميل ${customer} (${total}) وفيه ${lines(number)}.`,
    goes: (number) => `يُحذف الأمر نهائيًا، وفيه ${lines(number)}`,
    returns: (items) =>
      counted(items, {
        zero: 'لا تعود أي قطعة محجوزة إلى المخزون',
        one: 'تعود قطعة محجوزة واحدة إلى المخزون',
        two: 'تعود قطعتان محجوزتان إلى المخزون',
        few: 'تعود # قطع محجوزة إلى المخزون',
        many: 'تعود # قطعة محجوزة إلى المخزون',
        other: 'تعود # قطعة محجوزة إلى المخزون',
      }),
    confirm: 'حذف الأمر',
    done: (id) => `تم حذف أمر البيع ${id}`,
    backInStock: (sku) => `المُعاد إلى المخزون من ${sku}`,
    fulfilled: {
      title: (id) => `غادر ${id} المستودع.`,
      text: 'الأمر المشحون يبقى في الدفاتر. صحّح كمياته بدلًا من حذفه.',
    },
  },

  purchase: {
    title: (supplier) => `طلب بضاعة من ${supplier}`,
    summary: ({ supplier, goods, total, expected }) =>
      `ينشئ أمر شراء من ${supplier}: ${goods}، الإجمالي ${total}، والوصول متوقع في ${expected}.`,
    stockWaits: 'لا يتغيّر المخزون قبل استلام البضاعة',
    notedOnly: (supplier) => `يُسجَّل أمر الشراء هنا فقط: لا يُرسَل أي إشعار إلى ${supplier}`,
    elsewhere: {
      title: (sku, supplier) => `المورّد المعتاد للصنف ${sku} هو ${supplier}.`,
      text: (supplier) => `تحقّق من توفره لدى ${supplier}.`,
    },
    confirm: 'إنشاء أمر الشراء',
    done: (id) => `تم إنشاء أمر الشراء ${id}`,
  },

  receive: {
    title: (id) => `استلام أمر الشراء ${id}`,
    summary: ({ id, supplier, goods }) => `يُدخل إلى المخزون بضاعة ${id} من ${supplier}: ${goods}.`,
    gets: ({ order, customer, sku, quantity }) =>
      `يحصل ${order} (${customer}) على ${quantity} من ${sku} بعد انتظار التوريد`,
    got: ({ order, sku, quantity }) => `حصل ${order} على ${quantity} من ${sku} بعد انتظار التوريد`,
    early: {
      title: (id, day) => `وصول ${id} متوقع في ${day}.`,
      text: 'لا تستلمه إلا إذا وصلت البضاعة فعلًا.',
    },
    confirm: 'استلام البضاعة',
    done: (id) => `تم استلام أمر الشراء ${id}`,
  },

  adjust: {
    title: (sku, delta) => (delta > 0 ? `إضافة ${delta} إلى مخزون ${sku}` : `إنقاص ${-delta} من مخزون ${sku}`),
    summary: ({ sku, delta, from, to }) =>
      `تسوية مخزون ${sku} (${signed(delta)}): يتغيّر المخزون الفعلي من ${from} إلى ${to}.`,
    signed,
    onTheBooks: 'تبقى الحركة في الدفاتر مع سببها',
    moreThanAll: {
      title: (amount, onHand) => `العدد ${amount} أكبر من كل المخزون الفعلي (${onHand}).`,
      text: 'تحقّق من الكمية.',
    },
    confirm: 'تسوية المخزون',
    back: (sku) => `التراجع عن تسوية ${sku}`,
    backReason: 'تراجع عن التسوية الأخيرة',
    done: (sku) => `تمت تسوية مخزون ${sku}`,
    notThatMany: {
      title: (sku, onHand) => `المخزون الفعلي للصنف ${sku} هو ${onHand} فقط.`,
      text: (onHand) => `أنقص ${onHand} على الأكثر.`,
    },
    promised: {
      title: (sku, reserved) => `عدد ${reserved} من ${sku} محجوز لأوامر بيع مفتوحة.`,
      holds: (order, reserved) => `${order} يحجز ${reserved}`,
      text: ({ after, held, free }) =>
        `سيصبح المخزون الفعلي ${after}، بينما ${held}. عدّل تلك الأوامر أولًا، أو أنقص ${free} على الأكثر.`,
    },
  },

  correct: {
    title: (id) => `تصحيح أمر البيع ${id}`,
    linesOf: (number, all) => `${number} من أصل ${ofLines(all)}`,
    change: ({ sku, from, to }) => `${sku} من ${from} إلى ${to}`,
    summary: ({ changes, id, total }) => `يصحّح ${changes} في أمر البيع المشحون ${id}، ويصبح الإجمالي ${total}.`,
    invoicesStay: 'الفواتير المرسلة تبقى كما هي',
    confirm: (number) => `تصحيح ${ofLines(number)}`,
    back: (id) => `التراجع عن تصحيح ${id}`,
    backReason: 'تراجع عن التصحيح الأخير',
    done: (id) => `تم تصحيح أمر البيع ${id}`,
    noStock: {
      title: (number) => `لا يمكن أن تكون كميات ${ofLines(number)} قد غادرت المستودع.`,
      lacks: ({ sku, quantity, free }) => `المطلوب إخراج ${quantity} إضافية من ${sku} والمتاح ${free}`,
      text: (lacks) => `${lacks.join('. ')}. عدّل المخزون أو استلم بضاعة أولًا.`,
    },
  },

  rebuild: {
    title: 'إعادة حساب أرقام المخزون المسجّلة',
    differ: (wrong, all) => `عدد الأصناف المخالفة للحركات ${wrong} من أصل ${ofProducts(all)}`,
    summary: (skus) => `يعيد من الحركات حساب الأرقام المسجّلة للأصناف ${skus}.`,
    onHandOf: (sku) => `${sku}: المخزون الفعلي`,
    reservedOf: (sku) => `${sku}: المحجوز`,
    agree: (number) =>
      counted(number, {
        zero: 'لا يوجد صنف مطابق للحركات',
        one: 'صنف واحد مطابق ويبقى كما هو',
        two: 'صنفان مطابقان ويبقيان كما هما',
        few: '# أصناف مطابقة وتبقى كما هي',
        many: '# صنفًا مطابقًا وتبقى كما هي',
        other: '# صنف مطابق وتبقى كما هي',
      }),
    overPromised: {
      title: ({ sku, reserved, onHand }) => `${sku}: المحجوز ${reserved} والموجود ${onHand}.`,
      text: 'استلم بضاعة أو عدّل الأوامر التي تحجزه.',
    },
    confirm: (number) => `تصحيح ${ofProducts(number)}`,
    done: 'أُعيد حساب أرقام المخزون',
    corrected: (number, all) => `تم تصحيح ${number} من أصل ${ofProducts(all)}`,
  },

  failures: {
    unknown_customer: 'لا يوجد عميل بهذا الاسم.',
    unknown_supplier: 'لا يوجد مورّد بهذا الاسم.',
    unknown_sku: 'لا يوجد منتج بهذا الرمز.',
    unknown_order: 'لا يوجد أمر بيع بهذا الرقم.',
    unknown_purchase: 'لا يوجد أمر شراء مفتوح بهذا الرقم.',
    not_open: 'لم يعد أمر البيع مفتوحًا ولا يمكن تغييره.',
    not_fulfilled: 'لم يُشحن أمر البيع، فلا شيء فيه يُصحَّح.',
    line_not_on_order: 'ليس في أمر البيع هذا البند.',
    already_fulfilled: 'غادر أمر البيع المستودع ويبقى في الدفاتر.',
    already_received: 'استُلمت بضاعة أمر الشراء هذا من قبل.',
    date_in_past: 'هذا اليوم قد مضى.',
    no_stock: 'لا توجد بضاعة كافية في المخزون.',
    stock_promised: 'المخزون محجوز لأوامر بيع مفتوحة.',
    not_that_many: 'لا يوجد هذا العدد في المخزون.',
    nothing_to_change: 'كل شيء كما هو مطلوب بالفعل.',
  },
}
