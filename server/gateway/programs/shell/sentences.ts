// One sentence in plain words for what a command does that does more than read, for whoever has to judge it.

/** What is said of one command. */
export interface Said {
  readonly sentence: string
  /** It deletes, takes over or gives away what cannot be had back. */
  readonly critical?: boolean
  /** It only adds. */
  readonly adds?: boolean
}

/** "a, b and c". */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => shortened(/\s/.test(name) ? JSON.stringify(name) : name))
  const more = names.length - shown.length
  const all = more > 0 ? [...shown, `${more} more`] : shown
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}

export const shortened = (text: string): string => {
  const line = text.slice(0, 500).replaceAll(/\s+/g, ' ')
  return line.length > 100 ? `${line.slice(0, 100)}…` : line
}

/** The machine that an address of these words names. */
export function hostIn(words: readonly string[]): string | undefined {
  for (const word of words) {
    const [address] = /\b(?:https?|ftp):\/\/[^\s'"`|;)]+/.exec(word) ?? []
    if (address !== undefined && URL.canParse(address)) return new URL(address).hostname
  }
  return undefined
}

/** Of words behind a command: its options and what is none. */
const operandsOf = (args: readonly string[]): readonly string[] => args.filter((each) => !/^-./.test(each))
const has = (args: readonly string[], letters: string, ...long: readonly string[]): boolean =>
  args.some(
    (each) => long.includes(each) || (/^-[A-Za-z]/.test(each) && letters.split('').some((one) => each.includes(one))),
  )

/** A sentence with what is no option in place of {}, and with its last in place of {to}. */
const fixed: Readonly<Record<string, string | Said>> = {
  rmdir: 'Deletes the folder {}.',
  unlink: 'Deletes {}.',
  shred: { sentence: 'Destroys {} beyond recovery.', critical: true },
  truncate: 'Cuts off what {} holds.',
  mkdir: { sentence: 'Creates the folder {}.', adds: true },
  touch: { sentence: 'Creates {}, or sets its time.', adds: true },
  mv: 'Moves {from} to {to}, over what is there.',
  cp: 'Copies {from} to {to}, over what is there.',
  ln: 'Makes {to} a link to {from}.',
  install: 'Copies {from} to {to}, over what is there.',
  tee: 'Writes {}.',
  kill: 'Ends the process {}.',
  pkill: 'Ends every process that is called {}.',
  killall: 'Ends every process that is called {}.',
  fdisk: { sentence: 'Changes the partitions of {}.', critical: true },
  parted: { sentence: 'Changes the partitions of {}.', critical: true },
  wipefs: { sentence: 'Removes what says that {} holds files.', critical: true },
  mkswap: { sentence: 'Formats {}.', critical: true },
  diskutil: { sentence: 'Changes disks of this machine.', critical: true },
  shutdown: { sentence: 'Shuts the machine down.', critical: true },
  poweroff: { sentence: 'Shuts the machine down.', critical: true },
  halt: { sentence: 'Shuts the machine down.', critical: true },
  reboot: { sentence: 'Restarts the machine.', critical: true },
  crontab: 'Changes what runs at set times.',
  systemctl: 'Changes services of this machine.',
  service: 'Changes services of this machine.',
  launchctl: 'Changes services of this machine.',
  useradd: { sentence: 'Gives somebody an account on this machine.', critical: true },
  usermod: { sentence: 'Changes an account on this machine.', critical: true },
  userdel: { sentence: 'Deletes the account {}.', critical: true },
  passwd: { sentence: 'Changes a password.', critical: true },
  iptables: { sentence: 'Changes the firewall.', critical: true },
  nft: { sentence: 'Changes the firewall.', critical: true },
  ufw: { sentence: 'Changes the firewall.', critical: true },
  nc: { sentence: 'Opens a connection to {}.', critical: true },
  ncat: { sentence: 'Opens a connection to {}.', critical: true },
  socat: { sentence: 'Connects {}.', critical: true },
  ssh: 'Runs a command on {1}.',
  scp: 'Copies files from or to another machine: {}.',
  sftp: 'Copies files from or to another machine: {}.',
  rsync: 'Copies {from} to {to}, over what is there.',
  eval: 'Puts a text together and runs it as a command.',
  source: 'Runs the commands of {1}.',
  '.': 'Runs the commands of {1}.',
  exec: 'Runs {1} in place of the shell.',
  alias: 'Gives commands other names.',
  yes: 'Prints without end.',
  watch: 'Runs {} again and again, without end.',
  top: 'Shows what runs, and waits for keys without end.',
  htop: 'Shows what runs, and waits for keys without end.',
  export: 'Sets variables for what follows.',
  set: 'Changes how the shell works.',
  unset: 'Removes variables.',
  psql: 'Runs statements in a database, which are not read here.',
  mysql: 'Runs statements in a database, which are not read here.',
  sqlite3: 'Runs statements in a database, which are not read here.',
}

/** A whole line, by what stands in it: the first that fits. */
const lines: readonly (readonly [line: RegExp, said: Said])[] = [
  [/^mkfs/, { sentence: 'Formats a disk: all that it holds is lost.', critical: true }],
  [/^dd\b.*\bof=/, { sentence: 'Writes over a disk or a file, byte by byte.', critical: true }],
  [
    /^git push\b.*(?: --force| -f\b| --mirror| \+)/,
    { sentence: 'Overwrites what others have of a branch (forced push).', critical: true },
  ],
  [/^git push\b.*(?: --delete| -d\b| :)/, { sentence: 'Deletes a branch or a tag that others have.', critical: true }],
  [/^git push\b/, { sentence: 'Publishes commits.' }],
  [
    /^git reset\b.*--hard|^git (?:checkout|restore)\b.*(?:--|\.)(?: |$)/,
    { sentence: 'Throws away changes that are not committed.', critical: true },
  ],
  [/^git clean\b.*(?:-\w*f|--force)/, { sentence: 'Deletes files that git does not know.', critical: true }],
  [
    /^git (?:branch|tag)\b.*(?:-[dD]\b|--delete)|^git stash (?:drop|clear)|^git filter-/,
    { sentence: 'Deletes what git holds.', critical: true },
  ],
  [
    /^(?:kubectl|oc)\b.*\bdelete\b|^helm (?:uninstall|delete)\b/,
    { sentence: 'Deletes what runs in a cluster.', critical: true },
  ],
  [
    /^(?:docker|podman)\b.* (?:rm|rmi|prune|kill)\b|^docker.* down .*(?:-v\b|--volumes)/,
    { sentence: 'Deletes containers, images or volumes.', critical: true },
  ],
  [
    /^(?:terraform|tofu|pulumi)\b.*\b(?:destroy|apply|up)\b/,
    { sentence: 'Changes or destroys machines and services.', critical: true },
  ],
  [
    /^(?:aws|gcloud|az|gh|heroku|doctl|flyctl|vercel)\b.*\b(?:delete|terminate|destroy|remove|rm|rb)\b/,
    { sentence: 'Deletes something at a provider.', critical: true },
  ],
  [
    /^(?:npm|pnpm|yarn|cargo|gem|twine|poetry)\b.*\b(?:un)?publish\b|^twine upload\b/,
    { sentence: 'Publishes a package.', critical: true },
  ],
  [/^(?:dropdb|dropuser)\b|^redis-cli .*\bflush/i, { sentence: 'Deletes a database.', critical: true }],
  [
    /^(?:npm|pnpm|yarn|bun|pip3?|pipx|uv|apt|apt-get|dnf|yum|brew|gem|cargo|go)\b.*\b(?:i|ci|install|add|get)\b/,
    { sentence: 'Installs packages, and runs what they bring to be installed.' },
  ],
  [/^(?:npx|pnpm dlx|yarn dlx|uvx|bunx|pipx run)\b/, { sentence: 'Downloads a package and runs it.' }],
  [
    /^(?:apt|apt-get|dnf|yum|brew|npm|pip3?)\b.*\b(?:remove|purge|uninstall|autoremove)\b/,
    { sentence: 'Removes packages.' },
  ],
  [/^ping6?\b(?!.* -[a-zA-Z]*[cw])/, { sentence: 'Asks another machine whether it is there, without end.' }],
  [
    /^gpg\b.*--export-secret|^security find-(?:generic|internet)-password\b|^(?:pass|op|vault|bw|secret-tool) (?:show|read|get|item get|kv get|lookup)\b|^(?:gh auth token|gcloud auth print-|aws secretsmanager get-|aws ssm get-param.*decrypt)|^(?:kubectl|oc) get secrets?\b/,
    { sentence: 'Hands out secrets, which go to the agent.' },
  ],
  [
    /^git (?:-C \S+ |--no-pager )*(?:status|diff|log|show|blame|grep|ls-files|ls-tree|rev-list|shortlog|describe|reflog|cat-file|branch|tag|remote|stash list)\b(?!.*(?: -[dDmMcC]\b| --output))/,
    { sentence: 'Looks into a repository with git, which runs whatever that configures.' },
  ],
  [/^find\b.* -delete\b/, { sentence: 'Deletes everything that it finds.', critical: true }],
  [/^sed\b.*(?: -\w*i|--in-place)/, { sentence: 'Changes files in place.' }],
  [/^tar (?:-?\w*x|.*--extract)/, { sentence: 'Unpacks an archive, over what is there.' }],
]

/** What a command with these words does, where it does more than read. `name` has no folder. */
export function saidOf(name: string, args: readonly string[]): Said {
  const operands = operandsOf(args)
  if (name === 'rm') {
    const everything = has(args, 'rR', '--recursive')
    const all = operands.length > 1 || operands.some((each) => /[*?[$]/.test(each)) ? 'them' : 'it'
    const force = has(args, 'f', '--force')
    return {
      sentence: `Deletes ${listed(operands) || 'what it is given'}${everything ? ` and everything in ${all}` : ''}${force ? ', without asking' : ''}.`,
      critical: everything || force || all === 'them',
    }
  }
  if (/^ch(?:mod|own|grp|attr)$/.test(name)) {
    const everything = has(args, 'R', '--recursive')
    return {
      sentence: `Changes who may do what with ${listed(operands.slice(1))}${everything ? ' and everything in it' : ''} (${name} ${shortened(operands[0] ?? '')}).`,
      critical: everything || /^[0-7]{0,4}[2367]$|(?:^|[ao])\+[rxXst]{0,5}w/.test(operands[0] ?? ''),
    }
  }
  if (/^(?:curl|wget|http|https|xh)$/.test(name)) return network(name, args)
  const whole = [name, ...args].join(' ').slice(0, 1000)
  const line = lines.find(([pattern]) => pattern.test(whole))
  if (line !== undefined) return line[1]
  const found = Object.hasOwn(fixed, name) ? fixed[name] : undefined
  const said = typeof found === 'string' ? { sentence: found } : found
  if (said === undefined)
    return { sentence: `Runs ${shortened([name, ...args].join(' '))}, which may do more than read.` }
  const filled = said.sentence
    .replace('{from}', () => listed(operands.slice(0, -1)))
    .replace('{to}', () => listed(operands.slice(-1)))
    .replace('{1}', () => listed(operands.slice(0, 1)))
    .replace('{}', () => listed(operands))
  return { ...said, sentence: filled }
}

function network(name: string, args: readonly string[]): Said {
  const host = hostIn(args) ?? 'another machine'
  const sends =
    has(
      args,
      'dFT',
      '--data',
      '--data-raw',
      '--data-binary',
      '--json',
      '--form',
      '--upload-file',
      '--post-data',
      '--post-file',
    ) || args.some((each) => /^-?-?(?:X|request=?)?(?:POST|PUT|PATCH|DELETE)$/.test(each))
  if (sends && name !== 'wget') return { sentence: `Sends data to ${host}.`, critical: true }
  const keeps = name === 'wget' || has(args, 'oO', '--output', '--remote-name')
  return { sentence: keeps ? `Downloads from ${host} into a file.` : `Asks ${host}, which sees what the address says.` }
}
