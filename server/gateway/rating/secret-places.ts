// Files and folders in which programs keep secrets, by the names that they have everywhere. Reading one changes nothing,
// and what it holds goes to the agent, so a person is asked. One home for lines of a shell and for tools that read files.

/** Files, by their own name, in small letters. */
const files: readonly RegExp[] = [
  // `.env`, `.env.local`, `prod.env`, and not what shows others which settings there are.
  /^(?!.*\.(?:example|sample|template|tpl|dist|defaults?|schema|ts|js|md)$)(?:[\w.-]+)?\.env(?:\.[\w.-]+)?$|^\.envrc$/,
  /^(?:[._]netrc|\.pgpass|pgpass\.conf|\.npmrc|\.yarnrc\.yml|\.pypirc|\.my\.cnf|\.mylogin\.cnf|\.htpasswd|\.s3cfg|\.boto|\.dockercfg|\.dockerconfigjson|\.vault-token|\.git-credentials|\.terraformrc|wp-config\.php)$/,
  /^\.(?:bash|zsh|sh|fish|psql|mysql|sqlite|python|node_repl|rediscli)_history$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /^(?:[\w.-]+[._-])?(?:credentials?|secrets?)(?:\.(?:json|ya?ml|toml|ini|properties|xml|csv|db|env|enc|txt|tfrc\.json))?$/,
  /^(?:client[_-]?secrets?|service[_-]?account|application_default_credentials)[\w.-]*\.json$/,
  /^(?:master\.key|kubeconfig|terraform\.tfstate(?:\.backup)?|g?shadow-?|logins\.json|key[34]\.db|login data|cookies(?:\.sqlite)?)$/,
  // Keys and their stores, and not what is public: certificates, `id_rsa.pub`.
  /^(?!.*(?:pub|cert|chain|(?:^|[._-])ca[._-]))[\w. -]+\.(?:pem|key|p8|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|tfvars)$/,
]

/** Folders, wherever they stand in a path. */
const folders =
  /(?:^|\/)(?:\.(?:aws|azure|gnupg|password-store|kube|1password)|\.config\/(?:gcloud|gh|op|rclone)|\.docker\/config\.json|library\/keychains|\.local\/share\/keyrings|run\/secrets|etc\/ssl\/private|proc\/[^/]+\/environ)(?:\/|$)/

/** What lies in `.ssh` and is no secret. */
const openInSsh = /(?:^|\/)\.ssh\/(?:config|known_hosts(?:\.old)?|authorized_keys|[^/]+\.pub)$/

/** How the names begin that a pattern may stand for: `.e*` is `.env`, too. */
const beginnings =
  `.env .envrc .netrc .pgpass .npmrc .pypirc .git-credentials .ssh .aws .azure .gnupg .kube .docker .config
  .password-store .bash_history .zsh_history .vault-token .my.cnf id_rsa id_ed25519 id_ecdsa credentials secrets`.split(
    /\s+/,
  )

/** Whether a part of a path with `*` in it may become one of these names. */
function mayBecome(part: string): boolean {
  const start = part.slice(0, part.search(/[*?[]/))
  if (start === part || !/[*?[]/.test(part)) return false
  return start === ''
    ? files.some((each) => each.test(part.replaceAll(/[*?[\]]/g, 'x')))
    : beginnings.some((name) => name.startsWith(start))
}

/** Whether a path, or a pattern of paths, names a place where secrets are kept. */
export function isSecretPlace(text: string): boolean {
  if (text.length > 4096) return false
  const path = decoded(text)
    .trim()
    .replace(/^file:\/\//i, '')
    .replaceAll(/[/\\]+/g, '/')
    .replaceAll(/\/\.(?=\/)/g, '')
    .replace(/\/\.?$/, '')
    .toLowerCase()
  if (openInSsh.test(path)) return false
  const parts = path.split('/')
  const name = parts.at(-1) ?? ''
  return (
    /(?:^|\/)\.ssh(?:\/|$)/.test(path) ||
    folders.test(path) ||
    files.some((each) => each.test(name)) ||
    parts.some(mayBecome)
  )
}

/** As an address writes it, which some servers take as well. */
function decoded(text: string): string {
  if (!/^file:/i.test(text)) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
