import type { FoundSecret } from '../../../../model/found-secret.ts'
import { pluralsOf } from '../../../languages.ts'
import { spokenNumber } from '../../../say.ts'
import type { Script } from '../../addresses/domains.ts'
import type { SecretPlace } from '../../policy.ts'
import type { Span } from '../../quota.ts'
import type { RulesWords } from '../en/rules.ts'

const { counted } = pluralsOf<'other'>('ja')

const within = { hour: '1 時間あたり', day: '1 日あたり' }

const duration = (span: Span | undefined): string =>
  span === undefined
    ? '1 分未満'
    : counted(
        span.number,
        { minutes: { other: '# 分' }, hours: { other: '# 時間' }, days: { other: '# 日' } }[span.unit],
      )

const secrets: Readonly<Record<FoundSecret['what'], string>> = {
  'a payment card number': 'カード番号',
  'a password': 'パスワード',
  'a private key': '秘密鍵',
  'a key, token or password': 'キー・トークン・パスワードのいずれか',
}

function place(where: SecretPlace): string {
  switch (where.at) {
    case 'subject':
      return '件名'
    case 'line':
      return `本文 ${where.line} 行目`
    case 'name':
      return `${where.whom} の名前`
    case 'reply-to':
      return '返信先アドレス'
    case 'file-name':
      return '添付ファイルの名前'
    case 'file-line':
      return `${where.file} の ${where.line} 行目`
    case 'template-subject':
      return 'テンプレートの件名'
    case 'template-line':
      return `テンプレートの ${where.line} 行目`
    case 'value':
      return `変数「${where.name}」`
    default:
      return where satisfies never
  }
}

const scripts: Readonly<Record<Script, string>> = {
  Latin: 'ラテン文字',
  Cyrillic: 'キリル文字',
  Greek: 'ギリシャ文字',
  Armenian: 'アルメニア文字',
  Hebrew: 'ヘブライ文字',
  Arabic: 'アラビア文字',
  Georgian: 'ジョージア文字',
  Cherokee: 'チェロキー文字',
  Thai: 'タイ文字',
  Devanagari: 'デーヴァナーガリー文字',
  Han: '漢字',
  Hiragana: 'ひらがな',
  Katakana: 'カタカナ',
  Hangul: 'ハングル',
}

export const rules: RulesWords = {
  secret: (what, where) => `${secrets[what]}（${place(where)}）`,
  hasSecrets: {
    title: (found) => `メールに次の機密情報が含まれています：${found}。`,
    text: '受信した人は誰でもそれを使えます。',
  },
  deceits: {
    looksLike: (domain, meant) => `${domain} は ${meant} に似ていますが、別のドメインです。`,
    mixes: (shown, found) => `${shown} には${found.map((each) => scripts[each]).join('と')}が混在しています。`,
    foreign: (shown, script, latin) =>
      `${shown} には、「${latin}」のように見える${script === undefined ? '別の文字体系の文字' : scripts[script]}が使われています。`,
    name: (name, shown) => `名前「${name}」はアドレスのように見えますが、メールは ${shown} に送信されます。`,
    link: (text, host) => `リンク「${text}」のリンク先は ${host} です。`,
    beforeHost: (url, host) => `リンク ${url} のリンク先は ${host} です。「@」より前の部分はホスト名ではありません。`,
    more: (number) => `他に ${number} 件のリンクまたはアドレスが、見た目とは異なる先につながります。`,
  },

  policy: {
    // A number, or domains: neither may end with a counter.
    allow: (most) => `このサーバーの運用者が許可している範囲：${most}。`,
    tooMany: (number) => counted(number, { other: '受信者 # 名は、メール 1 通の上限を超えています。' }),
    tooManyForCampaign: (number) =>
      counted(number, { other: '受信者 # 名は、キャンペーン 1 件の上限を超えています。' }),
    attachments: {
      title: (size) => `添付ファイルは合計 ${size} です。`,
      text: (most) =>
        `このサーバーの運用者が許可している上限は ${most} です。代わりにダウンロードリンクを送信してください。`,
    },
    secrets: '機密情報は、このサーバーからメールで送信できません。メールから削除し、別の方法で伝えてください。',
    noMailTo: (domains) => `次のドメインにはメールを送信できません：${domains}。`,
    blocked: () => 'このサーバーの運用者が、該当するドメインへの送信を禁止しています。',
    noDomain: 'ドメインなし',
    there: (number) =>
      counted(number, {
        other:
          'このキャンペーンでは受信者 # 名のアドレスが該当します。該当する受信者を含まないセグメントを選んでください。',
      }),
  },

  quota: {
    never: (number, period) =>
      `${counted(number, { other: '受信者 # 名' })}は、${within[period]}の送信上限を超えるため、一度に送信できません。`,
    fewer: (most) => `このサーバーの運用者が許可している上限は ${most} 名です。受信者を減らして送信してください。`,
    over: (number, period) =>
      `${within[period]}の受信者が${counted(number, { other: ' # 名' })}となり、送信上限を超えます。`,
    later: (most, from) =>
      `このサーバーの運用者が許可している上限は ${most} 名です。${from} 以降に空きができるため、送信日時（sendAt）をそれ以降に指定してください。`,
    slow: {
      title: (number, days) =>
        `このサーバーの送信上限では、${counted(number, { other: 'メール # 通' })}の送信に${counted(days, { other: '約 # 日' })}かかります。`,
      text: (most, period) =>
        `運用者が許可している上限は、${within[period]} ${most} 名で、キャンペーンの期間は最長 1 週間です。より小さいセグメントを選ぶか、運用者に上限の引き上げを依頼してください。`,
    },
    limits: (quotas) => quotas.map((each) => `${within[each.within]} ${spokenNumber(each.most)} 名`).join('、'),
    duration,
    paced: (limits, span) =>
      `このサーバーの送信上限（${limits}）に従って、メールは少しずつ送信されます。最後の送信は、最初の送信${span === undefined ? 'から 1 分以内' : `の約 ${duration(span)}後`}です`,
  },
}
