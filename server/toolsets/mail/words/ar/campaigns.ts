import { quotation } from '../../../../cards/card-words.ts'
import { pluralsOf } from '../../../languages.ts'
import { spokenNumber } from '../../../say.ts'
import type { RenderTrouble } from '../../templates/template.ts'
import type { CampaignWords } from '../en/campaigns.ts'

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

/** Recipients, and what is said of one, of two and of more. */
const recipientsWho = (number: number, zero: string, [one, two, more]: readonly [string, string, string]): string =>
  counted(number, {
    ...noun(`مستلم واحد ${one}`, `مستلمان ${two}`, `مستلمين ${more}`, `مستلمًا ${more}`, `مستلم ${more}`),
    zero,
  })

const mails = (number: number): string =>
  counted(number, noun('رسالة بريد واحدة', 'رسالتا بريد', 'رسائل بريد', 'رسالة بريد', 'رسالة بريد'))
/** After a preposition or another noun. */
const ofMails = (number: number): string =>
  counted(number, noun('رسالة بريد واحدة', 'رسالتي بريد', 'رسائل بريد', 'رسالة بريد', 'رسالة بريد'))
const ofRecipients = (number: number): string =>
  counted(number, noun('مستلم واحد', 'مستلمَين', 'مستلمين', 'مستلمًا', 'مستلم'))

const variables: ReadonlyMap<string, string> = new Map([
  ['first_name', 'الاسم الأول'],
  ['last_name', 'اسم العائلة'],
  ['name', 'الاسم'],
  ['email', 'عنوان البريد الإلكتروني'],
  ['company', 'الشركة'],
])
const variable = (name: string): string => variables.get(name) ?? name.replaceAll('_', ' ')
const listedVariables = (names: readonly string[]): string => names.map(variable).join('، ')

function trouble({ field, ...what }: RenderTrouble): string {
  const of = field === 'subject' ? 'الموضوع' : 'النص'
  switch (what.kind) {
    case 'empty':
      return `${of} فارغ.`
    case 'too-long':
      return `عدد أحرف ${of} ${what.length}، والحد الأقصى ${what.most}.`
    case 'unreadable':
    case 'error':
      return `يتعذّر إنشاء ${of}؛ بالإنجليزية: ${quotation('ar', what.english)}`
    default:
      return what satisfies never
  }
}

const because = {
  mail_server_unreachable: 'تعذّر الوصول إلى خادم البريد',
  mail_server_defers: 'لا يقبل خادم البريد شيئًا في الوقت الحالي',
  mail_server_refuses_us: 'لا يسمح خادم البريد لهذا الخادم بالإرسال',
  mail_server_refuses_all: 'يرفض خادم البريد كل المستلمين',
  template_unreadable: 'تتعذّر قراءة القالب',
  quota_used_up: 'نفدت حصة هذا الخادم',
}

