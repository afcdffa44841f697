// Secrets that command lines and statements contain without a name: `curl -u ada:…`, `mysql -p…`, `IDENTIFIED BY '…'`. A table
// of programs says in which options or places; each row searches its program's line, at most 400 characters of it.
import { isValue, looksRandom, looksTyped } from './secret-shapes.ts'
import { groupSpans, type SearchedText, type Span } from './secret-values.ts'

/** Names of programs, and patterns for the rest of their line, of which group 1, 2 or 3 is the secret. */
type Row = readonly [programs: RegExp, ...secrets: RegExp[]]

/** Between an option and its value; also between two items of a list in JSON. */
const gap = String.raw`[\s"',=]{1,6}`
const value = String.raw`(?:(?<=')([^'\n]{1,300})|(?<=")([^"\n]{1,300})|([^\s"',-][^\s"',]{0,300}))`
const pattern = (source: string): RegExp => new RegExp(source, 'dg')

/** `-p x`, `-p=x`, `-p 'x y'`. */
const apart = (options: string): RegExp => pattern(String.raw`(?<=[\s"'])(?:${options})${gap}${value}`)
/** `-px`. */
const joined = (options: string): RegExp =>
  pattern(String.raw`(?<=[\s"'])(?:${options})(?:'([^'\n]{1,300})'|"([^"\n]{1,300})"|([^\s"',=-][^\s"',]{1,300}))`)
/** `-u ada:x`. */
const behindUser = (options: string, between = ':'): RegExp =>
  pattern(
    String.raw`(?<=[\s"'])(?:${options})[\s"',=]{0,6}(?:(?<=')[^\s:',]{1,80}${between}([^'\n]{1,300})|(?<=")[^\s:",]{1,80}${between}([^"\n]{1,300})|[^\s:"',=%]{1,80}${between}([^\s"',]{1,300}))`,
  )
/** `x` in `add_user ada x`. */
const behindWords = (words: string, count = 1): RegExp =>
  pattern(String.raw`(?:${words})(?:\s{1,4}[^\s]{1,200}){${count}}\s{1,4}["']?${value}`)

const login = String.raw`(?:docker|podman|nerdctl|helm|az|oc|skopeo|buildah|crane|oras|cf|ibmcloud|gh|glab|jf|argocd|tsh)\b[^\n;|]{0,200}?\blogin`

