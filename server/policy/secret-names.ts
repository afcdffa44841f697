// Names of secrets: `userPassword`, `X-API-Key`, `DB_PASS`, `mot de passe`, in fields of JSON, settings in a text, elements of
// a page and options of a command alike. The end of a name decides: an `auth_token` is a token, a `token_service` is not.
import { looksRandom } from './secret-shapes.ts'

/** A name in snake case: `userPassword`, `X-API-Key`, `card number`. */
const snake = (name: string): string =>
  name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .toLowerCase()
    .replace(/^_|_$/g, '')

// In snake case `[^_\d]` is a letter; to compile `\p{L}` two dozen times would cost every start milliseconds.

/** "Password" in many languages, with inflections. */
const passwords =
  'pass_?(?:wor[dt]e?s?|wd|wort[^_\\d]{0,2}|ord(?:et|ene|e|s)?|phrases?|codes?|wrd)|passw|kennw(?:ort|örter)[^_\\d]{0,2}|losungswort|contrase(?:ñ|n)as?|(?:palabra_)?clave|mots?_?de_?passe|palavra_?passe|senhas?|parol[aăeiy](?!_chiave)[^_\\d]{0,2}|wachtwoord(?:en)?|has[łl][oaeu][^_\\d]?|парол[^_\\d]{1,3}|l[öo]senord[^_\\d]{0,3}|adgangskode[^_\\d]{0,2}|kodeord[^_\\d]{0,2}|lykilorð|mật_khẩu|kata_sandi|lozink[^_\\d]|gesl[oau]|slaptažodis|parool|wagwoord|पासवर्ड|κωδικός|salasana[^_\\d]{0,3}|hesl[oaeu]m?|jelsz[óa][^_\\d]{0,3}|şifre[^_\\d]{0,3}|パスワード|暗証番号|密[码碼]|口令|비밀번호|암호|كلمة_(?:المرور|السر)|סיסמה|รหัสผ่าน'

/** "Token" and "secret", likewise. */
const others =
  'secrets?|geheimnis|secreto|segreto|segredo|секрет|tokens?|jeton|токен|トークン|令牌|토큰|秘密鍵|密[钥鑰]|私钥|비밀키'

/** Words before "key" that make it a secret. */
const keyOf =
  'api|access|priv(?:ate)?|encryption|encrypt|signing|ssh|master|account|shared|license|licen[cs]e|client|secret|recovery|webhook|hmac|wi_?fi|wlan|wpa2?|network|deploy|service|storage|auth|authentication|app_secret|subscription|functions?|admin|setup|bitlocker|validation|decryption|machine|product|activation|security|pre_shared|preshared|aes|session|jwt|cipher|vault|unseal|host_key_private'

const codeOf =
  'mfa|2fa|kenn|konferenz|tfa|otp|sms|recovery|verification|verify|security|backup|auth|authentication|authorization|one_time|login|log_in|sign_in|access|door|gate|alarm|entry|unlock|safe|activation|confirmation|reset|pairing|device|scratch|puk|pin|pass|bestätigungs|zugangs|einmal|sicherheits|freischalt|aktivierungs|prüf|verifizierungs|tür|haustür|garagen|tresor'

