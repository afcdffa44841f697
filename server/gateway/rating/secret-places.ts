// Files and folders in which programs keep secrets, by the names that they have everywhere. Reading one changes nothing,
// and what it holds goes to the agent, so a person is asked. One home for lines of a shell and for tools that read files.
import { posix } from 'node:path'

/** Files, by their own name, in small letters. */
const files: readonly RegExp[] = [
  // `.env`, `.env.local`, `prod.env`, and not what shows others which settings there are.
  /^(?!.*[._-](?:example|sample|template|tpl|dist|defaults?|schema|ts|js|md)$|(?:example|sample|template)\.env$)(?:[\w.-]+)?\.env(?:[._-][\w.-]+)?~?$|^\.envrc$|^\.dev\.vars$/,
  /^(?:[._]netrc|\.pgpass|pgpass\.conf|\.npmrc|\.yarnrc\.yml|\.pypirc|\.my\.cnf|\.mylogin\.cnf|\.htpasswd|\.s3cfg|\.boto|\.dockercfg|\.dockerconfigjson|\.vault-token|\.git-credentials|\.terraformrc|wp-config\.php|\.claude\.json|claude_desktop_config\.json)$/,
  /^\.?(?:bash|zsh|sh|fish|psql|mysql|sqlite|python|node_repl|rediscli)_history$/,
  /^(?!.*\.pub$)id_(?:rsa|dsa|ecdsa|ed25519)(?:[._-][\w.-]*)?$/,
  /^(?:[\w.-]*[._-])?(?:credentials?|secrets?)(?:(?:\.[\w-]+)?\.(?:json|ya?ml|toml|ini|properties|xml|csv|db|env|enc|txt|tfrc\.json))?$/,
  /^(?:client[_-]?secrets?|service[_-]?account|application_default_credentials)[\w.-]*\.json$/,
  /^(?:auth\.json|token\.json|master\.key|kubeconfig|terraform\.tfstate(?:\.backup)?|g?shadow-?|logins\.json|key[34]\.db|login data|cookies(?:\.sqlite)?)$/,
  /^(?!(?:.*[._-])?pub(?:lic)?[._-])[\w. -]+\.(?:key|p8|p12|pfx|jks|keystore|kdbx|ppk|tfvars)$/,
  // Not what is public by its name: certificates and what checks a signature; a key beside a certificate is none of them.
  /^(?:(?=.*(?<!pub(?:lic)?[._-]?)key)|(?!(?:.*[._ -])?(?:pub|public|certs?|certificates?|(?:full)?chain|ca|cacerts?|bundle|pubkey)[._ -]))[\w. -]+\.(?:pem|asc|gpg)$/,
]

/** Folders, wherever they stand in a path. */
const folders =
  /(?:^|\/)(?:\.(?:aws|azure|gnupg|password-store|kube|1password)|\.config\/(?:gcloud|gh|op|rclone)|\.docker\/config\.json|library\/keychains|\.local\/share\/keyrings|run\/secrets|etc\/ssl\/private)(?:\/|$)/

/** Memory and disks as they are, with all that anybody keeps there. */
const raw =
  /^\/(?:dev\/(?:k?mem|port|(?:[shv]|xv)d[a-z]|nvme\d|mmcblk\d|r?disk[\d/]|block\/|mapper\/.|dm-\d|md\d|loop\d|z?ram\d|nbd\d)|proc\/(?:kcore|.*\/mem$))/

