// Descriptions in Chinese, Japanese and Korean. What acts in one raises, as it does in English. One makes a read only of a tool
// whose name says nothing else, and only where it is one clause that reads, with no word beside it that acts or joins.
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
  /^(?:获取|查询|搜索|检索|查看|列出|读取|返回|查找|计算)|(?:取得|検索|表示|参照|確認|조회|검색|확인)[\p{sc=Hira}\p{sc=Hang}]*[。.]?$/u

/** What takes, sets going or changes, beside the above: enough to be no plain read, and too vague to be said of a card. */
const mayAct =
  /锁|启动|启用|停止|停用|重启|禁用|关闭|打开|保存|写|覆盖|替换|重置|恢复|回滚|取消|提交|合并|分配|绑定|邀请|撤|签|部署|安装|卸载|同步|导入|上架|下架|下单|购买|抢购|订阅|预订|预约|转移|标记|归档|通知|回复|评论|点赞|关注|收藏|登录|注册|调用|触发|控制|操作|管理|处理|领取|兑换|提醒|备份|迁移|上报|下载|打印|拨打|呼叫|缴费|充值|提现|挂号|报名|申请|审核|发起|点击|書|停止|開始|起動|有効|無効|予約|購入|注文|同期|通知|招待|解除|公開|저장|시작|중지|취소|예약|구매|주문|동기|알림|초대|공개/u

/** What joins a second clause: "and", "then", the ending of a verb that goes on. A second reading is none. */
const joining = /[并並且](?!且?(?:返回|获取|查询|搜索|检索))|然后|之后|随后|後に|하고|하여|해서|한 후|し、|して(?!い)/u

/** A word of Chinese that reads, or that works something out of what it is given. */
const worksOut =
  /(?:获取|查询|搜索|检索|查看|返回|查找|计算|规划|测量|定位|推荐|预报|翻译|识别|预测|转换为|编码)(?!条件|结果|参数|语句|请求)/u

/** In characters. */
const readLength = 300
/** A longer description says more than that it reads. */
const longestRead = 120

/** The words with which a description in one of these languages reads, and does nothing else. */
export function readsElsewhere(text: string): string | undefined {
  if (text.length > longestRead || mayAct.test(text) || joining.test(text)) return undefined
  if (acting.some(([, words]) => words.test(text))) return undefined
  return [reading, worksOut].map((each) => each.exec(text.trim())?.[0]).find((found) => found !== undefined)
}

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
