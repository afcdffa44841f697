// What a full window costs when it was written to be slow. Processor time, not the clock: the machine may be busy with
// something else.
import { redactText } from '../../server/policy/redact.ts'

/** Repeated to fill a window: each begins something again and again that never comes to its end. */
const hostile: readonly string[] = [
  'x',
  '1',
  '1 ',
  'a.',
  'a:',
  'a-',
  '\\',
  '%25',
  '&quot;',
  '\n',
  ' ',
  '"',
  "'",
  '[',
  '{"a":',
  '["--token",',
  'pass',
  'password ',
  'Kirsche#12ab ',
  'password Kirsche#12ab ',
  '${password:-',
  '${password:-Kirsche#12ab',
  'https://a/hooks/',
  'x -t aB1',
  'password  user  ',
  'password ........ ',
  'security question ',
  'chpasswd\n',
  'password="',
  'password: \\"',
  'password for ',
  '<password>',
  '<property name="password',
  'token=a;',
  'cookie: a=',
  'connection string ',
  'key',
  'a://b:',
  '://',
  'https://a:b',
  '?code=a',
  '&sig=',
  'eyJaaaaaaaa.',
  'AKIAAAAA',
  'sk-a',
  'xoxb-1-',
  'AC00000000000000000000000000000000 ',
  '-----BEGIN PRIVATE KEY-----',
  'seed phrase: abandon ',
  'bearer a',
  'curl -u ',
  'mysql ',
  'docker login ',
  'echo a | ',
  'printf ',
  'machine a login ',
  'net use ',
  'htpasswd -b a ',
  'page.fill("password',
  '.fill("',
  'identified by ',
  'hooks.slack.com/services/',
  'discord.com/api/webhooks/1',
  'postgres://a:',
  'mongodb+srv://',
  'secretlint-disable ',
  'aws_secret_access_key = ',
  'ghp_',
  'basic ',
  'dckr_pat_',
  'client_secret=a&',
  'パスワード',
  'пароль ',
  '| password | a |\n',
  'a,password\n',
  'password;',
  'password\t',
  'insert into a (password) values (',
  "insert into a (password) values ('a'),",
  'kind: Secret\n',
  'data:\n a: b\n',
  'recovery codes:\n',
  'password\na1b2c3\n',
  'password (',
  'password: string = ',
  'password is for the ',
  'login("a", ',
  'connect(a, "b", ',
  'jwt.sign(a, ',
  'createHmac("a", ',
  'net user a ',
  'USER a\n',
  '\na LOGIN a ',
  'IDENTIFY a ',
  'WIFI:S:a;',
  '\na:*:a:a',
  '$2b$',
  'a:b1@',
  'a:b@c.d.e.f.g:',
  '/private-a',
  'credentials a / ',
  'wget --',
  'vault kv put a=',
  'aws secretsmanager ',
  'gh secret set -a a ',
  'passwd <<< ',
  '<input value="a" name="password',
  '<b>password</b><b>',
  'name="password"\n\n',
  'set password ',
  'from a password from ',
  "Password: '",
  'token:a:b',
  'a1b2c3d4',
  'sk_test_x',
]

/** Milliseconds of processor time for one text. */
function costOf(text: string): number {
  const before = process.cpuUsage()
  redactText(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Prints the worst of the full windows, the median of five each. */
export function redactionCost(): void {
  const costs = hostile
    .map((part) => {
      const text = part.repeat(Math.ceil(70_000 / part.length))
      const runs = Array.from({ length: 5 }, () => costOf(text)).toSorted((a, b) => a - b)
      return { part, cost: runs[2] ?? 0 }
    })
    .toSorted((a, b) => b.cost - a.cost)
  console.log(`a full window, ${hostile.length} hostile texts: the worst, in milliseconds of processor time`)
  for (const { part, cost } of costs.slice(0, 5))
    console.log(`  ${cost.toFixed(1).padStart(6)}  ${JSON.stringify(part)}`)
}
