import { ar as files } from '../../../files/words/ar.ts'
import { pluralsOf } from '../../../languages.ts'
import type { MailsWords } from '../en/mails.ts'

const { counted, form } = pluralsOf<'zero' | 'one' | 'two' | 'few' | 'many' | 'other'>('ar')

/** A noun in the order of the categories. One and two are said by the noun itself, without the number. */
const noun = (one: string, two: string, few: string, many: string, other: string) => ({
  zero: `# ${other}`,
  one,
  two,
  few: `# ${few}`,
  many: `# ${many}`,
  other: `# ${other}`,
})

/** Recipients, and what is said of one, of two and of more. */
const recipientsWho = (number: number, zero: string, [one, two, more]: readonly [string, string, string]): string =>
  counted(number, {
    ...noun(`مستلم واحد ${one}`, `مستلمان ${two}`, `مستلمين ${more}`, `مستلمًا ${more}`, `مستلم ${more}`),
    zero,
  })

/** On its own and after a preposition alike: the dual of the noun would have to know where it stands. */
const recipients = (number: number): string =>
  counted(number, noun('مستلم واحد', '# من المستلمين', 'مستلمين', 'مستلمًا', 'مستلم'))
/** After a preposition or another noun. */
const ofRecipients = (number: number): string =>
  counted(number, noun('مستلم واحد', 'مستلمَين', 'مستلمين', 'مستلمًا', 'مستلم'))

/** Between commas: the word for "and" is written together with what follows, which may be an address. */
const listed = (words: readonly string[]): string => words.join('، ')

const fields: MailsWords['draft']['fields'] = {
  to: 'إلى',
  cc: 'نسخة إلى (Cc)',
  bcc: 'نسخة مخفية إلى (Bcc)',
  replyTo: 'الرد إلى',
  subject: 'الموضوع',
  body: 'النص',
  attachments: 'المرفقات',
  projectId: 'المشروع',
}

