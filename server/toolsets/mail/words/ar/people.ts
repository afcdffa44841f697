import { quotation } from '../../../../cards/card-words.ts'
import { pluralsOf } from '../../../languages.ts'
import type { PeopleWords } from '../en/people.ts'

const { counted } = pluralsOf<'zero' | 'one' | 'two' | 'few' | 'many' | 'other'>('ar')

/** `two`: it depends on the case, which shows in nothing else here. */
const contacts = (number: number, two: string): string =>
  counted(number, {
    zero: '# جهة اتصال',
    one: 'جهة اتصال واحدة',
    two,
    few: '# جهات اتصال',
    many: '# جهة اتصال',
    other: '# جهة اتصال',
  })

const fields = {
  name: 'الاسم',
  description: 'الوصف',
  subject: 'الموضوع',
  body: 'النص',
  variables: 'ما يعطيه كل استدعاء',
  fallbacks: 'النصوص البديلة',
}
const spoken = { ...fields, variables: 'المتغيرات' }

export const people: PeopleWords = {
  contact: {
    fields: {
      name: 'الاسم',
      firstName: 'الاسم الأول',
      lastName: 'اسم العائلة',
      company: 'الشركة',
      note: 'ملاحظة',
    },
    add: (name) => `إضافة ${name} إلى جهات الاتصال`,
    addSummary: (address, name) => `يضيف ${address} إلى جهات الاتصال${name === null ? '' : ` باسم ${name}`}.`,
    shown: 'تعرض بطاقات رسائل البريد هذا الاسم لذلك العنوان',
    nobodyTold: 'لا يُرسَل أي إشعار إلى أحد',
    addConfirm: 'إضافة جهة الاتصال',
    added: 'تمت إضافة جهة الاتصال',
    change: (whom) => `تعديل جهة الاتصال ${whom}`,
    changeSummary: (what, whom) => `يعدّل في جهة الاتصال ${whom}: ${what.join('، ')}.`,
    arrives: 'إمكانية التسليم',
    notArrives: 'تعذّر التسليم',
    mayGo: 'يمكن إرسال البريد إلى هذا العنوان من جديد',
    changeConfirm: 'تعديل جهة الاتصال',
    changed: 'تم تعديل جهة الاتصال',
    changeBack: 'التراجع عن التعديل',
  },

  segment: {
    create: (name) => `إنشاء الشريحة «${name}»`,
    summary: (name, number) => `ينشئ الشريحة «${name}»، وتشمل الآن ${contacts(number, 'جهتي اتصال')}.`,
    who: 'من تشملهم',
    everybody: 'كل جهات الاتصال',
    allOf: (conditions) => conditions.join('؛ و'),
    // All of them masculine: the words of conditions agree with them.
    fields: {
      name: 'الاسم',
      first_name: 'الاسم الأول',
      last_name: 'اسم العائلة',
      email: 'العنوان',
      domain: 'النطاق',
      company: 'اسم الشركة',
      note: 'نص الملاحظة',
      undeliverable: 'وسم تعذّر التسليم',
    },
    is: (field, value) => `${field} هو «${value}»`,
    isNot: (field, value) => `${field} ليس «${value}»`,
    contains: (field, value) => `${field} يحتوي على «${value}»`,
    exists: (field) => `${field} موجود`,
    missing: (field) => `${field} غير موجود`,
    withoutFirstName: 'بلا اسم أول',
    undeliverable: 'يتعذّر التسليم إليهم',
    meantNow: 'المشمولون الآن',
    noName: 'بلا اسم',
    isRule: 'تضم الشريحة كل من يستوفي الشروط وقت استخدامها، بما في ذلك جهات الاتصال المضافة لاحقًا',
    noConditions: 'لا توجد شروط: تشمل الشريحة كل جهات الاتصال.',
    nobody: 'لا أحد يستوفي هذه الشروط الآن.',
    confirm: 'إنشاء الشريحة',
    created: (name) => `تم إنشاء الشريحة «${name}»`,
    now: (number) => `الآن: ${contacts(number, 'جهتا اتصال')}`,
    id: 'المعرّف',
  },

  template: {
    fields,
    spoken,
    done: spoken,
    create: (name) => `إنشاء القالب «${name}»`,
    createSummary: (name, subject) => `ينشئ القالب «${name}» بالموضوع «${subject}».`,
    // No verb of which the reader is the subject: it would need their gender.
    reads: (name) => `كيف يظهر لدى ${name} مثلًا`,
    readsNow: (name) => `كيف يظهر الآن لدى ${name} مثلًا`,
    readsThen: 'كيف سيظهر',
    noSample: (label) => `${label}: لن تكون هناك رسالة بريد.`,
    problem: (english) => `بالإنجليزية: ${quotation('ar', english)}`,
    canBeUsed: 'يمكن استخدام القالب لرسائل البريد من ذلك الحين',
    createConfirm: 'إنشاء القالب',
    created: (name) => `تم إنشاء القالب «${name}»`,
    id: 'المعرّف',
    without: (variable) => `من دون ${variable}`,
    needed: {
      title: (variables) => `المستلمون الذين ينقصهم ما يلي لا تصل إليهم رسالة بريد: ${variables.join(' أو ')}.`,
      text: 'لا يوجد نص بديل عنه. يُذكر المستبعدون قبل إرسال أي شيء.',
    },
    change: (name) => `تعديل القالب «${name}»`,
    changeSummary: (what, name) => `يعدّل في القالب «${name}»: ${what}.`,
    readOtherwise: 'رسائل البريد التي تُكتب بعد ذلك من هذا القالب تظهر بصورة مختلفة',
    othersStay: 'رسائل البريد المُرسَلة أو المجدولة تبقى كما هي',
    changeConfirm: 'تعديل القالب',
    changed: (name) => `تم تعديل القالب «${name}»`,
    changeBack: (name) => `التراجع عن تعديل «${name}»`,
    now: (field) => `${field} قبل التعديل`,
    afterwards: (field) => `${field} بعد التعديل`,
  },
}
