import { pluralsOf } from '../../languages.ts'
import type { FileKind, FileWords } from './en.ts'

const { counted } = pluralsOf<'other'>('ja')

const kinds: Readonly<Record<FileKind, string>> = {
  windowsProgram: 'Windows プログラム',
  linuxProgram: 'Linux プログラム',
  macProgram: 'macOS プログラム',
  windowsShortcut: 'Windows ショートカット',
  javaProgram: 'Java プログラム',
  pdf: 'PDF',
  word: 'Word 文書',
  excel: 'Excel ブック',
  powerPoint: 'PowerPoint プレゼンテーション',
  openText: 'OpenDocument 文書',
  openSheet: 'OpenDocument 表計算',
  oldOffice: '旧形式の Office 文書',
  zip: 'ZIP アーカイブ',
  gzip: 'gzip アーカイブ',
  sevenZip: '7-Zip アーカイブ',
  rar: 'RAR アーカイブ',
  jpeg: 'JPEG 画像',
  png: 'PNG 画像',
  gif: 'GIF 画像',
  webp: 'WebP 画像',
  svg: 'SVG 画像',
  mp3: 'MP3 音声',
  mp4: 'MP4 動画',
  rtf: 'RTF 文書',
  webPage: 'ウェブページ',
  xml: 'XML 文書',
  text: 'テキスト',
}

const typeName = (kind: FileKind | undefined, type: string | undefined): string =>
  kind === undefined ? (type ?? '不明な形式') : kinds[kind]

export const ja: FileWords = {
  typeName,
  falseType: {
    unsaid: (content) => `内容は${kinds[content]}ですが、名前からは分かりません。`,
    otherwise: (said, content, type) => `名前では${kinds[said]}、内容は${typeName(content, type)}です。`,
    text: '名前を信じて開くと、別のものが起動するかもしれません。',
  },
  units: ['バイト', 'kB', 'MB', 'GB'],
  userOver: (user, door) => `${user}（${door} 経由）`,

  labels: {
    file: 'ファイル',
    type: '種類',
    size: 'サイズ',
    content: '内容',
    version: 'バージョン',
    mediaType: 'メディアタイプ',
    uploaded: 'アップロード日時',
    by: 'アップロードした人',
    who: '開ける人',
    until: '有効期限',
    servedBy: '配信元',
    otherLinks: '他の有効なリンク',
    linkId: 'リンク ID',
    firstLines: '最初の数行',
    text: 'テキスト',
  },

  unreadable: {
    gone: '保存された内容がなくなっています。',
    changed: '保存された内容が、アップロードされたものと異なります。',
    text: '内容は一切渡されません。もう一度アップロードするか、運用者に問い合わせてください。',
  },

  link: {
    title: (name) => `${name} のダウンロードリンクを作成`,
    titleAgain: (name) => `${name} のリンクを再度発行`,
    summary: ({ name, content, until }) =>
      `アドレスを知っている人は、${until} まで ${name}（${content}）をダウンロードできます。`,
    anybody: 'アドレスを知っている人すべて（サインイン不要）',
    s3: 'S3（このサーバーではありません）',
    isNew: '新しいアドレスが作成され、エージェントに渡されます',
    isThere: '既存のリンクのアドレスが、もう一度エージェントに渡されます',
    keeps: '後でアップロードされたバージョンは渡されません：リンクの内容は変わりません',
    notRecorded: '誰が何回ダウンロードしたかは、ここでは数えられず、記録もされません',
    recorded: 'ダウンロードは、相手のアドレスとともに毎回記録されます',
    others: (number) => counted(number, { other: 'このファイルへの他の # 件のリンクは変わりません' }),
    forGood: {
      title: (until) => `このリンクは取り消せません。${until} まで有効です。`,
      text: 'S3 が署名しています。後で取り消したくなっても、ファイルを削除しても、有効なままです。',
    },
    older: {
      title: (version, current) =>
        `リンクで渡されるのはバージョン ${version} ですが、ファイルは現在バージョン ${current} です。`,
      text: '新しいバージョンを渡すには、先にこのリンクを取り消すか、別の期限を選んでください。',
    },
    noWebDoor: {
      title: 'このサーバーはウェブに公開されていません。',
      text: 'リンクを作ってもどこにもつながりません。HTTP で公開してください。',
    },
    confirm: 'リンクを作成',
    confirmAgain: 'リンクを再度発行',
    revoke: 'このリンクを取り消す',
    done: (name) => `${name} のダウンロードリンク`,
    download: 'ダウンロード',
  },
}
