// Whoever guesses passwords must run out of tries, and nobody must be locked out of their account by somebody else's
// guessing. So tries are counted in windows of fixed length, which no further try prolongs; by name and by address for
// strangers; and on a count of its own for a browser in which that person has signed in before.
import { createHmac } from 'node:crypto'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { epoch } from '../plan-row.ts'
import type { Sealer } from '../seal.ts'
import type { Tables } from '../tables.ts'

/** Who tries: the address, the name, and the account whose browser it is known to be. */
interface Guesser {
  readonly name: string
  readonly address: string
  /** Set where this browser is known as that person's. */
  readonly device?: string | undefined
}

type GuessVerdict =
  | { readonly kind: 'go' }
  | {
      readonly kind: 'paused'
      /** Epoch milliseconds. */
      readonly until: number
      /** Whether the pause begins with this try: that is worth a line in the record, and the rest of a flood is not. */
      readonly begins: boolean
    }

export interface GuessTable {
  /** A name, an address (twice: what it tries, and what is on record of it) or a device, as a keyed hash. */
  readonly key: string
  readonly tries: number
  /** When counting begins anew. */
  readonly until: number
}

const WINDOW_MS = 15 * 60 * 1000
const MOST = { name: 10, address: 50, device: 10, lines: 10 } as const

const counted = z.object({ tries: z.union([z.int(), z.string().transform(Number)]), until: epoch })

export type Guesses = ReturnType<typeof createGuesses>

/** Failed sign-ins on one database. */
export const createGuesses = (db: Kysely<Tables>, sealer: Pick<Sealer, 'derive'>, now: () => number) => {
  const secret = sealer.derive('failed sign-ins')
  const keyOf = (kind: string, text: string): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify([kind, text]))
      .digest('hex')

  const buckets = ({ name, address, device }: Guesser): readonly (readonly [key: string, most: number])[] =>
    device === undefined
      ? [
          [keyOf('name', name), MOST.name],
          [keyOf('address', network(address)), MOST.address],
        ]
      : [[keyOf('device', device), MOST.device]]

  const count = async (trx: Kysely<Tables>, key: string, at: number): Promise<z.output<typeof counted>> =>
    counted.parse(
      await trx
        .insertInto('countersign_guesses')
        .values({ key, tries: 1, until: at + WINDOW_MS })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet((is) => ({
            tries: is
              .case()
              .when('countersign_guesses.until', '<=', at)
              .then(1)
              .else(is('countersign_guesses.tries', '+', 1))
              .end(),
            until: is
              .case()
              .when('countersign_guesses.until', '<=', at)
              .then(at + WINDOW_MS)
              .else(is.ref('countersign_guesses.until'))
              .end(),
          })),
        )
        .returning(['tries', 'until'])
        .executeTakeFirstOrThrow(),
    )

  /** Counts a try before it is looked at: of a hundred at the same instant no more get through than one by one. */
  const begin = async (guesser: Guesser): Promise<GuessVerdict> =>
    await db.transaction().execute(async (trx): Promise<GuessVerdict> => {
      const at = now()
      let until = 0
      let begins = false
      // In one order, or two that meet would wait for each other for ever.
      for (const [key, most] of buckets(guesser).toSorted(([one], [two]) => (one < two ? -1 : 1))) {
        const bucket = await count(trx, key, at)
        if (bucket.tries > most) until = Math.max(until, bucket.until)
        if (bucket.tries === most + 1) begins = true
      }
      return until > 0 ? { kind: 'paused', until, begins } : { kind: 'go' }
    })

  /** It was right: the try does not count. */
  const right = async (guesser: Guesser): Promise<void> => {
    for (const [key] of buckets(guesser))
      await db
        .updateTable('countersign_guesses')
        .set((is) => ({ tries: is('tries', '-', 1) }))
        .where('key', '=', key)
        .where('tries', '>', 0)
        .execute()
  }

  /**
   * Counts what was refused of an address and pauses nobody. Answers whether it is worth a line in the record: the first
   * ones of a quarter of an hour are, the last of them says that more will not be.
   */
  const refused = async (address: string): Promise<'line' | 'last line' | 'no line'> => {
    const { tries } = await count(db, keyOf('refused', network(address)), now())
    return tries < MOST.lines ? 'line' : tries === MOST.lines ? 'last line' : 'no line'
  }

  return { begin, right, refused }
}

/** An IPv6 customer has a whole /64 of addresses to try from; an IPv4 address in IPv6 clothes is what it is. */
export function network(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%[^]*/, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0')
  return [...groups, ...zeros, ...rest]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
