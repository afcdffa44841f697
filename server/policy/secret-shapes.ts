// Whether a text is a value (something that a person or a machine made up) or a placeholder: a mask, a variable, a type, a
// label, a reference to where the secret is. Used for texts and for fields of JSON alike.

/** Whether it is random: at least 16 characters without a blank in which letters and digits alternate often. */
export function looksRandom(value: string): boolean {
  if (!/^[\w+/=~-]{16,}$/.test(value)) return false
  const changes = value.slice(0, 400).match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0
  return changes >= 4 && changes * 12 >= Math.min(value.length, 48)
}

/** Whether it looks like a typed password: letters with a digit or a sign, as `Girasol2024` or `caju#verde`. */
export const looksTyped = (value: string): boolean =>
  value.length >= 6 &&
  /\p{L}/u.test(value) &&
  (/\d/.test(value) || /[#$%&*+=?@^~<>|!]/.test(value.slice(0, -1))) &&
  !/^(?:https?:|\d{1,4}[./-]\d|v?\d+(?:\.\d+)+|\w{1,20}\/\w{1,20}$|[A-Za-z]{1,20}\/\d{1,4}(?:\.\d{1,4}){1,3}$|[\p{L}\p{N}._-]{1,60}@[\w-]{1,60}(?:\.[\w-]{1,60}){1,4}$)/u.test(
    value,
  ) &&
  !/^(?:\p{L}{1,20}[-/']){1,4}\p{L}{1,20}$/u.test(value)

/** Patterns of placeholders. Each is tried on the whole value. */
const standIns: readonly RegExp[] = [
  // Masks, and keys of which only an end is shown.
  /^[^\p{L}\p{N}]{1,2}$|^([*#_-]{1,3})[A-Z _*#-]{2,60}\1$/u,
  /^[*•·.xX#_○●-]{3,}$|\*{3,}|•{2,}|…|\.{3}|[xX]{6,}|^(.)\1{4,}$/,
  // Variables of shells, templates and statements.
  /^(?:\$[A-Za-z_{(]|\{\{|%[sd(]|%\w+%$|#\{|@@?\w+@?@?$|:\w+$|\?$|@\w+\.\w+\(|!(?:secret|Ref|Sub|GetAtt|vault|ImportValue)\b|`)/,
  /^<[^<>]{0,80}>?$|^\[[^\]]{0,60}\]?$|^\([^()]{0,80}\)?$|^\{\w{0,60}\}?$/,
  /^[&*][a-z_]\w{0,40}$|^\$\d{1,2}$|^(?:Ctrl|Alt|Shift|Cmd|Meta|Command|Option)\+\w|^0x[\da-f]{40}$/i,
  // References to where it is stored.
  /^(?:env|file|fd|op|vault|ssm|sm|secret|arn|classpath|keychain|ref\+\w+|projects|kms|azurekv|gcpsm|awssm|doppler|https?):(?!\S*[?@]\S*\d)/i,
  /^(?:~|\.{1,2}|[A-Za-z]:)?(?:[/\\][\w.@{}$-]{1,40}){2,12}$|^[\w./-]{1,80}\.(?:key|pem|crt|cer|txt|json|ya?ml|env|jks|p12|pfx|ts|js|py|java|md)$|^\.{0,2}\/[\w.-]{1,30}$/,
  // Paths of small words: `database/creds/app`, `DB_PASS=projects/1/secrets/db`.
  /^(?:\w{1,40}=)?(?:[a-z][a-z_.-]{1,40}\d{0,2}|\d{1,12})(?:\/(?:[a-z][a-z_.-]{0,40}\d{0,2}|\d{1,12})){2,10}(?:[:#][\w.-]{1,40})?$/,
  /^(?:\w{1,40}=)?[a-z][a-z_-]{1,40}\/[a-z][a-z_-]{1,40}[:#][\w.-]{1,40}$|^(?:[\w.-]{1,60}:)?(?:[~.]{0,2}\/[\w.@-]{1,60}){2,12}(?::r[ow])?$/,
  /^(?:random_password|random_string|module|(?:aws|google|azurerm|vault|kubernetes|tls)_\w{1,60})\.[a-z_]\w{0,60}\./,
  // Public: certificates and public keys in base64, a point on P-256, a mail address.
  /^LS0tLS1CRUdJTiB(?:DRVJ|QVUJM|UlNBIFBVQ)|^B[A-Za-z\d_-]{86}$|^(?:ssh-(?:rsa|ed25519)|ecdsa-sha2-\S{1,20})(?:\s|$)|^age1[a-z\d]{50,}|<[^<>\s]{1,60}@[^<>\s]{1,60}>$/,
  /^sha(?:1|256|384|512)[-:]|^(?:sha|hs|rs|es|ps|md|aes|rsa|dsa|ecdsa|hmac)-?(?:1|2|3|5|128|192|224|256|384|512|1024|2048|4096)(?:[-_]?with[-_]?[a-z]{2,12}|[-_][a-z]{2,12}){0,3}$|^gpio_?\d{1,2}$/i,
  // Code.
  /^(?:process\.env|os|env|var|vars|local|data|secrets|self|this|config|settings|req|request|ctx|props|state|options|args|params|opts|cfg|conf|user|input|form|body|event|response|res|result|e)(?:\?|!)?(?:\.|->|::)[a-zA-Z_$]/,
  /^[A-Za-z_$][\w$.]{0,60}(?:\?\.|::|->)?[([]|^[A-Za-z_]\w{0,40}(?:::\w{1,40}){1,6}|^&?[a-z]?\w{0,30}<\w/,
  /^[A-Z][a-z]{1,20}(?:[A-Z][a-z]{1,20}){1,6}[!?]?$/,
  // Counts, versions, times, colours.
  /^v\d{1,3}$|^[\^~<>=v]{0,2}\d{1,4}(?:\.\d{1,4}){1,3}(?:-[\w.]{1,20})?(?::\w{1,20})?$|^\d{1,5}(?:ms|s|m|h|d|w|y|px|rem|em|%|k|kb|mb)$|^#[0-9a-f]{3,8}$/i,
  /^\d{4}-\d\d-\d\d(?:[T ]|$)/,
]

/** Words that follow the name of a secret and are no value. */
const saying = new Set(
  'null none nil undefined true false yes no on off required optional missing string text number boolean bool int integer varchar empty blank invalid valid expired wrong incorrect correct changed unchanged reset set unset not ok bad weak strong hidden redacted masked expire expires unknown default inherit inherited bearer basic digest oidc oauth ldap saml oauth2 disabled enabled sent entered forgotten read write str bytes float any object dict wie include omit same-origin plain ed25519 your the a an and or is was has must should may can please enter type vergessen falsch erforderlich incorrecta incorrecto olvidada incorrect oublié oubliée incorreta await new return const let function value values user admin-provided see siehe ask stored rotated revoked refreshed updated removed deleted created generated encrypted sensitive opaque ro rw n/a na tbd todo unavailable provided supplied protected secured void never def fn func self json option vec list array map char secretstr optional uuid date datetime varbinary bytea nvarchar file prompt stdin env keychain auto manual automatic static dynamic only some this that these we use using obligatoire obligatorio obligatoria obrigatório obrigatória obbligatoria obbligatorio mínimo minimum mindestens vereist verplicht wymagane krävs påkrævet richiesta requis requise requerida caducada expirada geändert abgelaufen optionnel opcional opzionale with without for from in at by if when never always'.split(
    ' ',
  ),
)

/** Words of which placeholders consist: `your_password_here`, `REPLACE-ME`, `<INSERT_API_KEY_HERE>`. */
const placeholderWords = new Set(
  'your my the a insert replace enter put add paste set here me change changeme with by this it example sample placeholder dummy fake todo tbd fixme redacted hidden omitted removed masked some any value password passwd pass pwd secret token key api access client auth private user username host database db name id app xxx foo bar from to of see in is not be must required string test-only generate generated'.split(
    ' ',
  ),
)

function isPlaceholder(value: string): boolean {
  const parts = value
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((part) => part !== '')
  if (/\d/.test(value) || parts.length === 0 || !parts.every((part) => placeholderWords.has(part))) return false
  return parts.length > 1 || value === value.toUpperCase() || parts[0] === 'changeme'
}

/** The beginning of an error message about a secret: "is too short", "must have 12 characters". */
const message =
  /^(?:is|are|was|were|has|have|had|must|should|can|can[’']t|cannot|could|may|might|will|does|doesn[’']t|did|didn[’']t|please|at|too|not|needs?|requires?|expected|darf|muss|ist|doit|debe|deve)\s+(?:be|been|too|not|no|at|least|have|contain|match|only|an?|to|expired|required|invalid|blank|empty|enter|choose|provide|use|your|short|long|weak|nicht|zu|mindestens|pas|avoir|tener|contenir|contener|\d+)(?:\s|$)/i

/** Whether this is a value that somebody could use, and no placeholder. */
export function isValue(value: string): boolean {
  const bare = value.slice(0, 400).trim()
  return (
    bare !== '' &&
    !bare.includes('[redacted') &&
    !saying.has(bare.toLowerCase().replace(/(?<![.!?,;])[.!?,;]+$/, '')) &&
    !isPlaceholder(bare) &&
    !message.test(bare) &&
    !standIns.some((each) => each.test(bare))
  )
}
