import { quotation } from '../../../cards/card-words.ts'
import { pluralsOf } from '../../languages.ts'
import type { ContentKind, SandboxWords } from './en.ts'

const { form } = pluralsOf<'zero' | 'one' | 'two' | 'few' | 'many' | 'other'>('ar')

const kinds: Readonly<Record<ContentKind, string>> = {
  png: 'صورة PNG',
  jpeg: 'صورة JPEG',
  gif: 'صورة GIF',
  pdf: 'مستند PDF',
  zip: 'أرشيف ZIP (ومثله .xlsx و.docx)',
  gzip: 'أرشيف gzip',
  sqlite: 'قاعدة بيانات SQLite',
  wasm: 'برنامج WebAssembly',
  linuxProgram: 'برنامج Linux (ELF)',
  windowsProgram: 'برنامج Windows',
}

const files = (number: number): string =>
  form(number, {
    zero: 'لا ملفات',
    one: 'ملف واحد',
    two: 'ملفين',
    few: `${number} ملفات`,
    many: `${number} ملفًا`,
    other: `${number} ملف`,
  })

export const ar: SandboxWords = {
  bytes: (number) => `${number} بايت`,

  run: {
    title: (language) => `تشغيل برنامج ${language}`,
    summary: ({ lines, language, session }) =>
      `يشغّل ${form(lines, {
        zero: 'برنامجًا فارغًا',
        one: 'سطرًا واحدًا',
        two: 'سطرين',
        few: `${lines} أسطر`,
        many: `${lines} سطرًا`,
        other: `${lines} سطر`,
      })} بلغة ${language}${session === undefined ? '' : ` في الجلسة ${session}`}.`,
    program: 'البرنامج',
    confirm: 'تشغيل البرنامج',
    session: (id) => `الجلسة ${id}`,
    endings: {
      finished: 'اكتمل تشغيل البرنامج حتى نهايته',
      error: 'انتهى البرنامج بخطأ',
      out_of_fuel: 'استنفد البرنامج حصته من الحوسبة',
      out_of_memory: 'استنفد البرنامج ذاكرته',
      timeout: 'استغرق البرنامج وقتًا أطول من المسموح',
      output_limit: 'طبع البرنامج أكثر من المسموح',
      crashed: 'توقفت بيئة التشغيل فجأة',
    },
    exitCode: (ending, code) => `${ending}: رمز الخروج ${code}`,
    advice: (message, cause) => ({ title: 'إرشاد للوكيل بالإنجليزية:', text: quotation('ar', `${message} ${cause}`) }),
    change: 'التغيير',
    output: 'المخرجات',
    errors: 'الأخطاء',
    files: 'ملفات مساحة العمل',
    file: 'الملف',
    changed: 'التغيير',
    bytes: 'بايت',
    changes: { created: 'أُنشئ', modified: 'عُدِّل', deleted: 'حُذف' },
    fuel: 'حصة الحوسبة',
    fuelOf: (call) => `حصة الحوسبة للاستدعاء ${call}`,
    fuelOfThis: (call) => `حصة الحوسبة للاستدعاء ${call} (هذا)`,
    used: ({ fuel, percent }) => `${fuel}: استُهلك منها ${percent} %.`,
  },

  session: {
    begin: 'بدء جلسة',
    beginSummary: (language) => `يبدأ جلسة بلغة ${language}.`,
    beginConfirm: 'بدء الجلسة',
    begun: 'بدأت الجلسة',
    end: (id) => `إنهاء الجلسة ${id}`,
    endSummary: (id) => `ينهي الجلسة ${id} مع متغيراتها وملفاتها.`,
    endConfirm: 'إنهاء الجلسة',
    ended: 'انتهت الجلسة',
  },

  reset: {
    title: (number) => `حذف ${files(number)}`,
    summary: (number, session) => `يحذف من الجلسة ${session}: ${files(number)}.`,
    confirm: 'حذف الملفات',
    done: (number) => `الملفات المحذوفة: ${number}`,
  },

  export: {
    write: (path) => `كتابة ${path}`,
    replace: (path) => `استبدال ${path}`,
    from: (bytes, session) => `${bytes} · من الجلسة ${session}`,
    writeSummary: ({ file, bytes, session }) => `يكتب ${file} (${bytes}) من الجلسة ${session}.`,
    replaceSummary: ({ file, bytes, session }) => `يستبدل ${file} بمحتوى حجمه ${bytes} من الجلسة ${session}.`,
    file: 'الملف',
    writes: 'يظهر ملف جديد في مجلد التصدير',
    replaces: 'يُستبدل الملف الموجود حاليًا بالكامل',
    writeConfirm: 'كتابة الملف',
    replaceConfirm: 'استبدال الملف',
    written: 'تمت كتابة الملف',
    replaced: 'تم استبدال الملف',
    content: 'المحتوى',
    newContent: 'المحتوى الجديد',
    before: 'المحتوى الحالي',
    change: 'التغيير',
    same: 'النص نفسه موجود هناك بالفعل.',
    differs: 'يختلف النصان في أسطر كثيرة لا تسمح بالمقارنة.',
    binary: (kind) => (kind === undefined ? 'ليس نصًا' : `ليس نصًا؛ يبدأ مثل ${kinds[kind]}`),
    size: 'الحجم',
    firstBytes: (label) => `${label}: البايتات الأولى`,
  },
}
