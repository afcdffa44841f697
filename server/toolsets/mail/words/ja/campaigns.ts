import { quotation } from '../../../../cards/card-words.ts'
import { listing, pluralsOf } from '../../../languages.ts'
import { spokenNumber } from '../../../say.ts'
import type { RenderTrouble } from '../../templates/template.ts'
import type { CampaignWords } from '../en/campaigns.ts'

const { counted } = pluralsOf<'other'>('ja')

const listed = listing('ja')
const recipients = (number: number): string => counted(number, { other: '受信者 # 名' })
const mails = (number: number): string => counted(number, { other: 'メール # 通' })

const variables: Readonly<Record<string, string>> = {
  first_name: '名',
  last_name: '姓',
  name: '名前',
  email: 'メールアドレス',
  company: '会社名',
}
const variable = (name: string): string =>
  (Object.hasOwn(variables, name) ? variables[name] : undefined) ?? name.replaceAll('_', ' ')
const quoted = (name: string): string => `「${variable(name)}」`

function trouble({ field, ...what }: RenderTrouble): string {
  const of = field === 'subject' ? '件名' : '本文'
  switch (what.kind) {
    case 'empty':
      return `${of}が空です。`
    case 'too-long':
      return `${of}が ${what.length} 文字あります。上限は ${what.most} 文字です。`
    case 'unreadable':
    case 'error':
      return `${of}を生成できません。詳細（英語）：${quotation('ja', what.english)}`
    default:
      return what satisfies never
  }
}

const because = {
  mail_server_unreachable: 'メールサーバーに接続できません',
  mail_server_defers: 'メールサーバーが一時的に受け付けていません',
  mail_server_refuses_us: 'メールサーバーがこのサーバーを拒否しています',
  mail_server_refuses_all: 'メールサーバーがすべての受信者を拒否しています',
  template_unreadable: 'テンプレートを読み取れません',
  quota_used_up: 'このサーバーの送信上限に達しています',
}

