// The database must hold what the record redacts: arguments and results. AES-256-GCM seals each value with the row and
// the column in its additional data, so that whoever can write the file can neither read a value nor put one plan's
// confirmed arguments in place of another's.
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync } from 'node:crypto'
import { pooledRandomBytes } from '../pooled-random-bytes.ts'

const FORMAT = 1
const NONCE = 12
const TAG = 16

export type Sealer = ReturnType<typeof createSealer>

/** A sealer for one 32-byte key. */
export const createSealer = (key: Uint8Array) => {
  const sealing = createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'countersign seal 1', 32)))
  /** Tells keys apart without telling anything about them; kept in the database. */
  const check: string = createHmac('sha256', key).update('countersign key check 1').digest('hex').slice(0, 32)
  // JSON keeps the two names apart whatever they contain.
  const place = (row: string, column: string): Buffer => Buffer.from(JSON.stringify([row, column]))

  /** Seals a text for one column of one row. */
  const seal = (row: string, column: string, text: string): Uint8Array => {
    const nonce = pooledRandomBytes(NONCE)
    const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(place(row, column))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([Uint8Array.of(FORMAT), nonce, cipher.getAuthTag(), body])
  }

  /** Opens what `seal` made for the same place; throws where the bytes are not that. */
  const open = (row: string, column: string, sealed: Uint8Array): string => {
    const broken = (cause?: unknown): Error =>
      new Error(`The sealed ${column} of ${row} does not open: it was changed outside of Countersign.`, { cause })
    if (sealed.length < 1 + NONCE + TAG || sealed[0] !== FORMAT) throw broken()
    const decipher = createDecipheriv('aes-256-gcm', sealing, sealed.subarray(1, 1 + NONCE), { authTagLength: TAG })
    decipher.setAAD(place(row, column)).setAuthTag(sealed.subarray(1 + NONCE, 1 + NONCE + TAG))
    try {
      return Buffer.concat([decipher.update(sealed.subarray(1 + NONCE + TAG)), decipher.final()]).toString('utf8')
    } catch (error) {
      throw broken(error)
    }
  }

  /**
   * A 32-byte key for another purpose, the same in every process that has this one. No purpose can be named so that it
   * gets the key that seals.
   */
  const derive = (purpose: string): Uint8Array =>
    new Uint8Array(hkdfSync('sha256', key, '', `countersign for: ${purpose}`, 32))

  return { seal, open, derive, check }
}
