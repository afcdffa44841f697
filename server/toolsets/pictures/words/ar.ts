import type { PictureWords } from './en.ts'

export const ar: PictureWords = {
  label: 'الصورة',
  ofFirstPage: (name) => `الصفحة الأولى من ${name}`,
  ofPicture: (name) => `الصورة في ${name}`,
  page: (pages) => `الصفحة 1 من ${pages}`,
  frame: (frames) => `الصورة 1 من ${frames}`,
  pixels: (width, height) => `${width} × ${height} بكسل`,
  located: {
    title: (name) => `يكشف ${name} مكان التقاط الصورة.`,
    text: 'يمكن لمن لديه الملف قراءة المكان. ارفعه من جديد بدون بيانات GPS لتجنب ذلك.',
  },
  notShown: (reason) => `غير معروضة: ${reason}`,
  tooManyPixels: (pixels) => `حجمها بعد فك الضغط ${pixels}`,
  reasons: {
    svg: 'قد يفعل ملف SVG أكثر من الرسم',
    'unknown-type': 'لا تُرسم الصور من هذا النوع هنا',
    'not-installed': 'برنامجا الرسم wasm-vips و @hyzyla/pdfium غير مثبتين',
    'too-large': 'أكبر من 64 ميغابايت',
    moves: 'إنها متحركة، وصورتها الثابتة مختلفة',
    encrypted: 'تتطلب كلمة مرور',
    damaged: 'تالفة أو مصنوعة بحيث لا يمكن رسمها',
    'too-costly': 'يتطلب رسمها وقتًا أو ذاكرة أكثر من المسموح',
    busy: 'يجري رسم عدد كبير من الصور الأخرى',
    unreadable: 'تتعذر قراءة المحتوى المخزّن',
  },
}