export const campaigns: CampaignWords = {
  variable,
  reasons: {
    undeliverable: (why) => `العنوان موسوم بتعذّر التسليم: ${quotation('ar', why)}`,
    missing: (names) => `ينقص ولا نص بديل عنه: ${listedVariables(names)}.`,
    trouble,
  },

  bulk: {
    title: (number) => `إرسال رسالة بريد إلى ${ofRecipients(number)}`,
    summary: ({ template, number, segment }) =>
      `يرسل القالب «${template}» إلى ${ofRecipients(number)} من الشريحة «${segment}».`,
    summaryLater: ({ template, number, segment }) =>
      `يرسل لاحقًا القالب «${template}» إلى ${ofRecipients(number)} من الشريحة «${segment}».`,
    template: 'القالب',
    segment: 'الشريحة',
    inSegment: 'في الشريحة',
    getIt: 'تصل إليهم',
    skipped: 'المستبعدون',
    begins: 'موعد البدء',
    takes: 'المدة التقريبية',
    everybody: 'كل من في الشريحة',
    rest: 'القائمة الكاملة في `segments_preview`.',
    reads: (whom) => `كما تظهر لدى ${whom}`,
    source: 'القالب: بعض رسائل البريد تتضمن أجزاء أخرى منه',
    who: 'من تصل إليهم',
    sentNow: (number) =>
      counted(number, {
        zero: 'لا تُرسَل أي رسالة بريد خارجية',
        one: 'تُرسَل رسالة بريد خارجية واحدة ولا يمكن سحبها',
        two: 'تُرسَل رسالتا بريد خارجيتان ولا يمكن سحبهما',
        few: 'تُرسَل # رسائل بريد خارجية ولا يمكن سحبها',
        many: 'تُرسَل # رسالة بريد خارجية ولا يمكن سحبها',
        other: 'تُرسَل # رسالة بريد خارجية ولا يمكن سحبها',
      }),
    sentLater: (number) =>
      `${counted(number, {
        zero: 'لا تُرسَل أي رسالة بريد خارجية',
        one: 'تُرسَل رسالة بريد خارجية واحدة',
        two: 'تُرسَل رسالتا بريد خارجيتان',
        few: 'تُرسَل # رسائل بريد خارجية',
        many: 'تُرسَل # رسالة بريد خارجية',
        other: 'تُرسَل # رسالة بريد خارجية',
      })} ابتداءً من ذلك الموعد، ويمكن إنهاء الحملة حتى ذلك الحين`,
    goTo: ({ domains, outside }) => {
      if (domains === 1) return outside === 1 ? 'الوجهة: نطاق خارجي واحد' : 'الوجهة: نطاق واحد'
      const some =
        outside === domains
          ? 'وكلها خارجية'
          : outside === 0
            ? 'وليس بينها نطاق خارجي'
            : `والخارجي منها ${spokenNumber(outside)}`
      return `عدد نطاقات الوجهة ${spokenNumber(domains)}، ${some}`
    },
    getNothing: (number) =>
      counted(number, {
        zero: 'لا تُستبعد أي جهة اتصال من الشريحة',
        one: 'جهة اتصال واحدة من الشريحة لا يصل إليها شيء',
        two: 'جهتا اتصال من الشريحة لا يصل إليهما شيء',
        few: '# جهات اتصال من الشريحة لا يصل إليها شيء',
        many: '# جهة اتصال من الشريحة لا يصل إليها شيء',
        other: '# جهة اتصال من الشريحة لا يصل إليها شيء',
      }),
    countsForQuota: (number) =>
      recipientsWho(number, 'لا يُحتسب أي مستلم من حصة هذا الخادم', [
        'يُحتسب من حصة هذا الخادم',
        'يُحتسبان من حصة هذا الخادم',
        'يُحتسبون من حصة هذا الخادم',
      ]),
    canBeStopped: 'يمكن إيقاف الحملة مؤقتًا وإنهاؤها أثناء سيرها، وما أُرسل يبقى مُرسَلًا',
    confirm: (number) => `إرسال ${ofMails(number)}`,
    confirmLater: (number) => `جدولة ${ofMails(number)}`,
    skippedAll: (all) => `المستبعدون: ${spokenNumber(all)}`,
    skippedSome: (all, named) => `المستبعدون: ${spokenNumber(all)}، يظهر منهم هنا ${named}`,
    contact: 'جهة الاتصال',
    why: 'السبب',
    gets: 'ما يصل إليها',
    nothing: (reason) => `لا شيء. ${reason}`,
    theMail: 'رسالة البريد',
    withFallbacks: (names) => `رسالة البريد، مع نص بديل عن: ${listedVariables(names)}`,
    noMail: (whom) => `لا تصل إلى ${whom} أي رسالة بريد.`,
    cannotRender: 'يتعذّر إنشاؤها.',
    absent: (number, name) => `ينقص لدى ${ofRecipients(number)}: ${variable(name)}؛ تُرسَل رسالة البريد من دون ذلك.`,
    absentReplaced: (number, name, fallback) =>
      `ينقص لدى ${ofRecipients(number)}: ${variable(name)}؛ يُستخدم النص البديل «${fallback}».`,
    notGiven: (name, fallback) =>
      `لا يعطي الاستدعاء قيمة لما يلي: ${variable(name)}؛ يُستخدم النص البديل «${fallback}» في كل رسائل البريد.`,
    undeliverable: (number) =>
      counted(number, {
        zero: 'لا يوجد عنوان بريد إلكتروني موسوم بتعذّر التسليم.',
        one: 'عنوان بريد إلكتروني واحد موسوم بتعذّر التسليم ويُستبعد.',
        two: 'عنوانا بريد إلكتروني موسومان بتعذّر التسليم ويُستبعدان.',
        few: '# عناوين بريد إلكتروني موسومة بتعذّر التسليم وتُستبعد.',
        many: '# عنوان بريد إلكتروني موسومة بتعذّر التسليم وتُستبعد.',
        other: '# عنوان بريد إلكتروني موسومة بتعذّر التسليم وتُستبعد.',
      }),
    leftOut: (number, reason) =>
      `${counted(number, {
        zero: 'لا يُستبعد أي مستلم',
        one: 'يُستبعد مستلم واحد',
        two: 'يُستبعد مستلمان',
        few: 'يُستبعد # مستلمين',
        many: 'يُستبعد # مستلمًا',
        other: 'يُستبعد # مستلم',
      })}: ${reason}`,
    misnamed: {
      title: (number) =>
        recipientsWho(number, 'لا يوجد مستلم له اسم يشبه عنوانًا آخر.', [
          'له اسم يشبه عنوانًا آخر.',
          'لهما اسمان يشبهان عناوين أخرى.',
          'لهم أسماء تشبه عناوين أخرى.',
        ]),
      text: (name, address) => `رسالة البريد الموجّهة إلى «${name}» تذهب إلى ${address}.`,
    },
    empty: {
      title: (segment) => `لا أحد في الشريحة «${segment}» الآن.`,
      text: 'اختر شريحة أخرى؛ يبيّن segments_preview من تشملهم كل شريحة.',
    },
    nobody: (segment) => `لا يمكن أن تصل رسالة البريد هذه إلى أحد في الشريحة «${segment}».`,
    allUndeliverable: 'توجد عناوين موسومة بتعذّر التسليم.',
    accepted: (accepted, number) => `قبل خادم البريد ${spokenNumber(accepted)} من أصل ${ofMails(number)}`,
    campaign: 'الحملة',
  },

  progress: {
    titles: {
      scheduled: 'الحملة مجدولة',
      sending: 'الحملة قيد الإرسال',
      paused: 'الحملة متوقفة مؤقتًا',
      stopped: 'تم إنهاء الحملة',
      finished: 'تم إرسال الحملة',
    },
    nobody: 'لم تصل الحملة إلى أحد',
    stop: 'إنهاء',
    pause: 'إيقاف مؤقت',
    resume: 'استئناف',
    done: 'رسائل البريد المنجزة',
    accepted: 'قبلها خادم البريد',
    deferred: 'تُعاد محاولتها لاحقًا',
    refused: 'مرفوضة',
    unknown: 'وصولها مجهول',
    skipped: 'المستبعدون',
    stopped: 'لم تُرسَل بسبب الإنهاء',
    rests: 'لا يُرسَل شيء في الوقت الحالي.',
    because: (code, said) =>
      code === undefined ? quotation('ar', said) : `${because[code]}: ${quotation('ar', said)}`,
  },

  halt: {
    confirmed: 'وقت التأكيد',
    mails: 'رسائل البريد',
    left: 'المتبقي للإرسال',
    mayHave: 'ربما وصلت',
    because: 'سبب التوقف',
    atServer: (number) => `لدى خادم البريد الآن ${spokenNumber(number)}`,
    pause: (template) => `إيقاف الحملة «${template}» مؤقتًا`,
    pauseSummary: ({ template, segment, left }) =>
      `يوقف مؤقتًا الحملة «${template}» إلى الشريحة «${segment}»، والمتبقي للإرسال: ${mails(left)}.`,
    noMore: 'لا تُرسَل رسائل بريد أخرى حتى الاستئناف',
    fewDo: 'القليل الموجود لدى خادم البريد في هذه اللحظة يُرسَل رغم ذلك',
    pauseConfirm: 'إيقاف الحملة مؤقتًا',
    accepted: (accepted, number) => `المقبول ${spokenNumber(accepted)} من أصل ${ofMails(number)}`,
    undoPause: 'استئناف الحملة',
    resume: (template) => `إرسال بقية الحملة «${template}»`,
    resumeSummary: ({ template, segment, left }) =>
      `يستأنف الحملة «${template}» ويرسل ${ofMails(left)} إلى الشريحة «${segment}».`,
    goOut: (number) =>
      counted(number, {
        zero: 'لا تُرسَل أي رسالة بريد',
        one: 'تُرسَل رسالة بريد واحدة ولا يمكن سحبها',
        two: 'تُرسَل رسالتا بريد ولا يمكن سحبهما',
        few: 'تُرسَل # رسائل بريد ولا يمكن سحبها',
        many: 'تُرسَل # رسالة بريد ولا يمكن سحبها',
        other: 'تُرسَل # رسالة بريد ولا يمكن سحبها',
      }),
    notTwice: 'لا تصل إلى أحد مرتين',
    tookNothing: { title: 'لم يقبل خادم البريد شيئًا من هنا.', text: (said) => `ردّه: ${quotation('ar', said)}` },
    resumeConfirm: 'استئناف الحملة',
    resumed: 'تم استئناف الحملة',
    toGo: (number) => `المتبقي للإرسال: ${mails(number)}`,
    stop: (template) => `إنهاء الحملة «${template}»`,
    stopSummary: (about) =>
      `ينهي الحملة «${about.template}» إلى الشريحة «${about.segment}»: المُرسَل ${spokenNumber(about.accepted)} من أصل ${spokenNumber(about.number)}، وعدد من لن تصل إليهم ${spokenNumber(about.left)}.`,
    staySent: (number) =>
      counted(number, {
        zero: 'لم تُرسَل أي رسالة بريد حتى الآن',
        one: 'رسالة بريد واحدة أُرسلت حتى الآن وتبقى مُرسَلة',
        two: 'رسالتا بريد أُرسلتا حتى الآن وتبقيان مُرسَلتين',
        few: '# رسائل بريد أُرسلت حتى الآن وتبقى مُرسَلة',
        many: '# رسالة بريد أُرسلت حتى الآن وتبقى مُرسَلة',
        other: '# رسالة بريد أُرسلت حتى الآن وتبقى مُرسَلة',
      }),
    mayHaveGot: (number) =>
      recipientsWho(number, 'لا يوجد مستلم وصولها إليه مجهول', [
        'ربما وصلت إليه دون أن يُعرف ذلك',
        'ربما وصلت إليهما دون أن يُعرف ذلك',
        'ربما وصلت إليهم دون أن يُعرف ذلك',
      ]),
    goesOn: {
      title: 'تستمر الحملة حتى تؤكد.',
      text: 'حتى ذلك الحين يزيد عدد رسائل البريد المُرسَلة على ما تذكره البطاقة.',
    },
    stopConfirm: 'إنهاء الحملة',
    sent: (number) => `المُرسَل ${spokenNumber(number)}`,
    refused: (number) => `المرفوض ${spokenNumber(number)}`,
    unknown: (number) => `المجهول ${spokenNumber(number)}`,
    notSent: (number) => `غير المُرسَل ${spokenNumber(number)}`,
  },
}
