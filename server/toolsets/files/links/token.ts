// The address of a link can be answered again without being kept: its token is made from the link's id by a key that never
// leaves the server, and the database has only the token's hash.
import { createHash, createHmac } from 'node:crypto'

/** Path of downloads at the web door. */
export const downloadPath = '/d'

export const tokenOf = (key: Uint8Array, linkId: string): string =>
  createHmac('sha256', key).update(linkId).digest('base64url')

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
