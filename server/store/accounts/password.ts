// Passwords are kept so that who reads the database learns nothing cheaply: scrypt (RFC 7914) with a salt of its own, and
// its parameters beside it, so that they can grow and an old hash is made anew at the next right password.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

export interface PasswordCost {
  /** Power of two: how much memory, 128 · 2^n · r bytes. */
  readonly n: number
  readonly r: number
  readonly p: number
}

/** 32 MB and three rounds: as strong as 128 MB and one (OWASP Password Storage), and bearable when several sign in. */
export const passwordCost: PasswordCost = { n: 15, r: 8, p: 3 }

const LENGTH = 32
const stored = /^scrypt\$n=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/

/** The same text typed on two keyboards is one password (NIST SP 800-63B-4, section 3.1.1.2). */
const bytesOf = (password: string): Buffer => Buffer.from(password.normalize('NFKC'))

const derive = (password: string, salt: Uint8Array, { n, r, p }: PasswordCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const N = 2 ** n
    scrypt(bytesOf(password), salt, LENGTH, { N, r, p, maxmem: 128 * N * r * 2 }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })

/** A new hash, as it is stored. */
export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, cost)
  const { n, r, p } = cost
  return `scrypt$n=${n},r=${r},p=${p}$${salt.toString('base64url')}$${key.toString('base64url')}`
}

/** Nobody's password: compared where there is no account, so that the answer takes as long as for a wrong one. */
const nobodys = ({ n, r, p }: PasswordCost): string => `scrypt$n=${n},r=${r},p=${p}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/**
 * Whether this is the password, and whether its hash should be made anew. Without a stored hash it takes as long and
 * answers no.
 */
export async function checkPassword(
  password: string,
  hash: string | undefined,
  cost: PasswordCost = passwordCost,
): Promise<{ readonly right: boolean; readonly outgrown: boolean }> {
  const found = stored.exec(hash ?? nobodys(cost))
  if (found === null) throw new Error('A stored password was changed outside of Countersign.')
  const had = { n: Number(found[1]), r: Number(found[2]), p: Number(found[3]) }
  const key = await derive(password, Buffer.from(found[4] ?? '', 'base64url'), had)
  const right = timingSafeEqual(key, Buffer.from(found[5] ?? '', 'base64url')) && hash !== undefined
  const work = (of: PasswordCost): number => 2 ** of.n * of.r * of.p
  return { right, outgrown: had.n < cost.n || work(had) < work(cost) }
}

/** What a password must be, or why this one is none. Length is what counts (NIST SP 800-63B-4, section 3.1.1.2). */
export function weakness(password: string, name: string): string | undefined {
  const characters = Array.from(password.normalize('NFKC')).length
  if (characters < 12) return `It has ${characters} characters; 12 are needed.`
  if (characters > 200) return `It has ${characters} characters; at most 200 are read.`
  if (/^(.{1,4}?)\1+$/u.test(password)) return 'It repeats one short piece.'
  const plain = password.toLowerCase().replaceAll(/[^\p{L}]/gu, '')
  const own = name.toLowerCase().replaceAll(/[^\p{L}]/gu, '')
  if (plain !== '' && [own, 'password', 'countersign', 'passwort', 'qwertyuiop'].includes(plain))
    return 'It is a name or a word that is guessed first.'
  return undefined
}

/** A password for somebody who shall not think of one: 100 bits, without letters that look alike. */
export function makePassword(): string {
  const letters = '0123456789abcdefghjkmnpqrstvwxyz'
  const signs = [...randomBytes(20)].map((byte) => letters[byte % 32] ?? 'a')
  return [0, 5, 10, 15].map((at) => signs.slice(at, at + 5).join('')).join('-')
}
