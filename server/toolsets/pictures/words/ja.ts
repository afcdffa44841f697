import type { PictureWords } from './en.ts'

export const ja: PictureWords = {
  label: '画像',
  ofFirstPage: (name) => `${name} の最初のページ`,
  ofPicture: (name) => `${name} の画像`,
  page: (pages) => `${pages} ページ中 1 ページ目`,
  frame: (frames) => `${frames} 枚中 1 枚目`,
  pixels: (width, height) => `${width} × ${height} ピクセル`,
  located: {
    title: (name) => `${name} には撮影場所が記録されています。`,
    text: 'ファイルを持つ人は場所を読み取れます。位置情報を消してアップロードし直せば、読み取られません。',
  },
  notShown: (reason) => `表示できません：${reason}`,
  tooManyPixels: (pixels) => `展開すると ${pixels} になります`,
  reasons: {
    svg: 'SVG は描画以外の動作もできます',
    'unknown-type': 'この形式の画像には対応していません',
    'not-installed': '描画に必要な wasm-vips と @hyzyla/pdfium がインストールされていません',
    'too-large': '64 MB を超えています',
    moves: '動く画像で、静止画の内容が異なります',
    encrypted: 'パスワードが必要です',
    damaged: '破損しているか、描画できないように作られています',
    'too-costly': '描画に必要な時間またはメモリが上限を超えています',
    busy: '他の画像を多数描画しています',
    unreadable: '保存された内容を読み取れません',
  },
}
