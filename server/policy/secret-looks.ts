// Values that are secrets wherever they stand, known by their look: a prefix that somebody gives away on purpose, or a
// place in an address. The kept detector (`kept-rules.ts`) knows more of them, and more exactly; these are what it leaves
// out or takes for a placeholder.
import { holdsCookie } from './secret-names.ts'
import { groupSpans, type Looked, type Span } from './secret-values.ts'

/** Not `\b`: what stands behind `_` is a token as well. */
const edge = '(?<![A-Za-z0-9])'
/** The whole match is the secret. Every quantifier has an upper bound or ends with what it cannot match itself. */
const looks: readonly string[] = [
  String.raw`AGE-SECRET-KEY-1[0-9A-Z]{20,}`,
  String.raw`eyJ[A-Za-z0-9_-]{8,300}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,3}`,
  // Stripe, OpenAI, Anthropic and those who copied them; Stripe's webhooks.
  String.raw`(?:sk|pk|rk)[-_](?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{16,}`,
  String.raw`whsec_[A-Za-z0-9+/=_-]{16,}`,
  String.raw`gh[pousr]_[A-Za-z0-9]{20,}`,
  String.raw`github_pat_[A-Za-z0-9_]{20,}`,
  String.raw`gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|oas)-[A-Za-z0-9_.-]{16,}`,
  String.raw`x(?:ox[a-z]|app)-[A-Za-z0-9-]{10,}`,
  String.raw`[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}`,
  String.raw`(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])`,
  String.raw`AIza[A-Za-z0-9_-]{30,}`,
  String.raw`ya29\.[A-Za-z0-9_-]{20,}`,
  String.raw`GOCSPX-[A-Za-z0-9_-]{20,}`,
  String.raw`1\/\/0[A-Za-z0-9_-]{30,}`,
  String.raw`npm_[A-Za-z0-9]{30,}`,
  String.raw`pypi-[A-Za-z0-9_-]{30,}`,
  String.raw`SG\.[A-Za-z0-9_-]{16,100}\.[A-Za-z0-9_-]{16,}`,
  String.raw`hf_[A-Za-z0-9]{30,}`,
  String.raw`do[opr]_v1_[a-f0-9]{40,}`,
  String.raw`dckr_pat_[A-Za-z0-9_-]{20,}`,
  String.raw`shp(?:at|ca|pa|ss|tka)_[A-Fa-f0-9]{24,}`,
  String.raw`sq0[a-z]{3}-[A-Za-z0-9_-]{20,}`,
  String.raw`(?:key|pubkey)-[a-f0-9]{32}(?![A-Za-z0-9])`,
  String.raw`SK[a-f0-9]{32}(?![A-Za-z0-9])`,
  String.raw`tskey-[a-z]{2,20}-[A-Za-z0-9_-]{16,}`,
  String.raw`\d{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9])`,
  String.raw`(?:atlasv1|lin_api|ntn|secret|figd|glsa|dapi|phc|phx|pul|rubygems|tfp|vault|hvs|hvb)[._-]?(?=[A-Za-z_.-]{0,40}\d)[A-Za-z0-9_.-]{24,}`,
  // Our own tickets.
  String.raw`cs1_[0-9a-z]{26}(?![A-Za-z0-9])`,
]

const anyLook = new RegExp(`${edge}(?:${looks.join('|')})`, 'g')

/** Without one of these none of the places below is there: most texts are through. */
const sign =
  /add-mask|AC[0-9a-f]{32}|BEGIN |Private-Lines|hooks\.|webhook|bearer|basic|cookie|:\/\/|[?&#;]|phrase|words?/i

/** Group 1 is the secret. */
const places: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----\s{0,10}((?:(?!-----END )[\s\S]){1,12000})/dg,
  /\bPrivate-Lines: \d{1,4}\s{1,4}([A-Za-z0-9+/=\s]{16,8000})/dg,
  /(?<=hooks\.slack\.com\/(?:services|workflows)\/)([A-Za-z0-9/_-]{20,200})/dg,
  /(?<=discord(?:app)?\.com\/api\/webhooks\/\d{10,25}\/)([A-Za-z0-9_-]{30,200})/dg,
  /(?<=webhook\.office\.com\/webhookb2\/)([A-Za-z0-9@/-]{30,300})/dg,
  /(?<![A-Za-z0-9])(?:bearer|basic)[ \t]{1,8}(?=[A-Za-z+/_.=~-]{0,60}\d)([A-Za-z0-9+/_.=~-]{8,})/dgi,
  /::add-mask::([^\s"']{1,500})/dg,
  // Twilio: the token beside its account.
  /AC[0-9a-f]{32}["']?\s{0,4}[,:]\s{0,4}["']?([0-9a-f]{32})(?![0-9a-f])/dg,
  /[?&](?:code|ticket|otp)=((?=[A-Za-z_.~/%-]{0,40}\d)[A-Za-z0-9_.~/%-]{16,2000})/dg,
  /[?&#;](?:access_token|refresh_token|id_token|token|key|api_?key|apikey|sig|signature|password|pwd|secret|client_secret|auth|x-amz-signature|x-amz-credential|x-amz-security-token|x-goog-signature|sv_sig)=([^&\s#"'<>\\]{4,4000})/dgi,
  /(?<![A-Za-z])(?:seed|recovery|mnemonic|wallet)[ \t]{1,3}(?:phrase|words?)[^\n:]{0,20}:[ \t]{0,4}((?:[a-z]{3,10}[ \t]{1,3}){11,24}[a-z]{3,10})/dgi,
]

const cookieHeader = /(?<![A-Za-z0-9])(?:set-)?cookie[ \t]{0,8}:[ \t]{0,8}([^\r\n"'=]{1,200}=[^\r\n"']{1,8000})/dgi

/** The password in an address. */
const inAddress = /(?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@"'<>]{0,200}:([^\s/"'<>]{1,500})@/dgi
const variable = /^(?:\$\{[^}]*\}|\{\{.*\}\}|\$[A-Z_][A-Z0-9_]*)$/

/** Everything that looks like a secret. */
export function lookedSecrets({ text, shown }: Looked): readonly Span[] {
  const tokens = [...shown.matchAll(anyLook)].map(({ index, 0: { length } }) => ({ start: index, end: index + length }))
  if (!sign.test(shown)) return tokens
  // As it is, too: `%40` in a password is read as a blank and an `@`.
  const addresses = [text, ...(text === shown ? [] : [shown])].flatMap((each) => groupSpans(each, inAddress))
  return [
    ...tokens,
    ...addresses.filter(({ start, end }) => !variable.test(text.slice(start, end))),
    ...places.flatMap((pattern) => groupSpans(shown, pattern)),
    ...groupSpans(shown, cookieHeader).filter(({ start, end }) => holdsCookie(shown.slice(start, end))),
  ]
}
