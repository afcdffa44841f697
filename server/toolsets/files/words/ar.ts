import { pluralsOf } from '../../languages.ts'
import type { FileKind, FileWords } from './en.ts'

const { counted } = pluralsOf<'zero' | 'one' | 'two' | 'few' | 'many' | 'other'>('ar')

const kinds: Readonly<Record<FileKind, string>> = {
  windowsProgram: 'برنامج Windows',
  linuxProgram: 'برنامج Linux',
  macProgram: 'برنامج macOS',
  windowsShortcut: 'اختصار Windows',
  javaProgram: 'برنامج Java',
  pdf: 'ملف PDF',
  word: 'مستند Word',
  excel: 'مصنف Excel',
  powerPoint: 'عرض PowerPoint',
  openText: 'نص OpenDocument',
  openSheet: 'جدول OpenDocument',
  oldOffice: 'مستند Office قديم',
  zip: 'أرشيف ZIP',
  gzip: 'أرشيف gzip',
  sevenZip: 'أرشيف 7-Zip',
  rar: 'أرشيف RAR',
  jpeg: 'صورة JPEG',
  png: 'صورة PNG',
  gif: 'صورة GIF',
  webp: 'صورة WebP',
  svg: 'صورة SVG',
  mp3: 'تسجيل MP3',
  mp4: 'فيديو MP4',
  rtf: 'مستند RTF',
  webPage: 'صفحة ويب',
  xml: 'مستند XML',
  text: 'نص',
}

const typeName = (kind: FileKind | undefined, type: string | undefined): string =>
  kind === undefined ? (type ?? 'نوع مجهول') : kinds[kind]

export const ar: FileWords = {
  typeName,
  falseType: {
    unsaid: (content) => `المحتوى ${kinds[content]} والاسم لا يذكر ذلك.`,
    otherwise: (said, content, type) => `حسب الاسم ${kinds[said]} وحسب المحتوى ${typeName(content, type)}.`,
    text: 'من يفتحه اعتمادًا على اسمه قد يشغّل شيئًا آخر.',
  },
  units: ['بايت', 'كيلوبايت', 'ميغابايت', 'غيغابايت'],
  userOver: (user, door) => `${user} (عبر ${door})`,

  labels: {
    file: 'الملف',
    type: 'النوع',
    size: 'الحجم',
    content: 'المحتوى',
    version: 'الإصدار',
    mediaType: 'نوع الوسائط',
    uploaded: 'تاريخ الرفع',
    by: 'بواسطة',
    who: 'من يمكنه فتحه',
    until: 'صالح حتى',
    servedBy: 'يُقدَّم من',
    otherLinks: 'روابط أخرى صالحة',
    linkId: 'معرّف الرابط',
    firstLines: 'الأسطر الأولى',
    text: 'النص',
  },

  unreadable: {
    gone: 'المحتوى المخزّن لم يعد موجودًا.',
    changed: 'المحتوى المخزّن ليس ما تم رفعه.',
    text: 'لا يُسلَّم منه شيء. ارفع الملف من جديد أو اسأل المشغّل.',
  },

  link: {
    title: (name) => `إنشاء رابط تنزيل للملف ${name}`,
    titleAgain: (name) => `إعطاء رابط الملف ${name} مرة أخرى`,
    summary: ({ name, content, until }) => `يتيح لكل من لديه العنوان تنزيل ${name} (${content}) حتى ${until}.`,
    anybody: 'كل من لديه العنوان، دون تسجيل الدخول',
    s3: 'S3 وليس هذا الخادم',
    isNew: 'يُنشأ عنوان جديد ويُعطى للوكيل',
    isThere: 'يُعطى الوكيل عنوان الرابط الموجود مرة أخرى',
    keeps: 'لا يُقدَّم إصدار يُرفع لاحقًا: يحتفظ الرابط بهذا المحتوى',
    notRecorded: 'لا يُحصى هنا ولا يُسجَّل من ينزّله وكم مرة',
    recorded: 'يُسجَّل كل تنزيل مع عنوان من ينزّل',
    others: (number) =>
      counted(number, {
        zero: 'لا توجد روابط أخرى لهذا الملف',
        one: 'رابط آخر لهذا الملف يبقى كما هو',
        two: 'رابطان آخران لهذا الملف يبقيان كما هما',
        few: '# روابط أخرى لهذا الملف تبقى كما هي',
        many: '# رابطًا آخر لهذا الملف تبقى كما هي',
        other: '# رابط آخر لهذا الملف تبقى كما هي',
      }),
    forGood: {
      title: (until) => `لا يمكن لأحد سحب هذا الرابط: إنه صالح حتى ${until}.`,
      text: 'وقّعته خدمة S3. يبقى صالحًا وإن ندمت عليه، وحتى إن حُذف الملف.',
    },
    older: {
      title: (version, current) => `يقدّم الرابط الإصدار ${version} بينما وصل الملف إلى الإصدار ${current}.`,
      text: 'لتقديم الإصدار الأحدث، ألغِ هذا الرابط أولًا أو اختر وقتًا آخر.',
    },
    noWebDoor: {
      title: 'هذا الخادم غير متاح عبر الويب.',
      text: 'لن يؤدي الرابط إلى أي مكان. شغّله عبر HTTP.',
    },
    confirm: 'إنشاء الرابط',
    confirmAgain: 'إعطاء الرابط مرة أخرى',
    revoke: 'إلغاء هذا الرابط',
    done: (name) => `رابط تنزيل الملف ${name}`,
    download: 'تنزيل',
  },
}