export const mails: MailsWords = {
  units: files.units,
  listed,
  andMore: (first, more) => `${first} و${more} غيرها`,
  recipients,
  noMailByThis: 'لا تُرسَل بذلك رسالة بريد إلى أحد',
  of: (name, warning) => `${name}: ${warning}`,
  outside: (domain) => `${domain} · خارجي`,
  hasHtml: {
    title: 'يوجد HTML في النص.',
    text: 'يراه المستلمون كما كُتب، ولا يُشغَّل منه شيء ولا يُحمَّل.',
  },
  missed: {
    title: (moment) => `فات موعد الإرسال المقرر (${moment}).`,
    text: 'يتم الإرسال فورًا.',
  },
  links: { label: 'الروابط', text: 'النص', leadsTo: 'يؤدي إلى', address: 'العنوان' },
  labels: { address: 'العنوان', name: 'الاسم', subject: 'الموضوع', from: 'من', answersTo: 'الرد إلى' },
  atOnce: 'فورًا',
  newRecipients: (number) =>
    recipientsWho(number, 'سبق أن وصل بريد من هنا إلى كل المستلمين', [
      'لم يصل إليه بريد من هنا من قبل',
      'لم يصل إليهما بريد من هنا من قبل',
      'لم يصل إليهم بريد من هنا من قبل',
    ]),

  send: {
    title: (whom) => `إرسال رسالة بريد إلى ${whom}`,
    summary: ({ subject, whom, attachments }) =>
      `يرسل رسالة البريد «${subject}» إلى ${whom}${attachments === 0 ? '' : `، مع ${counted(attachments, noun('مرفق واحد', 'مرفقين', 'مرفقات', 'مرفقًا', 'مرفق'))}`}.`,
    goesOut: 'موعد الإرسال',
    project: 'المشروع',
    text: 'رسالة البريد كما تُقرأ',
    leavesNow: (number) => `تُرسَل رسالة البريد إلى ${ofRecipients(number)} ولا يمكن سحبها`,
    leavesLater: (number) =>
      `تُرسَل رسالة البريد إلى ${ofRecipients(number)} في الموعد المحدد، ويمكن إلغاؤها حتى ذلك الحين`,
    leavesFor: (domains, named) =>
      `تخرج إلى ${counted(domains, noun('نطاق خارجي واحد', 'نطاقين خارجيين', 'نطاقات خارجية', 'نطاقًا خارجيًا', 'نطاق خارجي'))}: ${named}`,
    hidden: (number) =>
      recipientsWho(number, 'لا يوجد مستلم مخفي (Bcc)', [
        '(Bcc) تصل إليه دون أن يرى الآخرون ذلك',
        '(Bcc) تصل إليهما دون أن يرى الآخرون ذلك',
        '(Bcc) تصل إليهم دون أن يرى الآخرون ذلك',
      ]),
    kept: 'تبقى في قائمة رسائل البريد',
    draftGoes: (id) => `تُحذف المسودة ${id}`,
    draftDiffers: (id, differs) => `تُحذف المسودة ${id}، وتختلف عنها رسالة البريد هذه في: ${differs}`,
    confirm: 'إرسال رسالة البريد',
    confirmLater: 'جدولة رسالة البريد',
    roles: { to: fields.to, cc: fields.cc, bcc: 'نسخة مخفية إلى (Bcc)، لا يراها الآخرون' },
    notContact: (name) => `${name} · ليس في جهات اتصالك`,
    all: (role, number) => `${role}: القائمة الكاملة (${number})`,
    before: 'بريد سابق',
    never: 'لم يسبق',
    yes: 'نعم',
    attachments: 'المرفقات',
    name: 'الاسم',
    type: 'النوع حسب المحتوى',
    size: 'الحجم',
    together: 'المجموع',
    done: { sent: 'تم إرسال رسالة البريد', scheduled: 'تمت جدولة رسالة البريد', failed: 'لم تُرسَل رسالة البريد' },
    mail: 'رسالة البريد',
    state: 'الحالة',
    states: {
      pending: 'قيد الانتظار',
      deferred: 'مؤجل',
      accepted: 'مقبول',
      refused: 'مرفوض',
      unknown: 'مجهول',
      cancelled: 'ملغى',
    },
    answer: 'رد خادم البريد',
    notGot: (addresses) => `لا تصل رسالة البريد إلى: ${listed(addresses)}.`,
    undo: 'إلغاء رسالة البريد',
  },

  cancel: {
    title: (subject) => `إلغاء رسالة البريد «${subject}»`,
    summary: (subject, whom) => `يلغي إرسال رسالة البريد «${subject}» إلى ${whom}.`,
    would: 'موعد الإرسال المقرر',
    who: 'لا تصل إليهم',
    doNot: (number) =>
      recipientsWho(number, 'لا يتأثر أي مستلم', [
        'لا تصل إليه رسالة البريد',
        'لا تصل إليهما رسالة البريد',
        'لا تصل إليهم رسالة البريد',
      ]),
    answered: (number) => `سبق أن ردّ خادم البريد بشأن ${ofRecipients(number)}، ويبقى ردّه كما هو`,
    confirm: 'إيقاف الإرسال',
    done: 'تم إلغاء رسالة البريد',
  },

  settle: {
    // Both feminine: the sentences about them agree with either.
    mail: (subject) => `رسالة البريد «${subject}»`,
    campaign: (template) => `الحملة «${template}»`,
    again: (what, whom) => `إعادة إرسال ${what} إلى ${whom}`,
    reached: (what, whom) => `تسجيل وصول ${what} إلى ${whom}`,
    notReached: (what, whom) => `تسجيل عدم وصول ${what} إلى ${whom}`,
    againSummary: (what, whom) => `يعيد إرسال ${what} إلى ${whom}، ولا يُعرف هل وصلت في المرة الأولى.`,
    reachedSummary: (what, whom) => `يسجّل أن ${what} وصلت إلى ${whom}.`,
    notReachedSummary: (what, whom) => `يسجّل أن ${what} لم تصل إلى ${whom}.`,
    who: 'لا يُعرف هل وصلت إلى',
    said: 'إفادتك',
    arrived: 'وصلت',
    notArrived: 'لم تصل',
    goesOut: (number) =>
      counted(number, {
        zero: 'لا تُرسَل أي رسالة بريد',
        one: 'تُرسَل رسالة بريد واحدة ولا يمكن سحبها',
        two: 'تُرسَل رسالتا بريد ولا يمكن سحبهما',
        few: 'تُرسَل # رسائل بريد ولا يمكن سحبها',
        many: 'تُرسَل # رسالة بريد ولا يمكن سحبها',
        other: 'تُرسَل # رسالة بريد ولا يمكن سحبها',
      }),
    goesOutResumed: (number) =>
      counted(number, {
        zero: 'لا تُرسَل أي رسالة بريد عند استئناف الحملة',
        one: 'تُرسَل رسالة بريد واحدة فور استئناف الحملة ولا يمكن سحبها',
        two: 'تُرسَل رسالتا بريد فور استئناف الحملة ولا يمكن سحبهما',
        few: 'تُرسَل # رسائل بريد فور استئناف الحملة ولا يمكن سحبها',
        many: 'تُرسَل # رسالة بريد فور استئناف الحملة ولا يمكن سحبها',
        other: 'تُرسَل # رسالة بريد فور استئناف الحملة ولا يمكن سحبها',
      }),
    waits: (_number, from) => `نفدت حصة هذا الخادم: يتم الإرسال عند توفر متسع، ابتداءً من ${from}`,
    counts: 'تُعدّ مُرسَلة',
    doNot: (number) =>
      form(number, {
        zero: 'لا يتأثر أي مستلم',
        one: 'لا تصل إلى هذا المستلم',
        two: 'لا تصل إلى هذين المستلمَين',
        few: 'لا تصل إلى هؤلاء المستلمين',
        many: 'لا تصل إلى هؤلاء المستلمين',
        other: 'لا تصل إلى هؤلاء المستلمين',
      }),
    twice: {
      title: (number) =>
        form(number, {
          zero: 'لا تصل رسالة البريد نفسها إلى أحد مرتين.',
          one: 'قد تصل رسالة البريد نفسها إلى هذا الشخص مرتين.',
          two: 'قد تصل رسالة البريد نفسها إلى كل من هذين الشخصين مرتين.',
          few: 'قد تصل رسالة البريد نفسها إلى كل من هؤلاء الأشخاص مرتين.',
          many: 'قد تصل رسالة البريد نفسها إلى كل من هؤلاء الأشخاص مرتين.',
          other: 'قد تصل رسالة البريد نفسها إلى كل من هؤلاء الأشخاص مرتين.',
        }),
      text: 'لا أحد يعرف هل سُلِّمت الأولى. لا تؤكد إلا إذا سألت وتبيّن أنها لم تصل.',
    },
    confirmAgain: 'إعادة الإرسال',
    confirm: 'تسجيل',
    sentAgain: 'تمت إعادة الإرسال',
    doneArrived: 'تم تسجيل الوصول',
    doneNotArrived: 'تم تسجيل عدم الوصول',
  },

  draft: {
    fields,
    spoken: {
      ...fields,
      to: 'قائمة المستلمين',
      cc: 'قائمة النسخة (Cc)',
      bcc: 'قائمة النسخة المخفية (Bcc)',
      replyTo: 'عنوان الرد',
    },
    called: (subject) => `«${subject}»`,
    to: (addresses) => `إلى ${listed(addresses)}`,
    noSubject: 'بلا موضوع',
    write: 'كتابة مسودة',
    keeps: (called) => `يحفظ المسودة ${called}.`,
    keep: 'حفظ المسودة',
    kept: 'تم حفظ المسودة',
    undo: 'حذف المسودة',
    change: (called) => `تعديل المسودة ${called}`,
    changes: (what, called) => `يعدّل في المسودة ${called}: ${what}.`,
    changeConfirm: 'تعديل المسودة',
    changed: 'تم تعديل المسودة',
    changeBack: 'التراجع عن التعديل',
    remove: (called) => `حذف المسودة ${called}`,
    removes: (called) => `يحذف المسودة ${called}.`,
    gone: 'تُحذف المسودة نهائيًا',
    removeConfirm: 'حذف المسودة',
    removed: 'تم حذف المسودة',
    writeAgain: 'إعادة إنشاء المسودة',
    text: 'النص',
    textThen: (before) => `النص الجديد (السابق: ${counted(before, noun('حرف واحد', 'حرفان', 'أحرف', 'حرفًا', 'حرف'))})`,
  },
}
