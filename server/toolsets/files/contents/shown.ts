// What a stored content looks like, for the cards on which a person judges it.
import type { Principal } from '../../../model/principal.ts'
import type { Drawn } from '../../pictures/picture.ts'
import { pictureOf } from '../../pictures/pictures.ts'
import { wholeOf, type Content } from './content.ts'
import type { Storage } from './storage.ts'

/** Its picture; `undefined` of what nobody expects to see. */
export const lookOf = (
  storage: Storage,
  content: Content & { readonly type: string },
  principal: Principal,
): Promise<Drawn | undefined> => pictureOf({ ...content, read: () => wholeOf(storage, content) }, principal)
