// Secrets that are recognised without a name, by a known prefix or by their place in a URL. `secretlint.ts` knows more of them,
// and more exactly; these are what it leaves out or takes for a placeholder.
import { knownTokens } from './known-tokens.ts'
import { holdsCookie, uuid } from './secret-names.ts'
import { isValue, looksRandom } from './secret-shapes.ts'
import { groupSpans, type SearchedText, type Span } from './secret-values.ts'

/** A fast path: a text without one of these matches none of the patterns below. */
const sign =
  /add-mask|@|A[KS]IA|\/(?:private|secret|token|reset|invite|magic|unsubscribe|verify|confirm|activate|share)|AC[0-9a-f]{32}|BEGIN |Private-Lines|hooks\.|webhook|bearer|basic|cookie|:\/\/|[?&#;]|phrase|words?|seed|mnemonic/i

/** Group 1 is the secret. */
const places: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----\s{0,10}((?:(?!-----END )[\s\S]){1,12000})/dg,
  /\bPrivate-Lines: \d{1,4}\s{1,4}([A-Za-z0-9+/=\s]{16,8000})/dg,
  /(?<=hooks\.slack\.com\/(?:services|workflows)\/)([A-Za-z0-9/_-]{20,200})/dg,
  /(?<=discord(?:app)?\.com\/api\/webhooks\/\d{10,25}\/)([A-Za-z0-9_-]{30,200})/dg,
  /(?<=webhook\.office\.com\/webhookb2\/)([A-Za-z0-9@/-]{30,300})/dg,
  /(?<![A-Za-z0-9])(?:bearer|basic)[ \t]{1,8}(?=[A-Za-z+/_.=~-]{0,60}\d)([A-Za-z0-9+/_.=~-]{8,})/dgi,
  // URLs that need no password: a calendar, a magic link.
  /\/(?:private|secret|token|reset|invite|magic|unsubscribe|verify|confirm|activate|share)[-/]((?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{20,400})(?![A-Za-z0-9_-])/dg,
  // A user name before the host that is as long as a key: Sentry's, GitHub's.
  /(?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/((?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{20,300})@/dgi,
  // Without a scheme: `ada:…@tcp(db:3306)/shop`, `root:…@db.example.org:5432`.
  /(?<![\w./:@-])[A-Za-z][\w.\\-]{1,40}:([^\s:@/"'<>,;()]{4,200})@(?=tcp\(|unix\(|[a-z][\w-]{0,60}(?:\.[\w-]{1,60}){0,5}:\d{2,5}(?!\d)|\d{1,3}(?:\.\d{1,3}){3})/dgi,
  /::add-mask::([^\s"']{1,500})/dg,
  // Amazon: the secret beside its id.
  /(?:AKIA|ASIA)[A-Z0-9]{16}[^A-Za-z0-9\n]{1,12}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/dg,
  // Twilio: the token beside its account.
  /AC[0-9a-f]{32}["']?\s{0,4}[,:]\s{0,4}["']?([0-9a-f]{32})(?![0-9a-f])/dg,
  /[?&](?:code|ticket|otp)=((?=[A-Za-z_.~/%-]{0,40}\d|[A-Za-z]{0,40}[a-z][A-Z])[A-Za-z0-9_.~/%-]{16,2000})/dg,
  /[?&#;](?:access_token|refresh_token|id_token|token|api_?key|apikey|sig|signature|password|pwd|secret|client_secret|auth|x-amz-signature|x-amz-credential|x-amz-security-token|x-goog-signature|sv_sig)=([^&\s#"'<>\\]{4,4000})/dgi,
  /[?&]key=((?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_.~%-]{12,400})/dg,
  /(?<=hooks\.zapier\.com\/hooks\/catch\/\d{1,12}\/)([A-Za-z0-9]{4,60})/dg,
  /(?<=maker\.ifttt\.com\/trigger\/[\w-]{1,60}\/with\/key\/)([A-Za-z0-9_-]{10,100})/dg,
  /(?<![A-Za-z])(?:seed|recovery|mnemonic|wallet)(?:[ \t]{1,3}(?:phrase|words?))?[^\n:]{0,20}:[ \t]{0,4}((?:[a-z]{3,10}[ \t]{1,3}){11,24}[a-z]{3,10})/dgi,
]

/** A segment of a URL's path that nobody can guess: a webhook, a channel with its token. */
const randomStep =
  /:\/\/[^\s"'<>?#]{1,200}?\/(?:(?:web|incoming)?-?hooks?|t|k|join|feeds?|ical|auth)\/([\w-]{20,200})(?![\w.-])/dgi
const isRandomStep = (step: string): boolean => looksRandom(step) && !uuid.test(step)

const cookieHeader = /(?<![A-Za-z0-9])(?:set-)?cookie[ \t]{0,8}:[ \t]{0,8}([^\r\n"'=]{1,200}=[^\r\n"']{1,8000})/dgi

/** The password in a URL. */
const inAddress = /(?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@"'<>]{0,200}:([^\s/"'<>]{1,500})@/dgi

/** Placeholders in documentation: `postgres://user:pass@host`. */
const isExample = /^(?:pass(?:word|wd)?|pwd)$/

/** Without `matchAll`, as in `groupSpans`. */
function tokensIn(shown: string): readonly Span[] {
  const found: Span[] = []
  knownTokens.lastIndex = 0
  for (let hit = knownTokens.exec(shown); hit !== null; hit = knownTokens.exec(shown))
    if (isValue(hit[0])) found.push({ start: hit.index, end: hit.index + hit[0].length })
  return found
}

/** The secrets of a text that are recognised by their look. */
export function recognisedSecrets({ text, shown }: SearchedText): readonly Span[] {
  const tokens = tokensIn(shown)
  if (!sign.test(shown)) return tokens
  // In the text as it is, too, because `%40` in a password becomes an `@`.
  const addresses = [text, ...(text === shown ? [] : [shown])].flatMap((each) => groupSpans(each, inAddress))
  return [
    ...tokens,
    ...groupSpans(shown, randomStep).filter(({ start, end }) => isRandomStep(shown.slice(start, end))),
    ...addresses.filter(({ start, end }) => isValue(text.slice(start, end)) && !isExample.test(text.slice(start, end))),
    ...places
      .flatMap((pattern) => groupSpans(shown, pattern))
      .filter(({ start, end }) => isValue(shown.slice(start, end))),
    ...groupSpans(shown, cookieHeader).filter(({ start, end }) => holdsCookie(shown.slice(start, end))),
  ]
}
