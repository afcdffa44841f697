import type { FoundSecret } from '../../../../model/found-secret.ts'
import { pluralsOf } from '../../../languages.ts'
import { spokenNumber } from '../../../say.ts'
import type { Script } from '../../addresses/domains.ts'
import type { SecretPlace } from '../../policy.ts'
import type { Span } from '../../quota.ts'
import type { RulesWords } from '../en/rules.ts'

const { counted, form } = pluralsOf<'zero' | 'one' | 'two' | 'few' | 'many' | 'other'>('ar')

/** A noun in the order of the categories. One and two are said by the noun itself, without the number. */
const noun = (one: string, two: string, few: string, many: string, other = many) => ({
  zero: `# ${other}`,
  one,
  two,
  few: `# ${few}`,
  many: `# ${many}`,
  other: `# ${other}`,
})

const within = { hour: 'خلال ساعة', day: 'خلال يوم' }

const units = {
  minutes: noun('دقيقة واحدة', 'دقيقتان', 'دقائق', 'دقيقة'),
  hours: noun('ساعة واحدة', 'ساعتان', 'ساعات', 'ساعة'),
  days: noun('يوم واحد', 'يومان', 'أيام', 'يومًا', 'يوم'),
}
/** After a preposition or another noun. */
const ofUnits = {
  minutes: { ...units.minutes, two: 'دقيقتين' },
  hours: { ...units.hours, two: 'ساعتين' },
  days: { ...units.days, two: 'يومين' },
}
const ofMails = (number: number): string =>
  counted(number, noun('رسالة بريد واحدة', 'رسالتي بريد', 'رسائل بريد', 'رسالة بريد'))

const duration = (span: Span | undefined): string =>
  span === undefined ? 'أقل من دقيقة' : counted(span.number, units[span.unit])
const after = (span: Span | undefined): string =>
  span === undefined ? 'بأقل من دقيقة' : `بنحو ${counted(span.number, ofUnits[span.unit])}`

/** Of recipients, domains or bytes, and of how many there are: it agrees with none of them. */
const allow = (most: number | string): string => `ما يسمح به مشغّلو هذا الخادم: ${most}.`

const secrets: Readonly<Record<FoundSecret['what'], string>> = {
  'a payment card number': 'رقم بطاقة دفع',
  'a password': 'كلمة مرور',
  'a private key': 'مفتاح خاص',
  'a key, token or password': 'مفتاح أو رمز وصول أو كلمة مرور',
}

function place(where: SecretPlace): string {
  switch (where.at) {
    case 'subject':
      return 'في الموضوع'
    case 'line':
      return `في السطر ${where.line}`
    case 'name':
      return `في اسم ${where.whom}`
    case 'reply-to':
      return 'في عنوان الرد'
    case 'file-name':
      return 'في اسم أحد المرفقات'
    case 'file-line':
      return `في السطر ${where.line} من الملف ${where.file}`
    case 'template-subject':
      return 'في موضوع القالب'
    case 'template-line':
      return `في السطر ${where.line} من القالب`
    case 'value':
      return `في قيمة ${where.name}`
    default:
      return where satisfies never
  }
}

const scripts: Readonly<Record<Script, string>> = {
  Latin: 'اللاتينية',
  Cyrillic: 'السيريلية',
  Greek: 'اليونانية',
  Armenian: 'الأرمنية',
  Hebrew: 'العبرية',
  Arabic: 'العربية',
  Georgian: 'الجورجية',
  Cherokee: 'الشيروكية',
  Thai: 'التايلاندية',
  Devanagari: 'الديفاناغارية',
  Han: 'الصينية',
  Hiragana: 'الهيراغانا',
  Katakana: 'الكاتاكانا',
  Hangul: 'الهانغول',
}

