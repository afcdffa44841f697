import { quotation } from '../../../../cards/card-words.ts'
import { pluralsOf } from '../../../languages.ts'
import type { PeopleWords } from '../en/people.ts'

const { counted } = pluralsOf<'other'>('ja')

const fields = {
  name: '名前',
  description: '説明',
  subject: '件名',
  body: '本文',
  variables: '呼び出しで指定する変数',
  fallbacks: '代替テキスト',
}

const quoted = (words: readonly string[]): readonly string[] => words.map((word) => `「${word}」`)

export const people: PeopleWords = {
  contact: {
    fields: { name: '名前', firstName: '名', lastName: '姓', company: '会社名', note: 'メモ' },
    add: (name) => `${name} を連絡先に追加`,
    addSummary: (address, name) => `${address} を${name === null ? '' : ` ${name} として`}連絡先に追加します。`,
    shown: 'メールのカードでは、このアドレスにこの名前が表示されます',
    nobodyTold: '誰にも通知されません',
    addConfirm: '連絡先を追加',
    added: '連絡先を追加しました',
    change: (whom) => `連絡先 ${whom} を変更`,
    changeSummary: (what, whom) => `連絡先 ${whom} を変更します：${what.join('、')}。`,
    arrives: '配信不能の解除',
    notArrives: '配信不能の登録',
    mayGo: 'このアドレスに再びメールを送信できるようになります',
    changeConfirm: '連絡先を変更',
    changed: '連絡先を変更しました',
    changeBack: '変更を元に戻す',
  },

  segment: {
    create: (name) => `セグメント「${name}」を作成`,
    summary: (name, number) =>
      `セグメント「${name}」を作成します。${counted(number, { other: '現在の対象は連絡先 # 件です。' })}`,
    who: '対象の条件',
    everybody: 'すべての連絡先',
    allOf: (conditions) => conditions.join('、かつ'),
    fields: {
      name: '名前',
      first_name: '名',
      last_name: '姓',
      email: 'アドレス',
      domain: 'ドメイン',
      company: '会社名',
      note: 'メモ',
      undeliverable: '配信不能の登録',
    },
    is: (field, value) => `${field}が「${value}」である`,
    isNot: (field, value) => `${field}が「${value}」ではない`,
    contains: (field, value) => `${field}に「${value}」を含む`,
    exists: (field) => `${field}がある`,
    missing: (field) => `${field}がない`,
    withoutFirstName: '「名」の登録なし',
    undeliverable: '配信不能',
    meantNow: '現在の対象',
    noName: '名前なし',
    isRule: 'セグメントの使用時に条件を満たしている連絡先が対象になります。後から追加された連絡先も含まれます',
    noConditions: '条件がないため、すべての連絡先が対象になります。',
    nobody: '現在、この条件を満たす連絡先はありません。',
    confirm: 'セグメントを作成',
    created: (name) => `セグメント「${name}」を作成しました`,
    now: (number) => counted(number, { other: '現在の対象：連絡先 # 件' }),
    id: 'ID',
  },

  template: {
    fields,
    spoken: fields,
    done: fields,
    create: (name) => `テンプレート「${name}」を作成`,
    createSummary: (name, subject) => `件名が「${subject}」のテンプレート「${name}」を作成します。`,
    reads: (name) => `表示例（${name} の場合）`,
    readsNow: (name) => `現在の表示例（${name} の場合）`,
    readsThen: '変更後の表示例',
    noSample: (label) => `${label}：メールを作成できません。`,
    problem: (english) => `詳細（英語）：${quotation('ja', english)}`,
    canBeUsed: '以後、このテンプレートをメールに使用できます',
    createConfirm: 'テンプレートを作成',
    created: (name) => `テンプレート「${name}」を作成しました`,
    id: 'ID',
    without: (variable) => `「${variable}」がない場合`,
    needed: {
      title: (variables) => `${quoted(variables).join('または')}がない受信者にはメールが送信されません。`,
      text: '代替テキストがないためです。スキップされる受信者は、送信前に表示されます。',
    },
    change: (name) => `テンプレート「${name}」を変更`,
    changeSummary: (what, name) => `テンプレート「${name}」を変更します：${what}。`,
    readOtherwise: '今後このテンプレートから作成されるメールの内容が変わります',
    othersStay: '送信済みおよび予約済みのメールは変わりません',
    changeConfirm: 'テンプレートを変更',
    changed: (name) => `テンプレート「${name}」を変更しました`,
    changeBack: (name) => `「${name}」の変更を元に戻す`,
    now: (field) => `現在の${field}`,
    afterwards: (field) => `変更後の${field}`,
  },
}
