// How secrets look. Every quantifier that can fail late has an upper bound: the text comes from an agent, and a megabyte
// of it must not cost more than a few passes.

/** `userPassword`, `X-API-Key` and `card number` as one spelling. */
const snake = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase()

const secretNames =
  /pass_?(word|wd|phrase|code)|secret(?!ar)|token|(api|access|private|encryption|signing|ssh|master|account|shared|license)_?key|credential|authorization|cookie|session_?(id|key)|bearer|signature|card_?(number|no)\b|(mfa|recovery|verification|security|backup|auth)_?code|connection_?string|seed_?phrase|mnemonic|(^|_)(pass|pwd|pw|pin|auth|otp|totp|cvv2?|cvc|ssn|iban|pan|jwt|dsn|creds)(_|$)/

/** Names that only sound like it: counts and places in a list, not secrets. */
const harmlessNames =
  /^((max|min|total|input|output|prompt|completion|cached|used|remaining|num)_tokens?|tokens?_(count|limit|budget|type|usage|used|left|remaining)|((next|prev|previous|sync)_)?page_token|tokeni[sz]\w*)$/

/** Whether a field of this name holds a secret. */
export function isSecretName(name: string): boolean {
  const spelled = snake(name.slice(0, 200))
  return secretNames.test(spelled) && !harmlessNames.test(spelled)
}

interface Look {
  readonly pattern: RegExp
  /** Which group stays in front of what is hidden; none when absent. */
  readonly keep?: number
}

const look = (pattern: RegExp, keep?: number): Look => ({ pattern, ...(keep === undefined ? {} : { keep }) })

/** Values that are secrets wherever they stand. */
export const looks: readonly Look[] = [
  look(/-----BEGIN [A-Z ]{0,40}PRIVATE KEY( BLOCK)?-----[\s\S]*?(-----END [A-Z ]{0,40}PRIVATE KEY( BLOCK)?-----|$)/g),
  look(/\bAGE-SECRET-KEY-1[0-9A-Z]{20,}/g),
  look(/\beyJ[A-Za-z0-9_-]{8,300}\.[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]*){0,3}/g),
  // Stripe, OpenAI, Anthropic and those who copied them; Stripe's webhooks.
  look(/\b(sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g),
  look(/\bwhsec_[A-Za-z0-9+/=_-]{16,}/g),
  look(/\bgh[pousr]_[A-Za-z0-9]{20,}/g),
  look(/\bgithub_pat_[A-Za-z0-9_]{20,}/g),
  look(/\bgl(pat|dt|rt|cbt|ptt|ft|soat|agent|oas)-[A-Za-z0-9_.-]{16,}/g),
  look(/\bx(ox[a-z]|app)-[A-Za-z0-9-]{10,}/g),
  look(/(hooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9/_-]{20,}/g, 1),
  look(/(discord(?:app)?\.com\/api\/webhooks\/\d{10,25}\/)[A-Za-z0-9_-]{30,}/g, 1),
  look(/\b[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}/g),
  look(/\b(AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g),
  look(/\bAIza[A-Za-z0-9_-]{30,}/g),
  look(/\bya29\.[A-Za-z0-9_-]{20,}/g),
  look(/\bGOCSPX-[A-Za-z0-9_-]{20,}/g),
  look(/\b1\/\/0[A-Za-z0-9_-]{30,}/g),
  look(/\bnpm_[A-Za-z0-9]{30,}/g),
  look(/\bpypi-[A-Za-z0-9_-]{30,}/g),
  look(/\bSG\.[A-Za-z0-9_-]{16,100}\.[A-Za-z0-9_-]{16,}/g),
  look(/\bhf_[A-Za-z0-9]{30,}/g),
  look(/\bdo[opr]_v1_[a-f0-9]{40,}/g),
  look(/\bshp(at|ca|pa|ss|tka)_[A-Fa-f0-9]{24,}/g),
  look(/\bsq0[a-z]{3}-[A-Za-z0-9_-]{20,}/g),
  look(/\b(key|pubkey)-[a-f0-9]{32}\b/g),
  look(/\bSK[a-f0-9]{32}\b/g),
  look(/\b\d{8,10}:[A-Za-z0-9_-]{35}\b/g),
  look(/\b(atlasv1|lin_api|ntn|secret|figd|glsa|dapi|phc|phx|pul|rubygems|tfp|vault|hvs|hvb)[._-][A-Za-z0-9_.-]{24,}/g),
  // Our own tickets.
  look(/\bcs1_[0-9a-z]{26}\b/g),
  look(/\b((?:bearer|basic|digest)\s{1,8})[A-Za-z0-9+/_.=~-]{8,}/gi, 1),
  look(/\b((?:set-)?cookie\s{0,8}:\s{0,8})[^\r\n]+/gi, 1),
  look(/\b([a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,500}(?=@)/gi, 1),
  look(
    /([?&#](?:access_token|refresh_token|id_token|token|key|api_?key|apikey|sig|signature|password|pwd|secret|client_secret|code|auth|x-amz-signature|x-amz-credential|x-goog-signature|sv_sig)=)[^&\s#"']{4,}/gi,
    1,
  ),
]

/** Secrets that are known by the word before them: `password: …`, `"api_key":"…"`, `--token …`, `the PIN is …`. */
export const assignment =
  /(["'`]?)\b([\w.-]{0,40}(?:pass[_-]?(?:word|wd|phrase|code)|secret|token|(?:api|access|account|private|shared|encryption|signing)[_-]?key|credentials?|authorization|connection[_-]?string|\bpwd|\bcvv2?|\bcvc|\bpin|\botp|\biban)[\w-]{0,40})\1(\s{0,8}(?::|=>?|(?<=--[\w-]{1,60})\s)\s{0,8}|\s{1,8}is:?\s{1,8}(?=\S{0,60}\d))((?:(?:bearer|basic|token|digest)\s{1,8})?(?:\\{1,8}"[^"\r\n]{0,2000}"|"(?:[^"\\\r\n]|\\.){0,2000}"|'[^'\r\n]{0,2000}'|`[^`\r\n]{0,2000}`|[^\s,;'"`&)}\]]+))/gi

/**
 * Fragments of JSON in a text, also of JSON quoted in JSON: a name, and the value behind it up to its end. `["name",
 * "value"]` and `"name":"…","value":"…"` are how headers travel. Groups: before, name, between, value.
 */
export const fragments: readonly RegExp[] = [
  /((\\{0,8})")([^"\\\r\n]{1,80})(\2"\s{0,8}:\s{0,8})((?:\2"(?:(?!\2")[^\r\n]){0,4000}\2"|[[{](?:[^\]}]){0,4000}[\]}]?|-?\d[\w.+-]{0,40}))/g,
  /(\[\s{0,8}(\\{0,8})")([^"\\\r\n]{1,80})(\2"\s{0,8},\s{0,8})(\2"(?:(?!\2")[^\r\n]){0,4000}\2")(?=\s{0,8}\])/g,
  /((\\{0,8})"(?:name|key|header|field)\2"\s{0,8}:\s{0,8}\2")([^"\\\r\n]{1,80})(\2"\s{0,8},\s{0,8}\2"values?\2"\s{0,8}:\s{0,8})(\2"(?:(?!\2")[^\r\n]){0,4000}\2")/g,
]
