import { quotation } from '../../../cards/card-words.ts'
import type { ContentKind, SandboxWords } from './en.ts'

const kinds: Readonly<Record<ContentKind, string>> = {
  png: 'PNG 画像',
  jpeg: 'JPEG 画像',
  gif: 'GIF 画像',
  pdf: 'PDF 文書',
  zip: 'ZIP アーカイブ（.xlsx や .docx も同様）',
  gzip: 'gzip アーカイブ',
  sqlite: 'SQLite データベース',
  wasm: 'WebAssembly プログラム',
  linuxProgram: 'Linux プログラム（ELF）',
  windowsProgram: 'Windows プログラム',
}

export const ja: SandboxWords = {
  bytes: (number) => `${number} バイト`,

  run: {
    title: (language) => `${language} プログラムを実行`,
    summary: ({ lines, language, session }) =>
      `${session === undefined ? '' : `セッション ${session} で `}${language} のコード ${lines} 行を実行します。`,
    program: 'プログラム',
    confirm: 'プログラムを実行',
    session: (id) => `セッション ${id}`,
    endings: {
      finished: 'プログラムは最後まで実行されました',
      error: 'プログラムはエラーで終了しました',
      out_of_fuel: 'プログラムは計算量の上限に達しました',
      out_of_memory: 'プログラムはメモリの上限に達しました',
      timeout: 'プログラムの実行に時間がかかりすぎました',
      output_limit: 'プログラムの出力が多すぎました',
      crashed: '実行環境が異常終了しました',
    },
    exitCode: (ending, code) => `${ending}（終了コード ${code}）`,
    advice: (message, cause) => ({
      title: 'エージェントへの助言（英語）：',
      text: quotation('ja', `${message} ${cause}`),
    }),
    change: '変更',
    output: '出力',
    errors: 'エラー',
    files: '作業領域のファイル',
    file: 'ファイル',
    changed: '変更',
    bytes: 'バイト数',
    changes: { created: '作成', modified: '変更', deleted: '削除' },
    fuel: '計算量',
    fuelOf: (call) => `呼び出し ${call} の計算量`,
    fuelOfThis: (call) => `呼び出し ${call}（今回）の計算量`,
    used: ({ fuel, percent }) => `${fuel}：上限の ${percent} % を使用しました。`,
  },

  session: {
    begin: 'セッションを開始',
    beginSummary: (language) => `${language} のセッションを開始します。`,
    beginConfirm: 'セッションを開始',
    begun: 'セッションを開始しました',
    end: (id) => `セッション ${id} を終了`,
    endSummary: (id) => `セッション ${id} を、変数とファイルとともに終了します。`,
    endConfirm: 'セッションを終了',
    ended: 'セッションを終了しました',
  },

  reset: {
    title: (files) => `${files} 件のファイルを削除`,
    summary: (files, session) => `セッション ${session} の ${files} 件のファイルを削除します。`,
    confirm: 'ファイルを削除',
    done: (files) => `削除したファイル：${files} 件`,
  },

  export: {
    write: (path) => `${path} を書き出す`,
    replace: (path) => `${path} を置き換える`,
    from: (bytes, session) => `${bytes} · セッション ${session} から`,
    writeSummary: ({ file, bytes, session }) => `セッション ${session} の ${bytes} を ${file} に書き出します。`,
    replaceSummary: ({ file, bytes, session }) => `${file} をセッション ${session} の ${bytes} で置き換えます。`,
    file: 'ファイル',
    writes: '書き出し用フォルダーに新しいファイルができます',
    replaces: '現在あるファイルは丸ごと置き換えられます',
    writeConfirm: 'ファイルを書き出す',
    replaceConfirm: 'ファイルを置き換える',
    written: 'ファイルを書き出しました',
    replaced: 'ファイルを置き換えました',
    content: '内容',
    newContent: '新しい内容',
    before: '現在の内容',
    change: '変更',
    same: '同じテキストがすでにあります。',
    differs: '異なる行が多すぎるため、比較できません。',
    binary: (kind) =>
      kind === undefined ? 'テキストではありません' : `テキストではありません（先頭は ${kinds[kind]} と同じ）`,
    size: 'サイズ',
    firstBytes: (label) => `${label}：先頭のバイト`,
  },
}