const heads = [
  passwords,
  others,
  `(?:${keyOf})_?keys?`,
  `(?:^|_)?(?:${codeOf})_?codes?`,
  '(?:wlan|netzwerk|wifi|geheimer|privater|api|lizenz|zugangs|wiederherstellungs)_?schlüssel|zugangsdaten|anmeldedaten',
  '(?:clé|chiave|clave|chave|cheie|klucz|nyckel|nøgle|sleutel)_(?:de_|d_|do_|del_)?(?:secr[^_\\d]*|segret[^_\\d]*|api|priv[^_\\d]*|wi_?fi|acc[^_\\d]*|licen[^_\\d]*)|(?:api|geheime|private|hemlig|hemmelig|tajny)_(?:sleutel|nøgle|nyckel|klucz)|(?:секретн|приватн)[^_\\d]{1,3}_ключ[^_\\d]{0,2}|ключ_api|api_?キー|コード',
  '(?:codigo|código|code|codice)_(?:de_|d_|di_|do_)?(?:acc[eè]s[^_\\d]*|verifica[^_\\d]*|vérifica[^_\\d]*|seguridad|segurança|sécurité|sicurezza|confirma[^_\\d]*|conferma|secret|pin)|код_(?:подтвержд[^_\\d]*|доступа)|kod_(?:dostępu|weryfikac[^_\\d]*|pin)|認証コード|验证码|인증번호',
  'credentials?|credenciales|credenziali|identifiants|authorization|cookies?|bearer|signature|mnemonic|seed_?(?:phrase|words)|recovery_phrase|connection_?strings?|community_string|session_?id|saml_?(?:response|assertion)|client_assertion|card_?(?:number|no)',
  '(?:security|secret|recovery)_answer|(?:require|master)_?(?:pass|auth)',
  '(?:^|_)(?:pass|mdp|pwd|pw|psw|pswd|psk|pin|puk|otp|totp|cvv2?|cvc2?|ssn|iban|pan|jwt|dsn|creds?|passin|passout)',
  '(?:db|root|user|admin|smtp|ldap|pg|mysql|ftp|bind|sa|mail|my)_?(?:pwd|pw)',
  '(?<!com|by|sur|tres|over|under|tran|en)pass',
].join('|')

/** Whether a name is nothing but a word for a password. */
export const isPasswordWord = (name: string): boolean => onlyPassword.test(snake(name.slice(0, 80)))

/** What may follow and leaves it a secret: `password2`, `DB_PASSWORD_PROD`, `secret_key_base`. */
const endings =
  '_?\\d{1,3}|_(?:values?|new|old|current|confirm[^_\\d]*|repeat[^_\\d]*|again|plain|plain_?text|text|string|str|raw|(?:b|base)64\\d{0,3}|base|hex|enc|encoded|hash|prod|production|dev|development|test|testing|staging|stage|live|local|default|primary|secondary|backup|main|env|data|pem|json|basic|http|headers?|access|master|root|admin|replication|smtp|database|redis|postgres|mysql|mongo)'

const onlyPassword = new RegExp(
  `^(?:${passwords}|pass|pwd?|pw|mdp|otp|pin|codes?|(?:community_)?string|secret|token)$`,
  'u',
)
// Apart: in one pattern the endings would be compiled once for each way to reach them.
const ends = new RegExp(`(?:${heads})$`, 'u')
const ending = new RegExp(`(?:${endings})$`, 'u')
const anywhere = new RegExp(heads, 'u')

/** Names that contain one of a secret and are none: counts, cursors of pages, properties of a secret. */
const harmlessNames =
  /^(?:(?:\w+_)?(?:max|min|total|input|output|prompt|completion|cached|used|remaining|num|design|color|colour|bos|eos|pad|unk|sep|cls|mask|special|reasoning|stop)_(?:\w+_)?tokens?|(?:\w+_)?(?:next|prev|previous|page|paging|continuation|continue|sync|delta|skip|resume|pagination|cancellation)_token|tokens?_(?:count|limit|budget|usage|use|used|left|remaining|per_\w+)|tokeni[sz]\w*|(?:json_?web|js|design)_?tokens?|public_key_tokens?|(?:\w+_)?(?:pass(?:word|phrase|code)|passwd|secret|token|credential|cred|(?:api|access|private|signing|client|ssh|account)_key|cookie|session|signature|authorization|pin|otp)s?_(?:policy|policies|reset|field|changed|length|strength|hint|count|type|types|expir\w*|at|file|path|name|names|key_ref|ref|url|uri|endpoint|arn|required|rules?|manager|banner|header|in|format|algorithm|alg|version|enabled|provider|store|id|accessor|stdin|prompt|label|placeholder|title|help|error|message|ttl|age|status|state|service|validator|form|input_id|fingerprint|digest|sha\d+)(?:_\w+)?|(?:\w+_)?pass(?:word)?_(?:rate|(?:min|max)_\w+)|existing_secret|secrets_manager|(?:has|is|show|hide|forgot|forget|reset|change|require|requires|no|invalid|missing|wrong|toggle|use|needs?|allow|enable|disable)_(?:\w+_)?(?:password|token|secret|pin|credentials?|cookies?|passcode))$/u

