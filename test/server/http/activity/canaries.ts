// Secrets as agents really carry them, each with the part that must never be seen. They are put together from pieces, so
// that no scanner of repositories takes them for real ones.
const join = (...parts: readonly string[]): string => parts.join('')

export interface Canary {
  readonly what: string
  readonly value: unknown
  /** What nobody may find. */
  readonly secret: string
}

const letters = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zC'
let made = 0
/** Different for each canary, and of the alphabet that all of these formats share. */
const random = (length: number): string => {
  made++
  return Array.from({ length }, (_, at) => letters[(at * 7 + made * 5 + Math.floor(at / 5)) % letters.length]).join('')
}
const hex = (length: number): string => {
  made++
  return Array.from({ length }, (_, at) => ((at * 11 + made * 7) % 16).toString(16)).join('')
}

const named = (name: string, secret: string = `canary ${random(12)}`): Canary => ({
  what: `in a field ${name}`,
  value: { [name]: secret },
  secret,
})

const text = (what: string, before: string, secret: string, after = ''): Canary => ({
  what,
  value: `Please use ${before}${secret}${after} for this.`,
  secret,
})

const names =
  'password passwd userPassword password2 db_pwd passphrase client_secret apiKey X-API-Key access_token refreshToken Authorization Set-Cookie sessionId private_key encryption-key otp mfaCode webhook_signature recovery_codes connectionString seed.phrase cardNumber iban pin'.split(
    ' ',
  )

export const canaries: readonly Canary[] = [
  ...names.map((name) => named(name)),
  {
    what: 'all of an object of credentials',
    value: { credentials: { user: 'x', key: `canary-${'k'.repeat(9)}` } },
    secret: 'canary-kkkkkkkkk',
  },
  {
    what: 'in a header as name and value',
    value: { name: 'Authorization', value: 'canary of a header' },
    secret: 'canary of a header',
  },
  { what: 'in a header as a pair', value: ['x-api-key', 'canary of a pair'], secret: 'canary of a pair' },
  text('a Stripe key', '', join('sk', '_live_', random(24))),
  text('an OpenAI key', '', join('sk-', 'proj-', random(40))),
  text('an Anthropic key', '', join('sk-', 'ant-api03-', random(40))),
  text('a Stripe webhook secret', '', join('whsec', '_', random(32))),
  text('a GitHub token', '', join('ghp', '_', random(36))),
  text('a fine-grained GitHub token', '', join('github', '_pat_', random(40))),
  text('a GitLab token', '', join('glpat', '-', random(20))),
  text('a Slack token', '', join('xoxb', '-1234567890-', random(24))),
  text('a Slack webhook', 'https://hooks.slack.com/services/', join('T0000/B0000/', random(24))),
  text('an AWS key id', '', join('AKIA', random(16).toUpperCase())),
  text('an AWS secret', 'aws_secret_access_key = ', random(40)),
  text('a Google API key', '', join('AIza', random(35))),
  text('a Google token', '', join('ya29.', random(40))),
  text('a Google client secret', '', join('GOCSPX', '-', random(28))),
  text('an npm token', '', join('npm', '_', random(36))),
  text('a PyPI token', '', join('pypi', '-', random(60))),
  text('a SendGrid key', '', join('SG.', random(22), '.', random(43))),
  text('a Hugging Face token', '', join('hf', '_', random(34))),
  text('a DigitalOcean token', '', join('dop', '_v1_', hex(64))),
  text('a Shopify token', '', join('shpat', '_', hex(32))),
  text('a Telegram bot token', '', join('123456789:', random(35))),
  text('a JSON web token', '', join('eyJ', random(20), '.', random(60), '.', random(43))),
  text('one of our own tickets', '', join('cs1', '_', random(26).toLowerCase())),
  text(
    'a private key',
    '',
    join('-----BEGIN RSA PRIVATE', ' KEY-----\n', random(64), '\n-----END RSA PRIVATE', ' KEY-----'),
  ),
  text('a bearer token in words', 'Bearer ', random(24)),
  text('a basic credential in words', 'Authorization: Basic ', random(24)),
  text('a cookie header', 'Cookie: theme=dark; sid=', random(24), '\n'),
  text('the password in an address', 'postgres://ada:', random(16), '@db.example.org/orders'),
  text('the token in a query', 'https://example.org/x?page=1&access_token=', random(24), '&y=2'),
  text('a password in words', 'the password: ', random(12)),
  text('a password that is told', 'The password is ', random(12)),
  text('a secret in an environment file', 'DB_PASSWORD=', random(12), '\n'),
  text('a secret on a command line', 'deploy --token ', random(16)),
  text('a secret in JSON within a text', '{"user":"ada","api_key":"', random(20), '"}'),
  text('a secret with blanks in JSON within a text', '{"passphrase": "', `correct horse ${random(8)}`, '"}'),
  text('a secret in YAML within a text', 'client_secret: "', random(20), '"'),
  text('a connection string', 'AccountName=x;AccountKey=', join(random(40), '=='), ';Endpoint=y'),
  text('a card number', '', '4111111111111111'),
  text('a card number with blanks', '', '5500 0000 0000 0004'),
  text('a card number with dashes', '', '3782-822463-10005'),
  { what: 'a card number as a number', value: { n: 6011111111111117 }, secret: '6011111111111117' },
  { what: 'as the name of a field', value: { [join('ghp', '_', 'K'.repeat(36))]: 1 }, secret: 'K'.repeat(36) },
]
