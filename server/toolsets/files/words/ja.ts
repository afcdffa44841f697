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

  noRoom: ({ all, left, needs }) => `${all} のうち残りは ${left} ですが、このファイルは ${needs} あります。`,

  revoke: {
    title: (name) => `${name} のダウンロードリンクを取り消す`,
    summary: (name, until) => `${until} まで有効なはずの ${name} のアドレスが使えなくなります。`,
    created: '作成日時',
    wouldWork: '本来の有効期限',
    downloads: 'ダウンロード回数',
    last: '最後のダウンロード',
    stops: 'アドレスは直ちに使えなくなり、元には戻せません',
    stays: 'ファイルと他のリンクはそのまま残ります',
    confirm: 'リンクを取り消す',
    done: (name) => `${name} のリンクを取り消しました`,
    signed: {
      title: (until) => `このリンクは S3 が署名しており、${until} まで有効です。`,
      text: 'このサーバーからは取り消せません。バケットの管理者であればオブジェクトを削除できます。',
    },
  },

  remove: {
    title: (name) => `${name} を削除`,
    summary: ({ name, number, until }) =>
      `ファイル ${name} を${counted(number, { other: ' # 個のバージョン' })}とともに削除します。${until} まで復元できます。`,
    versions: 'バージョン数',
    links: '有効なダウンロードリンク',
    until: '復元できる期限',
    stopped: '停止したダウンロードリンク',
    gone: (number) =>
      number === 1
        ? 'ファイルは誰からも見えなくなります'
        : counted(number, { other: 'ファイルと # 個のバージョンは誰からも見えなくなります' }),
    linksStop: (number) =>
      counted(number, { other: '# 件のダウンロードリンクが使えなくなります。復元すると再び使えます' }),
    signedGoOn: (number, until) =>
      `${counted(number, { other: 'S3 が署名した # 件のリンク' })}は ${until} まで引き続き有効です`,
    restorable: (until) => `${until} まで復元できます。その後、内容は完全に削除されます`,
    confirm: 'ファイルを削除',
    done: (name) => `${name} を削除しました`,
  },

  restore: {
    title: (name) => `${name} を復元`,
    summary: (name) => `削除されたファイル ${name} を復元します。`,
    back: 'ファイルとそのバージョンが元に戻ります',
    linksWork: (number) => counted(number, { other: '# 件のダウンロードリンクが再び使えるようになります' }),
    confirm: 'ファイルを復元',
    done: (name) => `${name} を復元しました`,
    noRoom: '空き容量が足りません。',
    unknown: 'このファイルは存在しないか、削除されていません。',
    taken: {
      title: (name) => `${name} という名前の別のファイルがあります。`,
      text: (id) => `先にそのファイル（${id}）を削除してください。`,
    },
  },

  older: {
    title: (number, name) => `${name} のバージョン ${number} を復元`,
    summary: ({ number, name, next }) =>
      `${name} のバージョン ${number} を、バージョン ${next} として再び現在の内容にします。`,
    content: '内容（SHA-256）',
    stays: (current) => `バージョン ${current} は残り、同じ方法で復元できます`,
    linksStay: 'ダウンロードリンクは、作成時のバージョンを渡し続けます',
    confirm: 'バージョンを復元',
    back: (number) => `バージョン ${number} に戻す`,
    done: (name, number) => `${name} は現在バージョン ${number} です`,
    same: {
      title: (name) => `${name} はすでにこの内容です。`,
      text: (current, number) => `バージョン ${current} はバージョン ${number} と同じです。`,
    },
  },

  failures: {
    unknown_file: 'このファイルはありません。',
    unknown_link: 'このダウンロードリンクはないか、すでに無効です。',
    unknown_version: 'このファイルにそのバージョンはありません。',
    unreadable_content: '保存された内容が失われたか、変わっています。',
    nothing_to_change: 'ファイルはすでにこの内容です。',
    signed_by_s3: 'このリンクは S3 が署名したため、誰も取り消せません。',
    expires_in_past: 'その時刻は過ぎています。',
    expires_too_late: 'その時刻は先すぎます。',
    no_web_door: 'このサーバーはウェブに公開されていません。',
    no_room: '空き容量が足りません。',
    name_taken: '別のファイルがこの名前になっています。',
  },
}