/** Whether a field of this name holds a secret, whatever its value. */
export function isSecretName(name: string): boolean {
  const spelled = snake(name.slice(0, 200))
  const short = spelled.replace(ending, '')
  const isNamed = [spelled, short, short.replace(ending, '')].some((each) => ends.test(each))
  return isNamed && (spelled === 'session_id' || !harmlessNames.test(spelled))
}

/** Whether a label or a description mentions a secret: "Password field". */
export const speaksOfSecret = (words: string): boolean => anywhere.test(snake(words.slice(0, 400)))

const keyNames =
  /(?:^|_)(?:keys?|auth|api|app_id|salt|sid|session|hash_key|pass|pat|nonce|client_certificate_data|client_key_data|data|ключ|klucz|schlüssel|clé|chiave|キー)$/
const plainKeys =
  /(?:^|_)(?:primary|foreign|sort|public|publishable|partition|cache|idempotency|object|row|range|map|index|group|natural|unique|translation|i18n|lookup|hot|shortcut|arrow|registry|form|meta|image|user|file|json|input|output|raw|test|page|my|the|message|event|site|s3|issue|project|dedup\w*|widget|composite)_(?:keys?|data)$/

/** Whether `mayBeSecret` is worth asking for this name, which it is for few. */
export function couldBeSecret(name: string): boolean {
  const spelled = snake(name.slice(0, 200))
  return anywhere.test(spelled) || keyNames.test(spelled) || spelled.endsWith('tan')
}

/** Whether a field of this name holds a secret where its value looks like one: `STRIPE_KEY`, `auth`. */
export function mayBeSecret(name: string, value: string): boolean {
  const spelled = snake(name.slice(0, 200))
  // Transaction numbers of banks.
  if (/(?:^|_)\w{0,5}tan$/.test(spelled)) return /^\d{6,8}$/.test(value)
  if (keyNames.test(spelled))
    return (
      !/^(?:data|keys?)$/.test(spelled) &&
      !plainKeys.test(spelled) &&
      (spelled.endsWith('routing_key') ? looksRandom(value) : looksMade(value))
    )
  return looksRandom(value) && anywhere.test(spelled) && !harmlessNames.test(spelled) && !plainKeys.test(spelled)
}

/** Whether a value is a label that mentions a secret, such as a prompt or a translation: "Passwort", "Forgot password?". */
export const isLabel = (value: string): boolean =>
  value.length <= 60 &&
  /^(?:\p{Lu}|\S+\s)[\p{L}\p{M}\s'’:?!.-]*$/u.test(value) &&
  !/^(?:bearer|basic|token|apikey|digest)\s/i.test(value) &&
  speaksOfSecret(value)

/** Whether a value looks made by a machine: padded base64, or at least 12 letters and digits mixed. */
export const looksMade = (value: string): boolean => /^[A-Za-z\d+/]{8,}={1,2}$/.test(value) || isMixed(value)

const isMixed = (value: string): boolean =>
  /^[\w+/=.~:-]{12,}$/.test(value) &&
  /\d/.test(value) &&
  /[A-Za-z]/.test(value) &&
  !/^\d{4}-\d\d-\d\d/.test(value) &&
  !uuid.test(value)

export const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** An attribute of a cookie, or a cookie with a plain setting: `theme=dark; Path=/; Max-Age=3600`. */
const plainCookie =
  /^(?:(?:path|domain|max-age|expires|samesite|priority)=.*|httponly|secure|partitioned|[\w.-]{1,20}=(?:[A-Za-z_-]{0,12}|[A-Z][a-z]{2,12}\s{0,2}\/[A-Za-z_]{2,20}|\d{1,2}))$/i

/** Names of cookies that identify somebody, whatever the value looks like. */
const namesVisitor = /sess|auth|sid|login|remember|pass|pw|token|secret|key/i

/** Whether something in the value of a `Cookie` header may be a secret. */
export const holdsCookie = (header: string): boolean =>
  header.includes('=') &&
  header.split(';').some((pair) => !plainCookie.test(pair.trim()) || namesVisitor.test(pair.split('=')[0] ?? ''))
