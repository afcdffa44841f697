// Descriptions in Chinese, Japanese and Korean. What acts in one raises, as it does in English; nothing in them makes a read,
// because without the grammar of a language a word that reads may stand beside one that nobody here knows.
import { verbClass, type FoundVerb } from './verbs.ts'

const acting: readonly (readonly [like: string, words: RegExp])[] = [
  ['delete', /削除|删除|刪除|移除|清空|삭제|제거/],
  ['send', /送信|投稿|返信|发送|發送|发布|推送|전송|발송/],
  ['pay', /支払|送金|支付|付款|转账|退款|결제|송금/],
  ['grant', /承認|許可|授权|批准|审批|승인|허용/],
  ['update', /更新|変更|編集|設定|既読|修改|编辑|设置|已读|수정|변경|설정/],
  ['move', /移動|移动|重命名|이동/],
  ['execute', /実行|执行|运行|실행/],
  ['create', /作成|追加|登録|创建|新建|新增|添加|上传|生成|생성|추가|등록|업로드/],
]

/** A sentence that reads: Chinese begins with its verb, Japanese and Korean end with it. */
const reading =
  /^(?:获取|查询|搜索|检索|查看|列出|读取|返回|查找)|(?:取得|検索|表示|参照|確認|조회|검색|확인)[\p{sc=Hira}\p{sc=Hang}]*[。.]?$/u

/** In characters. */
const readLength = 300

/** What the first sentence does, where it stands in one of these languages and does not read. */
export function actsElsewhere(text: string): FoundVerb | undefined {
  const [first = ''] = text.slice(0, readLength).split(/(?<=[。!?！？])|\n/)
  if (!/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(first) || reading.test(first.trim())) return undefined
  for (const [like, words] of acting) {
    const word = words.exec(first)?.[0]
    const kind = word === undefined ? undefined : verbClass(like)
    if (kind !== undefined && word !== undefined) return { ...kind, verb: word }
  }
  return undefined
}
