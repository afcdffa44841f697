// A ticket is copied by a language model, so it is short and has one case; it is a secret, so it is random and only
// its hash is stored. Randomness is handed in.
import { sha256 } from '../canonical-json.ts'

export type Random = (bytes: number) => Uint8Array

/** Crockford's base 32 in lower case: no i, l, o, u, so nothing that a model (or a person) confuses. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

function base32(bytes: Uint8Array): string {
  let bits = 0
  let held = 0
  let text = ''
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xffff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet[(held >> bits) & 31]
    }
  }
  return bits === 0 ? text : text + alphabet[(held << (5 - bits)) & 31]
}

/** A new ticket: 128 random bits, 30 characters. */
export const newTicket = (random: Random): string => `cs1_${base32(random(16))}`

/** A new plan id: 80 random bits, 19 characters. Not a secret, but not to be guessed either. */
export const newPlanId = (random: Random): string => `pl_${base32(random(10))}`

/** The id of a plan that follows from something else: from the first 80 bits of this digest. */
export const planIdFrom = (digest: Uint8Array): string => `pl_${base32(digest.subarray(0, 10))}`

/** A new approval id: 80 random bits, 19 characters. */
export const newApprovalId = (random: Random): string => `ap_${base32(random(10))}`

/** A new name of one run of a plan. */
export const newRunId = (random: Random): string => `run_${base32(random(10))}`

/** A new id of a grant: 80 random bits, 19 characters. */
export const newGrantId = (random: Random): string => `gr_${base32(random(10))}`

/** What the store keeps of a ticket. A ticket has 128 bits of its own, so a plain hash cannot be searched. */
export const ticketHash = (ticket: string): string => sha256(ticket)

export type Credential =
  | { readonly kind: 'ticket'; readonly ticket: string }
  | { readonly kind: 'plan'; readonly id: string }
  | { readonly kind: 'approval'; readonly id: string }
  | { readonly kind: 'malformed' }

/** Tells by its form what the `ticket` argument carries. */
export function readCredential(text: string): Credential {
  if (/^cs1_[0-9a-z]{26}$/.test(text)) return { kind: 'ticket', ticket: text }
  if (/^pl_[0-9a-z]{16}$/.test(text)) return { kind: 'plan', id: text }
  if (/^ap_[0-9a-z]{16}$/.test(text)) return { kind: 'approval', id: text }
  return { kind: 'malformed' }
}
