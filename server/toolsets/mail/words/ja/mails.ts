import { listing, pluralsOf } from '../../../languages.ts'
import { ja as files } from '../../../files/words/ja.ts'
import type { MailsWords } from '../en/mails.ts'

const { counted } = pluralsOf<'other'>('ja')

const listed = listing('ja')
const recipients = (number: number): string => counted(number, { other: '受信者 # 名' })
const doNot = (number: number): string => counted(number, { other: '受信者 # 名には送信されません' })
const goesOut = (number: number): string => counted(number, { other: 'メール # 通が送信され、取り消しはできません' })

/** Whom a sentence names, an address or 「受信者 3 名」: only what is not in Japanese letters is set off by a space. */
const whomThen = (whom: string): string => (/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]$/u.test(whom) ? whom : `${whom} `)
const thenWhom = (whom: string): string =>
  /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]/u.test(whom) ? whomThen(whom) : ` ${whomThen(whom)}`

const fields: MailsWords['draft']['fields'] = {
  to: '宛先',
  cc: 'Cc',
  bcc: 'Bcc',
  replyTo: '返信先',
  subject: '件名',
  body: '本文',
  attachments: '添付ファイル',
  projectId: 'プロジェクト',
}

export const mails: MailsWords = {
  units: files.units,
  listed,
  andMore: (first, more) => `${first}、他 ${more} 件`,
  recipients,
  noMailByThis: 'この操作では誰にもメールは送信されません',
  of: (name, warning) => `${name}：${warning}`,
  outside: (domain) => `${domain} · 外部`,
  hasHtml: {
    title: '本文に HTML が含まれています。',
    text: '受信者には書かれたとおりに表示され、実行や読み込みは行われません。',
  },
  missed: {
    title: (moment) => `予定の送信日時（${moment}）を過ぎています。`,
    text: '直ちに送信されます。',
  },
  links: { label: 'リンク', text: '表示テキスト', leadsTo: 'リンク先', address: 'アドレス' },
  labels: { address: 'アドレス', name: '名前', subject: '件名', from: '差出人', answersTo: '返信先' },
  atOnce: '直ちに',
  newRecipients: (number) => counted(number, { other: '受信者 # 名には、ここから初めてメールを送信します' }),

  send: {
    title: (whom) => `${whomThen(whom)}にメールを送信`,
    summary: ({ subject, whom, attachments }) =>
      `メール「${subject}」${attachments === 0 ? '' : counted(attachments, { other: '（添付ファイル # 件）' })}を${thenWhom(whom)}に送信します。`,
    goesOut: '送信日時',
    project: 'プロジェクト',
    text: '受信者に届く本文',
    leavesNow: (number) => `${recipients(number)}にメールが送信され、取り消しはできません`,
    leavesLater: (number) => `指定の日時に、${recipients(number)}へメールが送信されます。それまでは取り消せます`,
    leavesFor: (domains, named) => `外部ドメイン ${domains} 件に送信されます：${named}`,
    hidden: (number) => counted(number, { other: '受信者 # 名（Bcc）への送信は、他の受信者には見えません' }),
    kept: 'メールは一覧に残ります',
    draftGoes: (id) => `下書き ${id} は削除されます`,
    draftDiffers: (id, differs) => `下書き ${id} は削除されます。このメールとの相違点：${differs}`,
    confirm: 'メールを送信',
    confirmLater: '送信を予約',
    roles: { to: '宛先', cc: 'Cc', bcc: 'Bcc（他の受信者には見えません）' },
    notContact: (name) => `${name} · 連絡先に未登録`,
    all: (role, number) => `${role}：全 ${number} 名`,
    before: '過去の送信',
    never: 'なし',
    yes: 'あり',
    attachments: '添付ファイル',
    name: 'ファイル名',
    type: '種類（内容から判定）',
    size: 'サイズ',
    together: '合計',
    done: {
      sent: 'メールを送信しました',
      scheduled: 'メールの送信を予約しました',
      failed: 'メールは送信されませんでした',
    },
    mail: 'メール',
    state: '状態',
    states: {
      pending: '送信待ち',
      deferred: '後で再試行',
      accepted: '受付済み',
      refused: '拒否',
      unknown: '不明',
      cancelled: '取り消し済み',
    },
    answer: 'メールサーバーの応答',
    notGot: (addresses) => `${listed(addresses)} には届きません。`,
    undo: '送信を取り消す',
  },

  cancel: {
    title: (subject) => `メール「${subject}」の送信を取り消す`,
    summary: (subject, whom) => `${whomThen(whom)}へのメール「${subject}」の送信を取り消します。`,
    would: '送信予定日時',
    who: '送信されない受信者',
    doNot,
    answered: (number) => counted(number, { other: 'メールサーバーがすでに応答した受信者 # 名については変わりません' }),
    confirm: '送信を取り消す',
    done: 'メールの送信を取り消しました',
  },

  settle: {
    mail: (subject) => `メール「${subject}」`,
    campaign: (template) => `キャンペーン「${template}」`,
    again: (what, whom) => `${what}を${thenWhom(whom)}に再送信`,
    reached: (what, whom) => `${what}が${thenWhom(whom)}に届いたと記録`,
    notReached: (what, whom) => `${what}が${thenWhom(whom)}に届かなかったと記録`,
    againSummary: (what, whom) =>
      `${what}を${thenWhom(whom)}に再送信します。最初のメールが届いたかどうかは分かっていません。`,
    reachedSummary: (what, whom) => `${what}が${thenWhom(whom)}に届いたことを記録します。`,
    notReachedSummary: (what, whom) => `${what}が${thenWhom(whom)}に届かなかったことを記録します。`,
    who: '届いたか不明な受信者',
    said: '申告内容',
    arrived: '届いた',
    notArrived: '届かなかった',
    goesOut,
    goesOutResumed: (number) =>
      counted(number, { other: 'キャンペーンが再開されるとメール # 通が送信され、取り消しはできません' }),
    waits: (_number, from) => `このサーバーの送信上限に達しています。${from} 以降、空きができしだい送信されます`,
    counts: '送信済みとして扱われます',
    doNot: () => '該当する受信者には送信されません',
    twice: {
      title: () => '該当する受信者に同じメールが 2 回届く可能性があります。',
      text: '最初のメールが配信されたかどうかは誰にも分かりません。受信者に問い合わせ、届いていなかった場合にのみ確認してください。',
    },
    confirmAgain: '再送信',
    confirm: '記録',
    sentAgain: '再送信しました',
    doneArrived: '届いたと記録しました',
    doneNotArrived: '届かなかったと記録しました',
  },

  draft: {
    fields,
    spoken: fields,
    called: (subject) => `「${subject}」`,
    to: (addresses) => `${addresses.join('、')} 宛て`,
    noSubject: '件名なし',
    write: '下書きを作成',
    keeps: (called) => `${called}の下書きを保存します。`,
    keep: '下書きを保存',
    kept: '下書きを保存しました',
    undo: '下書きを削除',
    change: (called) => `${called}の下書きを変更`,
    changes: (what, called) => `${called}の下書きを変更します：${what}。`,
    changeConfirm: '下書きを変更',
    changed: '下書きを変更しました',
    changeBack: '変更を元に戻す',
    remove: (called) => `${called}の下書きを削除`,
    removes: (called) => `${called}の下書きを削除します。`,
    gone: '下書きは完全に削除され、元には戻せません',
    removeConfirm: '下書きを削除',
    removed: '下書きを削除しました',
    writeAgain: '下書きを再作成',
    text: '本文',
    textThen: (before) => counted(before, { other: '変更後の本文（変更前は # 文字）' }),
  },
}
