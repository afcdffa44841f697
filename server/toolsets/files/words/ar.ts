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

  noRoom: ({ all, left, needs }) => `المتبقي ${left} من أصل ${all} وحجم هذا الملف ${needs}.`,

  revoke: {
    title: (name) => `إلغاء رابط تنزيل الملف ${name}`,
    summary: (name, until) => `يتوقف عنوان ${name} عن العمل، وكان صالحًا حتى ${until}.`,
    created: 'تاريخ الإنشاء',
    wouldWork: 'كان صالحًا حتى',
    downloads: 'عدد التنزيلات',
    last: 'آخر تنزيل',
    stops: 'يتوقف العنوان عن العمل فورًا ونهائيًا',
    stays: 'يبقى الملف وروابطه الأخرى',
    confirm: 'إلغاء الرابط',
    done: (name) => `تم إلغاء رابط الملف ${name}`,
    signed: {
      title: (until) => `وقّعت خدمة S3 هذا الرابط، وهو صالح حتى ${until}.`,
      text: 'لا يمكن لهذا الخادم سحبه. يمكن لمن يدير الحاوية إزالة الكائن.',
    },
  },

  remove: {
    title: (name) => `حذف ${name}`,
    summary: ({ name, number, until }) =>
      `يحذف الملف ${name} (${counted(number, { zero: 'بلا إصدارات', one: 'إصدار واحد', two: 'إصداران', few: '# إصدارات', many: '# إصدارًا', other: '# إصدار' })})، ويمكن استعادته حتى ${until}.`,
    versions: 'عدد الإصدارات',
    links: 'روابط التنزيل الصالحة',
    until: 'يمكن استعادته حتى',
    stopped: 'روابط التنزيل المتوقفة',
    gone: (number) =>
      counted(number, {
        zero: 'لن يعود الملف متاحًا لأحد',
        one: 'لن يعود الملف متاحًا لأحد',
        two: 'لن يعود الملف وإصداراه متاحة لأحد',
        few: 'لن يعود الملف وإصداراته (#) متاحة لأحد',
        many: 'لن يعود الملف وإصداراته (#) متاحة لأحد',
        other: 'لن يعود الملف وإصداراته (#) متاحة لأحد',
      }),
    linksStop: (number) =>
      counted(number, {
        zero: 'لا يتوقف أي رابط تنزيل',
        one: 'يتوقف رابط تنزيل واحد، ويعمل من جديد بعد الاستعادة',
        two: 'يتوقف رابطا تنزيل، ويعملان من جديد بعد الاستعادة',
        few: 'تتوقف # روابط تنزيل، وتعمل من جديد بعد الاستعادة',
        many: 'يتوقف # رابط تنزيل، وتعمل من جديد بعد الاستعادة',
        other: 'يتوقف # رابط تنزيل، وتعمل من جديد بعد الاستعادة',
      }),
    signedGoOn: (number, until) =>
      `${counted(number, {
        zero: 'لا يبقى أي رابط وقّعته خدمة S3 صالحًا',
        one: 'يبقى رابط واحد وقّعته خدمة S3 صالحًا',
        two: 'يبقى رابطان وقّعتهما خدمة S3 صالحين',
        few: 'تبقى # روابط وقّعتها خدمة S3 صالحة',
        many: 'يبقى # رابطًا وقّعته خدمة S3 صالحًا',
        other: 'يبقى # رابط وقّعته خدمة S3 صالحًا',
      })} حتى ${until}`,
    restorable: (until) => `يمكن استعادته حتى ${until} ثم يُزال محتواه نهائيًا`,
    confirm: 'حذف الملف',
    done: (name) => `تم حذف ${name}`,
  },

  restore: {
    title: (name) => `استعادة ${name}`,
    summary: (name) => `يستعيد الملف المحذوف ${name}.`,
    back: 'يعود الملف وإصداراته من جديد',
    linksWork: (number) =>
      counted(number, {
        zero: 'لا يعمل أي رابط تنزيل من جديد',
        one: 'يعمل رابط تنزيل واحد من جديد',
        two: 'يعمل رابطا تنزيل من جديد',
        few: 'تعمل # روابط تنزيل من جديد',
        many: 'يعمل # رابط تنزيل من جديد',
        other: 'يعمل # رابط تنزيل من جديد',
      }),
    confirm: 'استعادة الملف',
    done: (name) => `تمت استعادة ${name}`,
    noRoom: 'لا توجد مساحة كافية له.',
    unknown: 'هذا الملف غير موجود أو غير محذوف.',
    taken: {
      title: (name) => `هناك الآن ملف آخر باسم ${name}.`,
      text: (id) => `احذف ذلك الملف (${id}) أولًا.`,
    },
  },

  older: {
    title: (number, name) => `استعادة الإصدار ${number} من ${name}`,
    summary: ({ number, name, next }) => `يجعل الإصدار ${number} من ${name} هو الحالي من جديد، بصفته الإصدار ${next}.`,
    content: 'المحتوى (SHA-256)',
    stays: (current) => `يبقى الإصدار ${current} ويمكن استعادته بالطريقة نفسها`,
    linksStay: 'تستمر روابط التنزيل في تقديم الإصدار الذي أُنشئت من أجله',
    confirm: 'استعادة الإصدار',
    back: (number) => `العودة إلى الإصدار ${number}`,
    done: (name, number) => `أصبح ${name} في الإصدار ${number}`,
    same: {
      title: (name) => `لدى ${name} هذا المحتوى بالفعل.`,
      text: (current, number) => `الإصدار ${current} مطابق للإصدار ${number}.`,
    },
  },

  failures: {
    unknown_file: 'لا يوجد هذا الملف.',
    unknown_link: 'رابط التنزيل هذا غير موجود أو لم يعد يعمل.',
    unknown_version: 'ليس للملف هذا الإصدار.',
    unreadable_content: 'فُقد المحتوى المخزَّن أو تغيّر.',
    nothing_to_change: 'الملف له هذا المحتوى بالفعل.',
    signed_by_s3: 'وقّع S3 هذا الرابط، ولا يستطيع أحد سحبه.',
    expires_in_past: 'هذا الوقت قد مضى.',
    expires_too_late: 'هذا الوقت بعيد جدًا.',
    no_web_door: 'هذا الخادم غير متاح عبر الويب.',
    no_room: 'لا توجد مساحة كافية.',
    name_taken: 'صار لملف آخر هذا الاسم.',
  },
}
