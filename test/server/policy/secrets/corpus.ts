// Everyday texts with secrets in them, and as many that only look like it. The files hold no secret: what stands for one
// is made up here, so that no scanner of repositories takes them for real ones. One part was tuned on, sample by sample;
// the others were written without a look at the rules, measured, and are counted (`npm run bench -- secrets`); rules were
// generalised on all of them since but on `untouched`. Whoever mends for that one needs a new part that says how good the
// rules are.
import { readFileSync } from 'node:fs'
import { redact, redacted } from '../../../../server/policy/redact.ts'

export interface Sample {
  /** The text, or the JSON value that the line is. */
  readonly value: unknown
  /** What nobody may find; empty in a harmless one. */
  readonly secrets: readonly string[]
  readonly line: string
}

const alphabets: Readonly<Record<string, string>> = {
  a: 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zC',
  A: 'A3BD5EGH7JK2MNPQ4RSTU6VWXYZ',
  b: 'aB3dE5+H7jK9mN1pQ2r/4tU6vW8xY0zC',
  d: '4719283605',
  h: '0a1b2c3d4e5f6789',
  l: 'abcdEFghijKLmnopQRstuvWXyz',
  x: 'a3b5c7d9e1f2g4h6j8k0mnpqrstvwxyz',
}

/** `{a36}` as 36 letters and figures, not the same in two places. */
function made(line: string): string {
  let count = 0
  return line.replace(/\{([aAbdhlx])(\d{1,3})\}/g, (_, kind: string, length: string) => {
    const letters = alphabets[kind] ?? ''
    count += 1
    return Array.from(
      { length: Number(length) },
      (__, at) => letters[(at * 7 + count * 5 + Math.floor(at / 5)) % letters.length],
    ).join('')
  })
}

/** Without the marks of a secret; ⟪ and ⟫ are quotation marks of the text itself. */
const bare = (text: string): string => text.replace(/[«»]/g, '').replaceAll('⟪', '«').replaceAll('⟫', '»')

/** A line that begins with a backslash is a text as it stands; `¦` is nothing. */
function sampleOf(line: string): Sample {
  const spelled = made(line).replaceAll('⏎', '\n').replaceAll('␍', '\r').replaceAll('¦', '')
  const json = /^[[{]["«{[]/.test(spelled)
  const text = spelled.replace(/^\\/, '')
  const value: unknown = json ? JSON.parse(bare(text)) : bare(text)
  return { value, line, secrets: [...text.matchAll(/«([^»]+)»/g)].map(([, secret = '']) => bare(secret)) }
}

/** The samples of a file beside this one. */
export const samplesOf = (name: string): readonly Sample[] =>
  readFileSync(new URL(`${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map(sampleOf)

/** Whether nothing of the secrets can be found, and something says that there was one. */
export const isHidden = ({ value, secrets }: Sample): boolean => isGone(said(redact({ sample: value })), secrets)

function isGone(text: string, secrets: readonly string[]): boolean {
  return (
    text.includes(redacted) &&
    secrets.every((secret) => !text.includes(secret) && !text.includes(secret.slice(0, 12).padEnd(12, '\u0000')))
  )
}

/** Whether a harmless value is left as it is. */
export const isLeft = ({ value }: Sample): boolean => said(redact({ sample: value })) === said({ sample: value })

/** A detector that is measured beside ours: the places of a text that it reports. */
export type Reports = (text: string) => readonly { readonly start: number; readonly end: number }[]

/** The text of a sample with what a detector reports taken out. */
function withoutReported({ value }: Sample, reports: Reports): string {
  let text = said({ sample: value })
  for (const { start, end } of reports(text).toSorted((a, b) => b.start - a.start))
    text = text.slice(0, start) + redacted + text.slice(end)
  return text
}

/** As `isHidden` and `isLeft`, of another detector. */
export const isReported = (sample: Sample, reports: Reports): boolean =>
  isGone(withoutReported(sample, reports), sample.secrets)
export const isUnreported = ({ value }: Sample, reports: Reports): boolean =>
  reports(said({ sample: value })).length === 0

/** Texts as they are, not escaped once more. */
const said = (value: unknown): string => {
  const { sample } = value as { readonly sample: unknown }
  return typeof sample === 'string' ? sample : JSON.stringify(sample)
}
