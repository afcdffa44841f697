// Where the name of a secret begins and ends in a text, when a part of it was found: `DB_PASSWORD`, "verification code",
// "código de acceso".
import { isSecretName } from './secret-names.ts'

const longestName = 80
const inName = /[\p{L}\p{M}\p{N}_.-]/u
/** Scripts without blanks between words. */
export const unspaced = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/

/** The whole name around a stem that was found. */
export function nameAround(shown: string, from: number, to: number): readonly [number, number] {
  if (unspaced.test(shown[from] ?? '')) return [from, to]
  let [start, end] = [from, to]
  while (start > 0 && from - start < longestName && inName.test(shown[start - 1] ?? '')) start--
  while (end < shown.length && end - to < longestName && inName.test(shown[end] ?? '')) end++
  while (end > to && /[.-]/.test(shown[end - 1] ?? '')) end--
  return [start, end]
}

/** A name with up to two words before it: "API key", "verification code". */
export function wordsBefore(shown: string, start: number, name: string): string {
  const before = /(?:[\p{L}\d-]{2,20} ){1,2}$/u.exec(shown.slice(Math.max(0, start - 42), start))?.[0] ?? ''
  return `${before}${name}`
}

/** Where a name with words behind it ends: "clave secreta", "código de acceso". */
export function wordsAfter(shown: string, end: number, name: string): number {
  if (
    !/^(?:cl[ée]|clave|chiave|chave|jeton|c[oó]dig?[eo]|codice|code|kod|код|كلمة|ключ|секретный|приватный|geheime[rn]?|private[rn]?)$/i.test(
      name,
    )
  )
    return end
  for (const words of [3, 2, 1]) {
    const next = new RegExp(String.raw`^(?: [\p{L}'’]{1,20}){${words}}`, 'u').exec(shown.slice(end, end + 64))?.[0]
    if (next !== undefined && isSecretName(`${name}${next.replace(/['’]/g, ' ')}`)) return end + next.length
  }
  return end
}
