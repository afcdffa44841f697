// What goes with a mail: found for whoever may read it, and searched for secrets where it is text, because the file that must
// not leave is more often attached than written out.
import { cardLimits } from '../../../cards/limits.ts'
import type { Principal } from '../../../model/principal.ts'
import type { FileSource, SourceFile } from '../../file-source.ts'
import { textOf } from '../../files/contents/content-type.ts'
import type { Drawn } from '../../pictures/picture.ts'
import { isPictured, pictureOf } from '../../pictures/pictures.ts'
import type { ToolsetParts } from '../../toolset.ts'
import type { Email } from '../queries.ts'
import type { PlacedSecret } from '../policy.ts'
import type { Attached } from './input.ts'

const isText = /^text\/|^application\/(?:json|xml|yaml|x-yaml|toml|javascript|x-sh|sql)$|\+(?:json|xml)$/

/** Bytes of a file that are searched. */
const searched = 256_000

/** The file of this id, with the secrets in it; without `file` where this principal has none. */
export async function findAttachment(
  { files, secretsIn, redact }: Pick<ToolsetParts, 'files' | 'secretsIn' | 'redact'>,
  principal: Principal,
  id: string,
): Promise<Attached> {
  const file = await files()?.find(principal, id)
  if (file === undefined) return { id, file }
  const secrets = secretsIn(fileName(file)).map(({ what }): PlacedSecret => ({ what, where: { at: 'file-name' } }))
  if (!isText.test(file.type)) return { id, file, secrets }
  const content = await files()?.read(principal, file)
  // Gone or changed in this moment: whoever sends it finds that out.
  if (content?.ok !== true) return { id, file, secrets }
  const text = textOf(content.value.subarray(0, searched))
  return {
    id,
    file,
    secrets: [
      ...secrets,
      ...secretsIn(text).map(({ what, line }): PlacedSecret => ({
        what,
        where: { at: 'file-line', line, file: redact(fileName(file)) },
      })),
    ],
  }
}

/** What attachments look like, by their ids, as many as a card has room for. */
export async function looksOf(
  files: FileSource | undefined,
  principal: Principal,
  attached: readonly SourceFile[],
): Promise<ReadonlyMap<string, Drawn>> {
  if (files === undefined) return new Map()
  const looks = attached
    .filter(({ type }) => isPictured(type))
    .slice(0, cardLimits.pictures)
    .map(async (file) => {
      const drawn = await pictureOf({ ...file, read: () => files.read(principal, file) }, principal)
      return drawn === undefined ? [] : [[file.id, drawn] as const]
    })
  return new Map((await Promise.all(looks)).flat())
}

/** The attachments as they were confirmed, or why that cannot be. */
export async function readAttachments(files: FileSource | undefined, email: Email) {
  const principal: Principal = { tenant: email.tenant, subject: email.created_by }
  const contents: { readonly name: string; readonly type: string; readonly content: Uint8Array }[] = []
  for (const file of email.files) {
    const content = await files?.read(principal, file)
    if (content?.ok !== true)
      return content?.failure === 'changed'
        ? `The attachment ${file.name} is not any more what was confirmed.`
        : `The attachment ${file.name} is not there any more.`
    contents.push({ name: fileName(file), type: file.type, content: content.value })
  }
  return contents
}

/** The last part of a name, without what hides or what systems obey. */
export const fileName = ({ name }: Pick<SourceFile, 'name'>): string =>
  name
    .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*]/gu, '_')
    .replace(/^\.+/, '')
    .slice(0, 200) || 'attachment'
