// Secrets that must not leave a server are those that its records hide. Here they are named, for whoever has to be told.
import type { FoundSecret } from '../model/found-secret.ts'
import { cardSecrets } from './card-numbers.ts'
import { passwordsInProse } from './password-in-prose.ts'
import { readable } from './readable-text.ts'
import { longestText, secretsIn } from './redact.ts'

/** The secrets of a text: what each is and where, for whoever must not send them. Of a long text the beginning is searched. */
export function findSecrets(given: string): readonly FoundSecret[] {
  const text = given.slice(0, longestText)
  const looked = { text, shown: readable(text) }
  const kinds = [
    { what: 'a payment card number', spans: cardSecrets(looked) },
    { what: 'a password', spans: passwordsInProse(looked) },
  ] as const
  return secretsIn(text).map(({ start, end }) => ({
    what: text.slice(Math.max(0, start - 40), start).includes('PRIVATE KEY')
      ? 'a private key'
      : (kinds.find(({ spans }) => spans.some((span) => span.start < end && start < span.end))?.what ??
        'a key, token or password'),
    line: text.slice(0, start).split('\n').length,
  }))
}