/** Files that are secret by where they lie: what a process was started with, what git sends along, tokens of a program. */
function isKept(parts: readonly string[], name: string): boolean {
  const beforeName = parts.slice(0, -1)
  const below = beforeName.slice(beforeName.indexOf('proc'))
  if (below[0] === 'proc' && below.length > 1)
    return name.startsWith('env') || (/[*?[]/.test(name) && !/^(?:sys|net|irq|fs)$/.test(below[1] ?? ''))
  if (beforeName.includes('.git') && (name === 'config' || isPatternOfConfig(beforeName, name))) return true
  // Colours and sizes of a design are called tokens, too.
  const isOfDesign = name.startsWith('design') || beforeName.some((part) => designs.has(part))
  return tokens.test(name) && (!isOfDesign || beforeName.some((part) => /^\.[^.]/.test(part)))
}

const tokens = /(?:^|[._-])tokens?\.json$/
const designs = new Set(['theme', 'themes', 'styles', 'design', 'design-tokens'])

/** Whether a pattern, in a folder in which git keeps its configuration, may become its name. */
function isPatternOfConfig(folder: readonly string[], name: string): boolean {
  const pieces = piecesOf(name)
  return pieces.length > 1 && (folder.at(-1) === '.git' || folder.includes('modules')) && fits(pieces, 'config')
}

/** What stands around the wildcards of a part of a path. */
const piecesOf = (part: string): readonly string[] => part.split(/[*?]+|\[[^\]]*\]?/)

/** What lies in `.ssh` and is no secret. */
const openInSsh = /(?:^|\/)\.ssh\/(?:config|known_hosts(?:\.old)?|authorized_keys|[^/]+\.pub)$/

/** Names for which a pattern may stand: `.e*` is `.env`, too. */
const names =
  `.env .envrc .netrc .pgpass .npmrc .pypirc .git-credentials .ssh .aws .azure .gnupg .kube .docker .config .password-store
  .bash_history .zsh_history .vault-token .my.cnf id_rsa id_ed25519 id_ecdsa credentials secrets`.split(/\s+/)
const longNames = ['credentials.json', 'secrets.yml', 'secrets.json', 'terraform.tfstate', 'terraform.tfvars', ...names]

/** Whether a part of a path with `*` in it may become a name of a secret. */
function mayBecome(part: string): boolean {
  const pieces = piecesOf(part)
  const [start = ''] = pieces
  if (pieces.length === 1) return false
  // What stands for anything may stand for nothing, and for the dot in front.
  const may = ['x', ''].map((letter) => pieces.join(letter))
  if ([...may, `.${pieces.join('')}`].some((name) => isSecretName(name))) return true
  // Of few letters, `s*`, it stands for far too much.
  const isTelling = start.startsWith('.') || part.replaceAll(/\W/g, '').length > 2
  const candidates = start.length > 3 ? longNames : names
  return (
    isTelling &&
    (start === '' || start.startsWith('.') || start.length > 2) &&
    candidates.some((name) => fits(pieces, name))
  )
}

/** Whether these pieces stand in a name, one behind the other, from its beginning to its end. */
function fits(pieces: readonly string[], name: string): boolean {
  let from = 0
  for (const [at, piece] of pieces.entries()) {
    const found = at === 0 ? (name.startsWith(piece) ? 0 : -1) : name.indexOf(piece, from)
    if (found < 0) return false
    from = found + piece.length
  }
  const last = pieces.at(-1) ?? ''
  return name.endsWith(last) && from <= name.length
}

const isSecretName = (name: string): boolean => files.some((each) => each.test(name))

/**
 * Whether a path, or a pattern of paths, names a place where secrets are kept. What stands behind a colon or "#" may be
 * lines, a stream, or the path itself: `.env:1-20`, `.env::$DATA`, `HEAD:.env`.
 */
export function isSecretPlace(text: string): boolean {
  // Longer than any path may be; nobody knows what a server makes of it.
  if (text.length > 4096) return true
  const named = address(text)
    .trim()
    .replace(/^file:\/\//i, '')
    .replaceAll('\\', '/')
    .toLowerCase()
  const path = posix.normalize(named.replace(/^[a-z]:(?!\/)/, '')).replace(/\/$/, '')
  if (openInSsh.test(path)) return false
  const parts = path.split('/')
  // Windows opens the file without what ends its name.
  const name = (parts.at(-1) ?? '').replace(/[. ]{1,8}$/, '')
  return (
    /(?:^|\/)\.ssh(?:\/|$)/.test(path) ||
    folders.test(path) ||
    raw.test(path) ||
    isKept(parts, name) ||
    name.split(/[:#]/).some(isSecretName) ||
    parts.some(mayBecome)
  )
}

/** What an address of a file says, which some servers take as well. */
function address(text: string): string {
  if (!/^file:/i.test(text)) return text
  const [path = ''] = text.split('?')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