export const campaigns: CampaignWords = {
  variable,
  reasons: {
    undeliverable: (why) => `アドレスが配信不能として登録されています：${quotation('ja', why)}`,
    missing: (names) => `${names.map(quoted).join('と')}がなく、代替テキストもありません。`,
    trouble,
  },

  bulk: {
    title: (number) => `${recipients(number)}にメールを送信`,
    summary: ({ template, number, segment }) =>
      `セグメント「${segment}」の${recipients(number)}に、テンプレート「${template}」を送信します。`,
    summaryLater: ({ template, number, segment }) =>
      `セグメント「${segment}」の${recipients(number)}への、テンプレート「${template}」の送信を予約します。`,
    template: 'テンプレート',
    segment: 'セグメント',
    inSegment: 'セグメント内',
    getIt: '送信対象',
    skipped: 'スキップ',
    begins: '送信開始',
    takes: '所要時間（目安）',
    everybody: 'セグメント内の全員',
    rest: '全員の一覧は `segments_preview` で確認できます。',
    reads: (whom) => `${whom} に届く内容`,
    source: 'テンプレート：メールによって使われる部分が異なります',
    who: '受信者',
    sentNow: (number) => counted(number, { other: '外部へのメール # 通が送信され、取り消しはできません' }),
    sentLater: (number) =>
      counted(number, {
        other: '外部へのメール # 通が指定の日時から送信されます。それまではキャンペーンを中止できます',
      }),
    goTo: ({ domains, outside }) => {
      if (domains === 1) return `送信先は${outside === 1 ? '外部の' : ''}ドメイン 1 件です`
      const all = counted(domains, { other: '送信先はドメイン # 件で、' })
      if (outside === domains) return `${all}すべて外部です`
      return outside === 0 ? `${all}外部のものはありません` : `${all}うち ${spokenNumber(outside)} 件が外部です`
    },
    getNothing: (number) => counted(number, { other: 'セグメントの連絡先 # 件には何も送信されません' }),
    countsForQuota: (number) => counted(number, { other: '受信者 # 名がこのサーバーの送信上限に算入されます' }),
    canBeStopped: 'キャンペーンは送信中でも一時停止や中止ができますが、送信済みのメールは取り消せません',
    confirm: (number) => `${mails(number)}を送信`,
    confirmLater: (number) => `${mails(number)}の送信を予約`,
    skippedAll: (all) => `スキップ：${spokenNumber(all)} 件`,
    skippedSome: (all, named) => `スキップ：${spokenNumber(all)} 件（うち ${named} 件を表示）`,
    contact: '連絡先',
    why: '理由',
    gets: '受け取る内容',
    nothing: (reason) => `なし。${reason}`,
    theMail: 'メール',
    withFallbacks: (names) => `メール（代替テキストを使用：${listed(names.map(variable))}）`,
    noMail: (whom) => `${whom} にはメールが送信されません。`,
    cannotRender: '内容を生成できません。',
    absent: (number, name) => `${recipients(number)}に${quoted(name)}がありません。メールはそのまま送信されます。`,
    absentReplaced: (number, name, fallback) =>
      `${recipients(number)}に${quoted(name)}がないため、代替テキスト「${fallback}」を使用します。`,
    notGiven: (name, fallback) =>
      `呼び出しに${quoted(name)}の指定がないため、すべてのメールで代替テキスト「${fallback}」を使用します。`,
    undeliverable: (number) =>
      counted(number, { other: 'メールアドレス # 件は、配信不能として登録されているためスキップされます。' }),
    leftOut: (number, reason) => `${recipients(number)}がスキップされます：${reason}`,
    misnamed: {
      title: (number) => counted(number, { other: '受信者 # 名の名前が、別のアドレスのように見えます。' }),
      text: (name, address) => `名前が「${name}」の受信者へのメールは、${address} に送信されます。`,
    },
    empty: {
      title: (segment) => `現在、セグメント「${segment}」には誰も含まれていません。`,
      text: '別のセグメントを選んでください。セグメントの対象は segments_preview で確認できます。',
    },
    nobody: (segment) => `「${segment}」には、このメールを送信できる相手がいません。`,
    allUndeliverable: '配信不能として登録されているアドレスがあります。',
    accepted: (accepted, number) => `${mails(number)}中 ${spokenNumber(accepted)} 通をメールサーバーが受け付けました`,
    campaign: 'キャンペーン',
  },

  progress: {
    titles: {
      scheduled: 'キャンペーンは予約済みです',
      sending: 'キャンペーンを送信中です',
      paused: 'キャンペーンは一時停止中です',
      stopped: 'キャンペーンを中止しました',
      finished: 'キャンペーンの送信が完了しました',
    },
    nobody: 'キャンペーンは誰にも届きませんでした',
    stop: '中止',
    pause: '一時停止',
    resume: '再開',
    done: '処理済みのメール',
    accepted: 'メールサーバー受付済み',
    deferred: '後で再試行',
    refused: '拒否',
    unknown: '届いたか不明',
    skipped: 'スキップ',
    stopped: '中止により未送信',
    rests: '現在、送信は行われていません。',
    because: (code, said) =>
      code === undefined ? quotation('ja', said) : `${because[code]}：${quotation('ja', said)}`,
  },

  halt: {
    confirmed: '確認日時',
    mails: 'メール数',
    left: '送信待ち',
    mayHave: '届いた可能性あり',
    because: '送信停止の理由',
    atServer: (number) => `メールサーバーに送信中 ${spokenNumber(number)} 通`,
    pause: (template) => `キャンペーン「${template}」を一時停止`,
    pauseSummary: ({ template, segment, left }) =>
      `「${segment}」へのキャンペーン「${template}」を一時停止します。${counted(left, { other: '送信待ちのメールは # 通です。' })}`,
    noMore: '再開するまで、これ以上メールは送信されません',
    fewDo: '現在メールサーバーに送信中の数通は、そのまま送信されます',
    pauseConfirm: 'キャンペーンを一時停止',
    accepted: (accepted, number) => `${mails(number)}中 ${spokenNumber(accepted)} 通が受付済み`,
    undoPause: 'キャンペーンを再開',
    resume: (template) => `キャンペーン「${template}」の残りを送信`,
    resumeSummary: ({ template, segment, left }) =>
      `キャンペーン「${template}」を再開し、「${segment}」に${mails(left)}を送信します。`,
    goOut: (number) => counted(number, { other: 'メール # 通が送信され、取り消しはできません' }),
    notTwice: '同じ受信者に 2 回送信されることはありません',
    tookNothing: {
      title: 'メールサーバーは、ここからのメールを一切受け付けませんでした。',
      text: (said) => `応答：${quotation('ja', said)}`,
    },
    resumeConfirm: 'キャンペーンを再開',
    resumed: 'キャンペーンを再開しました',
    toGo: (number) => counted(number, { other: 'メールは残り # 通です' }),
    stop: (template) => `キャンペーン「${template}」を中止`,
    stopSummary: (about) =>
      `「${about.segment}」へのキャンペーン「${about.template}」を中止します：${spokenNumber(about.number)} 通中 ${spokenNumber(about.accepted)} 通は送信済みで、${spokenNumber(about.left)} 通は送信されません。`,
    staySent: (number) => counted(number, { other: 'これまでに送信されたメール # 通は取り消されません' }),
    mayHaveGot: (number) => counted(number, { other: '受信者 # 名には、確認できないまま届いている可能性があります' }),
    goesOn: {
      title: '確認するまでキャンペーンは続きます。',
      text: '確認の時点では、カードの表示より多くのメールが送信されています。',
    },
    stopConfirm: 'キャンペーンを中止',
    sent: (number) => `送信済み ${spokenNumber(number)} 通`,
    refused: (number) => `拒否 ${spokenNumber(number)} 通`,
    unknown: (number) => `不明 ${spokenNumber(number)} 通`,
    notSent: (number) => `未送信 ${spokenNumber(number)} 通`,
  },
}
