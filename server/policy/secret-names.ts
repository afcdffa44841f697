// Which names hold secrets: `userPassword`, `X-API-Key`, `DB_PASS`, `mot de passe`. One answer for fields of JSON, for
// settings in a text, for elements of a page and for options of a command.

/** `userPassword`, `X-API-Key` and `card number` as one spelling. */
const snake = (name: string): string =>
  name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .toLowerCase()

/** Passwords in the languages in which people name them. */
const passwords =
  'pass_?(?:word|wd|wort|ord|phrase|code)|kennwort|contrase(?:ñ|n)a|mot_de_passe|palavra_passe|senha|parola(?!_chiave)|wachtwoord|has[łl]o|парол[ья]|lösenord|losenord|adgangskode|kodeord|lykilorð|mật_khẩu|kata_sandi|lozinka|geslo|slaptažodis|parool|wagwoord|पासवर्ड|κωδικός|salasana|heslo|jelszó|şifre|パスワード|暗証番号|密码|密碼|口令|비밀번호|암호|كلمة_(?:المرور|السر)|סיסמה|รหัสผ่าน'

const secretNames = new RegExp(
  `${passwords}|secret(?!ar)|token|(?:api|access|private|encryption|signing|ssh|master|account|shared|license|client)_?key|credential|authorization|cookie|session_?(?:id|key)|bearer|signature|card_?(?:number|no)(?![a-z])|(?:mfa|recovery|verification|security|backup|auth|one_time|login)_?code|connection_?string|seed_?phrase|mnemonic|community_string|(?:^|_)(?:pass|pwd|pw|pin|otp|totp|cvv2?|cvc|ssn|iban|pan|jwt|dsn|creds)(?:_|$)|(?<!com|by|sur|tres|over|under)pass$|(?:db|root|user|admin|smtp|ldap|pg|mysql|ftp)(?:pwd|pw)$`,
  'u',
)

/** Names that only sound like it: counts, places in a list, and what is said of a secret. */
const harmlessNames =
  /^(?:(?:max|min|total|input|output|prompt|completion|cached|used|remaining|num)_(?:\w+_)?tokens?|tokens?_(?:count|limit|budget|usage|used|left|remaining|per_\w+)|(?:(?:next|prev|previous|sync)_)?page_token|tokeni[sz]\w*|(?:\w+_)?(?:pass(?:word|phrase|code)|passwd|secret|token|credential|cred|(?:api|access)_key|cookie|session|signature|authorization|pin|otp)s?_(?:policy|policies|reset|field|changed|length|strength|hint|count|type|types|expir\w*|at|file|path|name|names|key_ref|ref|url|uri|endpoint|arn|required|rules?|manager|banner|header|in|format|algorithm|version|enabled|provider|store)(?:_\w+)?|(?:\w+_)?pass(?:word)?_(?:rate|(?:min|max)_\w+)|existing_secret|secrets_manager)$/

/** Whether a field of this name holds a secret, whatever its value. */
export function isSecretName(name: string): boolean {
  const spelled = snake(name.slice(0, 200)).replace(/^_+|_+$/g, '')
  return secretNames.test(spelled) && !harmlessNames.test(spelled)
}

/** Whether words that name a place to type into, or an option, speak of a secret: "Password field" does. */
export const speaksOfSecret = (words: string): boolean => secretNames.test(snake(words.slice(0, 400)))

const keyNames = /(?:^|_)(?:key|auth|api|app_id|salt|sid|hash_key|pass|client_certificate_data|client_key_data|data)$/
const plainKeys =
  /(?:^|_)(?:primary|foreign|sort|public|partition|cache|idempotency|object|row|range|map|index|group|natural|unique|translation|i18n|lookup|hot|shortcut|arrow|registry|form|meta|image|user|file|json|input|output|raw|test|page|my|the)_(?:key|data)$/

/** Whether a field of this name holds a secret where its value looks like one: `STRIPE_KEY`, `auth`. */
export function mayBeSecretName(name: string): boolean {
  const spelled = snake(name.slice(0, 200)).replace(/^_+|_+$/g, '')
  return keyNames.test(spelled) && spelled !== 'data' && spelled !== 'key' && !plainKeys.test(spelled)
}

/** A value without blanks that nobody has made up as a word: padded base64, or 12 letters and figures mixed. */
export const looksMade = (value: string): boolean => /^[A-Za-z\d+/]{8,}={1,2}$/.test(value) || isMixed(value)

const isMixed = (value: string): boolean =>
  /^[\w+/=.~:-]{12,}$/.test(value) &&
  /\d/.test(value) &&
  /[A-Za-z]/.test(value) &&
  !/^\d{4}-\d\d-\d\d/.test(value) &&
  !uuid.test(value)

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What a browser is told beside a cookie, and settings of a page in a word: `theme=dark; Path=/; Max-Age=3600`. */
const plainCookie =
  /^\s*(?:(?:path|domain|max-age|expires|samesite|priority)=.*|httponly|secure|partitioned|[\w.-]{1,20}=[A-Za-z_-]{0,8})\s*$/i

/** A cookie that says who somebody is, however its value looks. */
const namesVisitor = /sess|auth|sid|login|remember|pass|pw|token|secret|key/i

/** Whether something in the value of a `Cookie` header may be a secret. */
export const holdsCookie = (header: string): boolean =>
  header.includes('=') &&
  header.split(';').some((pair) => !plainCookie.test(pair) || namesVisitor.test(pair.split('=')[0] ?? ''))