const rows: readonly Row[] = [
  [/\b(?:curl|https?|wget|xh|aria2c)(?=\s|["'],)/g, behindUser('-u|--user|--proxy-user|-U|-a|--auth|-E|--cert')],
  [/\b(?:mysql|mariadb|mycli|xtrabackup)\w{0,12}(?:-\w{1,12})?(?=[\s"'])/g, joined('-p')],
  [/\bsshpass\b/g, joined('-p'), apart('-p')],
  [new RegExp(String.raw`\b${login}\b`, 'g'), apart('-p|-t')],
  [/\b(?:redis|valkey|keydb)-cli\b/g, apart('-a')],
  [/\bldap[a-z]{3,8}\b/g, apart('-w|-s(?= ?[^b])')],
  [/\b(?:un)?zip\b|\bzipcloak\b/g, apart('-P'), joined('-P')],
  [/\b(?:7z[arz]?|rar|unrar)\b/g, joined('-p')],
  [/\b(?:smbclient|rpcclient|smbmap|mount\.cifs)\b/g, behindUser('-U', '%')],
  [/\bmongo[a-z]{0,8}\b/g, apart('-p')],
  [
    /\b(?:cqlsh|twine|psexec(?:64)?|crackmapexec|netexec|nxc|evil-winrm|hydra|cypher-shell|couchbase-cli|cbq|beeline|elasticsearch-users|rabbitmqadmin|ncftp(?:put|get|ls)|rdesktop|vncviewer|impala-shell|kafka-\w{3,20}|activemq|artemis|security|arangosh|nxcli|winexe|certutil|pk12util)\b/gi,
    apart('-p'),
  ],
  [
    /\b(?:sqlcmd|bcp|isql|osql|tsql|ipmitool|mosquitto_(?:pub|sub|rr)|mssql-cli|ssh-keygen|freebcp)\b/g,
    apart('-P|-N'),
    joined('-P'),
  ],
  [/\buser(?:add|mod)\b/g, apart('-p')],
  [/\b(?:plink|pscp|psftp|putty)\b/g, apart('-pw')],
  [/\bsnmp[a-z]{2,12}\b/g, apart('-c|-A|-X')],
  [/\bsecurity\s{1,4}(?:add|set|unlock|create|import)-?[\w-]{0,30}/g, apart('-w|-P')],
  [/\b(?:doctl|vercel|wrangler|nuget|snyk|sentry-cli|civo|hcloud|netlify)\b/g, apart('-t|-k|--auth')],
  [/\bdotnet\s{1,4}nuget\b/g, apart('-k')],
  [/\bnuget\b[^\n;|]{0,20}?\bsetapikey\b/gi, behindWords('^.', 0)],
  [/\brabbitmqctl\b/g, behindWords('add_user|change_password|authenticate_user')],
  [/\bcomposer\b[^\n;|]{0,40}?\bconfig\b/g, behindWords('http-basic[^\\s]{1,100}')],
  [
    /\bmc\s{1,4}(?:alias|config host)\s{1,4}(?:set|add)\b/g,
    pattern(String.raw`^\S?(?:\s{1,4}[^\s]{1,200}){3}\s{1,4}["']?${value}`),
  ],
  [/\boathtool\b/g, /(?<=\s)([A-Z2-7]{16,}|[0-9a-f]{20,})(?=\s|$)/dg],
  [/\bb2\s{1,4}(?:account\s{1,4}authorize|authorize[-_]account)\b/g, behindWords('^.')],
  [/\blftp\b/g, behindUser('-u', ',')],
  [/\betcdctl\b/g, behindUser('--user')],
  [
    /\b(?:ht|mosquitto_)passwd\b/g,
    behindWords('\\s-[a-zA-Z]{0,6}n[a-zA-Z]{0,6}(?:\\s{1,4}-[a-zA-Z]{1,6}){0,4}'),
    behindWords('\\s-[a-mo-zA-Z]{0,6}b[a-mo-zA-Z]{0,6}(?:\\s{1,4}-[a-zA-Z]{1,6}){0,4}', 2),
  ],
  [
    /\b(?:cmdkey|[xw]l?freerdp|runas|signtool|mstsc|schtasks|wmic|sc)\b/gi,
    /(?<=\s)\/(?:p|rp|pw|pass|password):["']?([^\s"']{1,300})/dgi,
  ],
  [/\bopenssl\b/g, /(?<=[\s"'])-pass(?:in|out|word)?[\s"',]{1,6}pass:([^\s"',]{1,300})/dg, apart('-k|-K')],
  [/\bwpa_passphrase\b/g, behindWords('^.')],
  [/\b(?:nmcli|netsh|connmanctl|iwctl)\b/g, apart('password|passphrase|--passphrase|[\\w.-]{0,30}psk')],
  [/\b(?:ftp-upload|wput|smtp-cli|swaks|sendemail|msmtp)\b/gi, apart('-ap|-xp|--auth-password|-au?p')],
  // Stores of secrets take values under any name.
  [
    /\b(?:gh|glab|wrangler|fly|flyctl|heroku|vercel|kubectl|oc|docker|podman|aws|gcloud|az|doppler|chamber|infisical|supabase|firebase|railway)\b[^\n;|]{0,60}?\b(?:secrets?|secretsmanager|keyvault|params?store)\b/g,
    apart('--body|-b|--secret-string|--secret-value|--value|--secret|--plaintext'),
    pattern(String.raw`--from-literal[\s"',=]{1,4}[\w.-]{1,80}=["']?([^\s"']{1,300})`),
    pattern(
      String.raw`\b(?:set|put|add|import)(?:\s{1,4}--?[\w-]{1,30}(?:[ =][\w.-]{1,60})?){0,4}\s{1,4}[\w.-]{1,80}=["']?([^\s"']{1,300})`,
    ),
  ],
  [/\baws\s{1,4}ssm\s{1,4}put-parameter\b(?=[^\n]{0,300}SecureString)/g, apart('--value')],
  [
    /\bvault\s{1,4}(?:kv\s{1,4}(?:put|patch)|write)\b/g,
    pattern(String.raw`(?<=\s)[\w.-]{1,80}=["']?((?!@|-(?:\s|$))[^\s"']{1,300})`),
  ],
  [/\bvault\s{1,4}operator\s{1,4}unseal\b/g, behindWords('^.', 0)],
  [/\bvault\s{1,4}login\b/g, behindWords('^.', 0)],
  [/\bdotnet\s{1,4}user-secrets\s{1,4}set\b/g, behindWords('^.')],
  [/\b(?:ConvertTo-SecureString)\b/gi, /(?<=\s)["']([^"'\n]{1,300})["']/dg],
  // Passwords that are piped into a program.
  [
    /(?<![\w-])(?:echo|printf)[ \t](?=[^\n|]{1,300}\|[^\n]{0,200}?(?:--password-stdin|--with-token|--data-file[= ]-|\bchpasswd\b|\bpasswd\b|\bsudo\s(?:-\w{1,4}\s){0,3}-S\b|\bsecret\s(?:set|put|create)|\bsecrets\s(?:create|versions|set)|--passphrase-fd|\b(?:cryptsetup|kinit|veracrypt)\b|\b(?:vault|op|pass)\s))/g,
    /^\s?(?:-\w{1,3}[ \t]{1,4}|["']?%s(?:\\?n)?\s{0,2}["']?[ \t]{1,4}){0,2}["']?([^\n|"']{1,200}?)["']?[ \t]{0,3}$/dg,
  ],
  [
    /\b(?:sudo\s{1,4}(?:-\w{1,4}\s{1,4}){0,3}-S|chpasswd|passwd|cryptsetup|gpg|with-token|password-stdin)\b/g,
    /<<<\s{0,3}["']?([^\s"']{1,300})/dg,
  ],
]

/** Group 1 is the secret. All quantifiers are bounded, and none follows another over the same characters. */
const statements: readonly RegExp[] = [
  /\b(?:machine\s{1,4}[^\s]{1,200}|default)\s{1,8}login\s{1,4}[^\s]{1,200}\s{1,8}(?:account\s{1,4}[^\s]{1,200}\s{1,8})?password\s{1,4}([^\s]{1,300})/dg,
  /\bnet\s{1,4}user\s{1,4}[^\s/]{1,80}\s{1,4}([^\s/*][^\s]{0,200})\s{1,4}\/[a-z]/dgi,
  /\bnet\s{1,4}use\s[\s\S]{0,120}?\s([^\s/*\\]{1,200})\s{1,4}\/user:/dgi,
  /(?:\b(?:sqlplus|expdp|impdp|sqlldr|rman)\s{1,4}(?:-\w{1,4}\s{1,4})?|\bjdbc:oracle:(?:thin|oci):)[\w$#]{1,60}\/([^\s@/]{1,200})@/dgi,
  /(?:^|[\s"'])(?:-u|--user)[\s"',=]{1,6}[^\s:"',=]{1,80}:([^\s"',]{1,300})[\s"',][^\n]{0,200}?https?:/dg,
  // Code that types into a field of a page or at a prompt.
  /\.(?:fill|type|set_?value|press_?sequentially|send_?keys)\(\s{0,4}["'`][^"'`\n]{0,80}(?:passw|pwd|secret|token|otp)[^"'`\n]{0,40}["'`]\s{0,4},\s{0,4}["'`]([^"'`\n]{1,200})/dgi,
  /(?:passw|pwd|secret|token|otp)[^\n()]{0,40}\)\.(?:fill|type|set_?value|press_?sequentially|send_?keys|val)\(\s{0,4}["'`]([^"'`\n]{1,200})/dgi,
  /(?:passw|pwd|secret|token|otp)[^\n()]{0,40}\)\.value\s{0,4}=\s{0,4}["'`]([^"'`\n]{1,200})/dgi,
  /(?:assword|assphrase|PIN|asswort)[^\n]{0,40}\n?[^\n\w]{0,12}\w{0,20}\.?send(?:_?line)?[\s(]{1,3}(?:-- )?["']([^"'\n]{1,200}?)(?:\s{0,2})["']/dg,
  /\bidentified\s{1,4}(?:with\s{1,4}\S{1,60}\s{1,4})?(?:by|as)\s{1,4}(?:password\s{1,4})?(?:'([^'\n]{1,300})'|"([^"\n]{1,300})"|([^\s;'"]{3,300}(?=;|\s{0,4}$)))/dgi,
  /\bset\s{1,4}password\s{1,4}for\s{1,4}\S{1,120}?\s{0,4}=\s{0,4}(?:password\()?'([^'\n]{1,300})'/dgi,
  /\b(?:crypt|digest|hashpw)\(\s{0,4}b?'([^'\n]{1,200})'/dgi,
  /\b(?:pgp_sym_(?:en|de)crypt|aes_(?:en|de)crypt|encode_aes)\([^()\n]{0,200}?,\s{0,4}'([^'\n]{1,200})'/dgi,
  /(?:sicherheitsfrage|security question|pregunta (?:de seguridad|secreta)|question (?:de sécurité|secrète)|domanda (?:di sicurezza|segreta))[^\n]{0,120}?(?:\n[^\n:]{0,20})?(?:antwort|answer|respuesta|réponse|risposta)[ ]?[:=][ ]{0,2}["']?(?!(?:bitte|please|see|siehe|voir)\s)([^\s"'.,;]{2,60})/dgi,
  /\bstats\s{1,4}auth\s{1,4}[^\s:]{1,60}:(\S{1,200})/dg,
  // Lists of `user:password`: chpasswd, Postfix.
  /(?:chpasswd|sasl_?passwd\w{0,8})\b[^\n]{0,80}\n(?:[^\n]{0,40}\|\s{0,2}\n)?[ \t]{0,20}(?:- )?(?:\S{1,120} )?[\w.@-]{1,60}:([^\s:|]{4,200})/dg,
  // Lines of protocols: SMTP, FTP, IMAP, IRC, Redis.
  /(?<![\w-])AUTH\s(?:PLAIN|LOGIN|XOAUTH2|CRAM-MD5)\s(?:"?([A-Za-z0-9+/]{4,4000}={0,2}))/dg,
  /\bUSER\s\S{1,100}\s{1,6}(?:[^\n]{0,60}\n){0,2}[^\w\n]{0,4}(?:C: )?PASS\s(\S{1,200})/dg,
  /(?:^|\n)(?:C: )?\w{1,6} LOGIN "?[^\s"]{1,100}"? "?([^\s"]{1,200})/dg,
  /\bIDENTIFY\s(?:\w{1,40}\s)?(\S{4,100})\s{0,3}(?:$|\n)/dg,
  /(?:^|[\n>])\s{0,3}AUTH\s(?:[\w-]{1,40}\s)?((?=[A-Za-z]{0,60}[^A-Za-z\s])\S{6,300})\s{0,3}(?:$|\n)/dg,
  /\bWIFI:(?=[^\n]{0,200}S:)[^\n]{0,200}?(?<=[:;])P:((?:[^;\\\n]|\\.){1,100});/dg,
  /(?:^|\n)(?=[^:\n]{0,80}[a-z*])[\w.*-]{1,80}:(?:\d{4,5}|\*):[\w*-]{1,60}:[\w*.@-]{1,60}:([^\s:]{2,200})/dg,
  // Hashes of passwords, as `crypt(3)` writes them.
  /(\$(?:2[abxy]|1|5|6|7|y|gy|apr1|argon2(?:id?|d)|scrypt|pbkdf2[\w-]{0,10})\$[^\s:"'\\]{20,300})/dg,
  /\bnet\s{1,4}use\s[^\n]{0,120}?\/user:(?:\S| {2}(?=\S)){1,100}\s{1,4}([^\s/*\\][^\s]{0,200})/dgi,
  /\b(?:jwt|jsonwebtoken|jose)\.(?:sign|verify|encode|decode)\([^\n]{0,300}?,\s{0,4}b?["'\x60]([^"'\x60\n]{6,200})["'\x60]/dgi,
  // Routers and switches.
  /\b(?:password|secret|key-string)\s[05-9]\s(\S{2,200})/dg,
  /\bsnmp-server\scommunity\s(\S{2,100})/dg,
  /\b(?:(?:tacacs|radius)-server|isakmp)\skey\s(?:\d\s)?(\S{2,200})/dg,
  /\bsp_(?:addlogin|password)\s{1,4}N?'[^'\n]{0,100}',\s{0,4}N?'([^'\n]{1,200})'/dgi,
  /\bFernet\(\s{0,4}b?["']([^"'\n]{20,100})["']/dg,
  // App passwords of Google and Apple.
  /passw[^\s:=]{0,12}(?:[^\n:=]{0,20}[:=][ \t]{0,8}|[ \t]{2,40})["']?((?:[a-z]{4}[ -]){3}[a-z]{4})(?![a-z]|[ -][a-z])/dgi,
  /\bcreateHmac\(\s{0,4}["'][^"'\n]{1,40}["'],\s{0,4}["']([^"'\n]{4,200})["']/dg,
  /\bhmac\.new\(\s{0,4}b?["']([^"'\n]{4,200})["']/dg,
  /\b(?:AES|DES|TripleDES|Rabbit)\.(?:en|de)crypt\([^\n]{0,200}?,\s{0,4}["']([^"'\n]{4,200})["']/dg,
  // Host, user and password: `mysqli_connect("localhost", "web", "…")`.
  /(?:connect\w{0,20}|getConnection|new\s{1,3}PDO|_login|_bind)\(\s{0,20}(?:["'][^"'\n]{0,300}["']|\$?[\w.$>-]{1,60}),\s{0,20}(?:\d{1,5},\s{0,4})?["'][^"'\n]{0,120}["'],\s{0,20}["']([^"'\n]{4,200})["']/dg,
  // User and password: `login("ada", "…")`, `auth=("ada", "…")`.
  /(?:auth|log_?in|sign_?in|credentials?|authenticate|user_?pass\w{0,20})\s{0,3}[=({]\s{0,3}\(?(?:[\w.]{1,60},\s{0,3}){0,2}["'][^"'\n]{0,120}["'],\s{0,4}["']([^"'\n]{4,200})["']/dgi,
]

/** Codes that somebody is told to enter. */
const codes: readonly RegExp[] = [
  /(?<![\p{L}])(?:use|enter|utilise[rz]?|usa|verwende)\s(\d{4,8}|\d{3}[ -]\d{3})\s(?:to|um|para|pour|per|zum|as)\s(?:[^\n.]{0,20}?(?:your|it.?s\syou|ihr|dein|tu|su|votre|ton|seu)(?![\p{L}]{4})[^\n.]{0,40}?(?:verif|vérif|confirm|log|sign|bestätig|anmeld|code|account|identity|email|konto|compte|cuenta|conta|phone)|(?:log|sign)[ -]?in(?=[.!,;:]|\s{0,3}(?:\n|$)|\s(?:to|at|on|with|into|as|now|securely)\s)|[^\n.]{0,20}?(?:anmeld|anzumeld))/dgiu,
  // For six digits, as most codes have, weaker signs are enough.
  /(?<![\p{L}])(?:use|enter|utilise[rz]?|usa|verwende)\s(\d{6}|\d{3}[ -]\d{3})\s(?:to|um|para|pour|per|zum|as)\s[^\n.]{0,40}?(?:verif|vérif|confirm|(?:log|sign)[ -]?in(?!\p{L})|bestätig|anmeld|code)/dgiu,
  // "918273 is your verification code", and the other way round.
  /(?<![\w.-])(?:[A-Z]-)?(\d{4,8}|\d{3}[ -]\d{3})\s(?:is|ist|es|est|è|é)\s(?:your|ihr|dein|tu|su|votre|ton|il\stuo|o\sseu|seu)\s[^\n.]{0,40}?(?:code|código|codice|otp|pin|passcode)/dgi,
  /(?<![\p{L}])(?:your|ihr|dein|tu|su|votre|ton|tuo|seu)\s(?:[\p{L}\d-]{1,20}\s){0,3}?(?<!(?:postal|post|zip|area|order|error|status)\s)(?:code|código|codice)\s?(?:is|ist|lautet|es|est|è|é|:)\s(\d[\d -]{2,8}\d)/dgiu,
]

/** What each of them contains. */
const digits = /\d[\d -]{2}/

const words =
  /login|frage|question|pregunta|domanda|c[oó]d|snmp-server|-server\skey|isakmp|sp_|Fernet|\buse[r]?\b|assw|asswort|passphrase|PIN|secret|token|otp|identified|crypt|digest|AUTH|LOGIN|USER|IDENTIFY|WIFI|sqlplus|impdp|expdp|sqlldr|rman|jdbc|-u\b|\$[1-9agpsy]|auth|sign_?in|credential|connect|PDO|jwt|hmac|crypt\(|\buse\s|pwd|:(?:\d{4,5}|\*):|hashpw/i

/** A user name and `-p`; the value must look typed, because most are ports. */
const userAndOption = /(?<=\s)(?:-u|-U|--user(?:name)?)[\s=]\S{1,80}\s{1,3}-p[\s=]?["']?([^\s"']{6,200})/dg

/** A user name and a password in prose; the password must look typed. */
const pairs =
  /(?:credentials?|creds|log(?:ged)?[ -]?(?:in|on)|sign(?:ed)? in|anmeldung|zugang|zugangsdaten|anmeldedaten|account|accès|acceso|acc?esso|user(?:name)?[ ]?\/[ ]?pass(?:word)?|benutzer[ ]?\/[ ]?passwort)\b[^\n/]{0,60}?[\s:"'`(][^\s/:]{1,80}[ ]\/[ ]([^\s"'`<>]{6,100})/dgi

/** "using … as the password", "token … with value …", `connect("ada", "…")`, `auth sha …` of SNMP. */
const typedOnes: readonly RegExp[] = [
  pairs,
  userAndOption,
  /\b(?:using|with|use|mit|avec|con)\s(\S{6,80})\s(?:as|als|comme|como|come)\s(?:the\s|das\s)?(?:password|passwort|passphrase|pin|token|key)\b/dgi,
  /(?:token|key|secret)\b[^\n]{0,40}?\bvalue\s(\S{8,200})/dgi,
  /connect\w{0,20}\(\s{0,20}["'][^"'\n]{0,120}["'],\s{0,4}["']([^"'\n]{6,200})["']/dg,
  /\b(?:auth|priv)\s{1,3}(?:sha|md5|aes|3?des)[\w-]{0,4}\s{1,3}(?:\d{1,3}\s{1,3})?(\S{6,100})/dgi,
]

/** An option of one letter with a random value, of any program. */
const shortOption =
  /(?<=\s)-[tkpPaswT][ \t=]{1,2}["']?((?=[\w+/-]{0,80}[a-z])(?=[\w+/-]{0,80}[A-Z])[\w+/-]{20,300}={0,2})(?![\w:.@-])/dg

const longestLine = 400
/** Not behind a backslash, which continues the line. */
const lineEnd = /(?<!\\)\n|\s(?:\|{1,2}|&&|;)\s|;\s/g

const rowsAtOnce = 5
/** A fast path: most texts name none of the programs. In parts, since V8 takes four times as long to compile them as one. */
const programs = Array.from({ length: Math.ceil(rows.length / rowsAtOnce) }, (_, at) => {
  const some = rows.slice(at * rowsAtOnce, (at + 1) * rowsAtOnce)
  return { some, any: new RegExp(some.map(([named]) => named.source).join('|'), 'i') }
})

/** The secrets of a text in command lines and statements. */
export function commandSecrets({ shown }: SearchedText): readonly Span[] {
  return [
    ...programs.flatMap(({ any, some }) => (any.test(shown) ? some.flatMap((row) => inLines(shown, row)) : [])),
    ...typedOnes
      .flatMap((each) => groupSpans(shown, each))
      .filter(({ start, end }) => looksTyped(shown.slice(start, end))),
    ...groupSpans(shown, shortOption).filter(({ start, end }) => looksRandom(shown.slice(start, end))),
    ...(words.test(shown) ? statements.flatMap((each) => groupSpans(shown, each)) : []),
    ...(digits.test(shown) && words.test(shown) ? codes.flatMap((each) => groupSpans(shown, each)) : []),
  ].filter(({ start, end }) =>
    shown.startsWith('$', start) ? /^\$[\w-]{1,20}\$/.test(shown.slice(start, end)) : isValue(shown.slice(start, end)),
  )
}

/** Where the program's line ends, outside of quotes. */
function endOf(rest: string): number {
  lineEnd.lastIndex = 0
  for (let hit = lineEnd.exec(rest); hit !== null; hit = lineEnd.exec(rest)) {
    const before = rest.slice(0, hit.index)
    if (hit[0] !== '; ' || before.split("'").length % 2 === 1) return hit.index
  }
  return rest.length
}

function inLines(shown: string, [programs, ...secrets]: Row): readonly Span[] {
  const found: Span[] = []
  programs.lastIndex = 0
  for (let hit = programs.exec(shown); hit !== null; hit = programs.exec(shown)) {
    const from = hit.index + hit[0].length
    const rest = shown.slice(from - 1, from + longestLine)
    const line = rest.slice(0, endOf(rest))
    for (const each of secrets)
      found.push(...groupSpans(line, each).map((span) => ({ start: span.start + from - 1, end: span.end + from - 1 })))
    programs.lastIndex = Math.max(from, from - 1 + line.length)
  }
  return found
}
