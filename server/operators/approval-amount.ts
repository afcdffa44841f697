// How much a call moves stands on the card that the approver reads, in the totals of its lines, and nowhere else that
// every tool has. Who may decide up to an amount is measured by what they see.
import { z } from 'zod'
import type { Money } from '../model/operators.ts'
import { largestAmount } from '../policy/may-approve.ts'

const money = z.object({ kind: z.literal('money'), amount: z.string(), currency: z.string() })
const block = z.object({ kind: z.enum(['lines', 'table']), totals: z.array(z.object({ value: z.unknown() })) })
const card = z.object({ blocks: z.array(z.unknown()) })

/** The largest total of an approval's card; `undefined` where it has none, or they are in several currencies. */
export function amountOf(text: string): Money | undefined {
  const parsed = card.safeParse(JSON.parse(text))
  if (!parsed.success) return undefined
  const totals = parsed.data.blocks.flatMap((each) => {
    const found = block.safeParse(each)
    return found.success ? found.data.totals : []
  })
  return largestAmount(
    totals.flatMap(({ value }) => {
      const found = money.safeParse(value)
      return found.success ? [{ value: found.data.amount, currency: found.data.currency }] : []
    }),
  )
}