export const rules: RulesWords = {
  secret: (what, where) => `${secrets[what]} ${place(where)}`,
  hasSecrets: {
    title: (found) => `في رسالة البريد ما يلي: ${found}.`,
    text: 'كل من تصل إليه يستطيع استخدام ذلك.',
  },
  // Between two names in Latin letters there is always a word in Arabic: side by side they would change places.
  deceits: {
    looksLike: (domain, meant) => `النطاق ${domain} يشبه ${meant} لكنه نطاق آخر.`,
    mixes: (shown, found) => `يخلط ${shown} أحرفًا من عدة كتابات: ${found.map((each) => scripts[each]).join(' و')}.`,
    foreign: (shown, script, latin) =>
      `كُتب ${shown} بأحرف من ${script === undefined ? 'كتابة أخرى' : scripts[script]} تشبه «${latin}».`,
    name: (name, shown) => `الاسم «${name}» يشبه عنوانًا، بينما تذهب رسالة البريد إلى ${shown}.`,
    link: (text, host) => `الرابط «${text}» يؤدي إلى ${host}.`,
    beforeHost: (url, host) => `الرابط ${url} يؤدي إلى ${host}، وما يسبق علامة @ فيه ليس خادمًا.`,
    more: (number) => `روابط أو عناوين أخرى تؤدي إلى غير ما يبدو منها، وعددها ${number}.`,
  },

  policy: {
    allow,
    tooMany: (number) => `عدد المستلمين (${spokenNumber(number)}) أكبر من المسموح به في رسالة بريد واحدة.`,
    tooManyForCampaign: (number) => `عدد المستلمين (${spokenNumber(number)}) أكبر من المسموح به في حملة واحدة.`,
    attachments: {
      title: (size) => `حجم المرفقات معًا ${size}.`,
      text: (most) => `${allow(most)} أرسل رابط تنزيل بدلًا منها.`,
    },
    secrets: 'البيانات السرية لا تغادر هذا الخادم عبر البريد. احذفها من رسالة البريد وسلّمها بطريقة أخرى.',
    noMailTo: (domains) => `لا يُرسَل أي بريد إلى: ${domains}.`,
    blocked: (number) =>
      form(number, {
        zero: 'لم يحظر مشغّلو هذا الخادم أي نطاق.',
        one: 'حظر مشغّلو هذا الخادم هذا النطاق.',
        two: 'حظر مشغّلو هذا الخادم هذين النطاقين.',
        few: 'حظر مشغّلو هذا الخادم هذه النطاقات.',
        many: 'حظر مشغّلو هذا الخادم هذه النطاقات.',
        other: 'حظر مشغّلو هذا الخادم هذه النطاقات.',
      }),
    noDomain: 'لا نطاق على الإطلاق',
    there: (number) =>
      `عدد مستلمي هذه الحملة الذين لهم عناوين هناك ${spokenNumber(number)}؛ اختر شريحة خالية من هذه العناوين.`,
  },

  quota: {
    never: (number, period) =>
      `عدد المستلمين (${spokenNumber(number)}) يتجاوز في كل الأحوال العدد المسموح به ${within[period]}.`,
    fewer: (most) => `${allow(most)} أرسلها إلى عدد أقل.`,
    over: (number, period) => `عدد المستلمين ${within[period]} (${spokenNumber(number)}) يتجاوز العدد المسموح به.`,
    later: (most, from) => `${allow(most)} يتوفر متسع ابتداءً من ${from}: أرسلها عندئذٍ (sendAt).`,
    slow: {
      title: (number, days) =>
        `يستغرق إرسال ${ofMails(number)} بحسب حصة هذا الخادم نحو ${counted(days, ofUnits.days)}.`,
      text: (most, period) =>
        `ما يسمح به مشغّلوه: ${most} ${within[period]}، ولا تستغرق أي حملة أكثر من أسبوع. اختر شريحة أصغر، أو اطلب منهم رفع الحصة.`,
    },
    limits: (quotas) => quotas.map((each) => `${spokenNumber(each.most)} ${within[each.within]}`).join(' و'),
    duration,
    paced: (limits, span) =>
      `حصة هذا الخادم من المستلمين محدودة (${limits}): تُرسَل رسائل البريد تدريجيًا، والأخيرة بعد الأولى ${after(span)}`,
  },
}
