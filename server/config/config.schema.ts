// One file for everything that an operator decides, because what is spread over flags, variables and code cannot be
// read, reviewed or copied to the next machine. Every key says here what it does: editors and `countersign config
// schema` show these sentences. What stands in front of other people's servers keeps its own schema, beside this one.
import { z } from 'zod'
import { accessSchema, type jwtSchema } from './access.ts'
import { filesSchema } from './files.ts'
import { mailSchema } from './mail.ts'
import { themeSchema } from './theme.ts'
import {
  globs,
  headerSecret,
  host,
  httpUrl,
  issuer,
  longSecret,
  minutes,
  origin,
  proof,
  risk,
  secret,
} from './values.ts'

const roleSchema = z.union([
  z.enum(['viewer', 'approver', 'admin']).describe('`approver` without more: for every tool and amount.'),
  z.strictObject({
    kind: z.literal('approver').describe('Approves some tools only.'),
    tools: globs,
    max_amount: z
      .strictObject({
        value: z
          .string()
          .regex(/^\d+(?:\.\d+)?$/, 'must be a decimal number as text, like "500.00"')
          .describe('The largest amount, as a decimal text.'),
        currency: z
          .string()
          .regex(/^[A-Z]{3}$/, 'must be a currency code of three letters')
          .describe('Its currency (ISO 4217).'),
      })
      .optional()
      .describe('Calls about more than this need somebody else.'),
  }),
])

const httpSchema = z.strictObject({
  port: z.int().min(0).max(65_535).default(3323).describe('Port of the web door; 0 takes any free one.'),
  host: z.string().min(1).default('127.0.0.1').describe('Address to listen on. Anything but loopback needs `access`.'),
  public_url: origin
    .optional()
    .describe('Where people and agents reach this server, as a proxy in front of it spells it. Approvals name it.'),
  allowed_hosts: z.array(host).default([]).describe('Host names to answer to, beside loopback and `public_url`.'),
  allowed_origins: z.array(origin).default([]).describe('Origins of other pages that may call /mcp.'),
  shutdown_seconds: z
    .number()
    .min(0)
    .max(3600)
    .default(25)
    .describe('After SIGTERM: how long calls that have begun may take to end. Below what your supervisor grants.'),
  playground: z.boolean().optional().describe('Opens /playground. By default only where `access.mode` is "open".'),
  docs: z
    .boolean()
    .optional()
    .describe('Serves this documentation at /docs. By default only where there is a playground.'),
})

const oidcSchema = z.strictObject({
  issuer: issuer.describe('The OpenID provider.'),
  client_id: z.string().min(1).describe('Our id there.'),
  client_secret: secret('Our secret there; write it as a reference: "${OIDC_SECRET}".').optional(),
  label: z.string().min(1).max(60).optional().describe('What the button on the sign-in page says.'),
  name_claim: z.string().min(1).default('preferred_username').describe('Claim with the name that decisions record.'),
  roles_claim: z.string().min(1).optional().describe('Claim whose values `roles` maps to roles.'),
  roles: z
    .record(z.string().min(1), z.array(roleSchema))
    .default({})
    .describe('Value of the claim → roles here. Who has none of these values does not get in.'),
  tenant_claim: z.string().min(1).optional().describe('Claim that limits an operator to one tenant.'),
})

const operatorsSchema = z.strictObject({
  admin_token: headerSecret(
    'Opens everything to whoever has it. Only as a reference: "${COUNTERSIGN_ADMIN_TOKEN}". Without it, one is made and kept beside the database.',
  ).optional(),
  session_hours: z.number().min(0.1).max(720).default(12).describe('How long a sign-in lasts.'),
  oidc: oidcSchema.optional().describe('Sign-in through an OpenID provider, beside accounts with a password.'),
})

const policySchema = z.strictObject({
  proof: z
    .strictObject({
      low: proof.optional().describe('Default `none`.'),
      medium: proof.optional().describe('Default `plan`.'),
      high: proof.optional().describe('Default `ticket`.'),
      critical: proof.optional().describe('Default `recorded`.'),
    })
    .prefault({})
    .describe('What an apply must bring, by risk.'),
  auto_approve_high_risk: z
    .boolean()
    .default(false)
    .describe(
      'High-risk calls of every tenant run without a person where they say `preview=false`. Never critical ones, and none that another rule leaves to people.',
    ),
  apply: z
    .enum(['auto', 'inline', 'reference'])
    .default('auto')
    .describe(
      'What an Apply message carries: `inline` all arguments, `reference` the name of the plan, `auto` the arguments in messages of up to 8,192 bytes (UTF-8) and the plan beyond.',
    ),
  approval_ttl_minutes: minutes.default(1440).describe('How long an approval waits for a decision.'),
  plan_ttl_minutes: minutes.default(15).describe('How long a preview can be confirmed.'),
  approvals: z
    .array(
      z.strictObject({
        tools: globs,
        risk: z.array(risk).min(1).optional().describe('Only for calls of these risks.'),
        approvers: z.int().min(1).max(5).default(1).describe('How many different people must approve.'),
        four_eyes: z.boolean().default(true).describe('Who asks is never who approves.'),
      }),
    )
    .default([])
    .describe('Rules of approval; the first that fits a call counts.'),
})

const limitsSchema = z.strictObject({
  calls_per_minute: z
    .int()
    .min(1)
    .optional()
    .describe('Calls of one principal in a minute, with what passes to servers behind; any number when absent.'),
  writes_per_minute: z
    .int()
    .min(1)
    .optional()
    .describe('Calls of write and destructive tools of one principal in a minute, previews among them.'),
})

const guidanceSchema = z.strictObject({
  errors: z
    .boolean()
    .default(true)
    .describe(
      'Answers that report an error say what to do next (`error_guidance`, `countersign/guidance`, the steps in the text). With false they have the code, the message and the cause, and still `next`, the first step in one sentence.',
    ),
  budget: z
    .boolean()
    .default(true)
    .describe('Answers of tools with a budget say how much of it the call used (`budget_analysis`).'),
  sample: z
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe(
      'The part of the sessions that is told either, 0 to 1. The others are answered as with `errors` and `budget` false. A session stays in its half; calls without one go by their principal.',
    ),
})

const sandboxSchema = z.strictObject({
  enabled: z
    .boolean()
    .optional()
    .describe(
      'Serves the tools of the sandbox. By default only `countersign demo` does, where its runtimes are installed.',
    ),
  descriptions: z
    .enum(['full', 'minimal'])
    .default('full')
    .describe(
      'How much the descriptions of its tools say: patterns, pitfalls and when to use sessions, or one sentence.',
    ),
  export_folder: z
    .string()
    .min(1)
    .optional()
    .describe('Folder (relative to this file) for `export_workspace_file`. Without it no file leaves the sandbox.'),
  budget: z.int().min(1_000_000).default(10_000_000_000).describe('Fuel of a run that asks for none.'),
  largest_budget: z.int().min(1_000_000).default(100_000_000_000).describe('The most fuel that a run may ask for.'),
  timeout_seconds: z.number().min(0.1).max(3600).default(30).describe('Wall-clock limit of a run that asks for none.'),
  largest_timeout_seconds: z.number().min(0.1).max(3600).default(300).describe('The longest that a run may ask for.'),
  sessions: z.int().min(1).max(1000).default(10).describe('Sessions at the same time, of everybody together.'),
  sessions_per_caller: z.int().min(1).max(1000).default(4).describe('Sessions of one caller at the same time.'),
  idle_minutes: minutes.default(10).describe('A session that nobody uses for so long ends.'),
  workspace_mb: z.int().min(1).max(1024).default(64).describe('The most that the files of one session may take.'),
})

/** What a webhook can be told of. */
export const webhookEvents = [
  'approval.waiting',
  'approval.expiring',
  'feedback.high',
  'rationale.missing',
  'record.tampered',
] as const

const webhookSchema = z.strictObject({
  url: httpUrl.meta({ description: 'Where to send. It often is a secret: write "${HOOK_URL}".', writeOnly: true }),
  secret: secret('Signs the body (HMAC-SHA-256); write it as a reference: "${HOOK_SECRET}".').optional(),
  events: z
    .array(z.enum(webhookEvents))
    .min(1)
    .default([...webhookEvents])
    .describe('What to send; everything when absent.'),
  private_network: z
    .boolean()
    .default(false)
    .describe('The address may lie on this machine or in a private network; refused otherwise.'),
})
const webhooks = z.array(webhookSchema).max(20)

const tenantSchema = z.strictObject({
  auto_approve_high_risk: z.boolean().optional().describe('Over `policy.auto_approve_high_risk`, for this tenant.'),
  risk: z
    .record(z.string().min(1), risk)
    .default({})
    .describe('Wire name of a tool → its risk for this tenant. What its contract forbids stays forbidden.'),
  webhooks: webhooks.default([]).describe('Who is told of what happens here.'),
})

const count = z.int().min(1).optional()
const activitySchema = z.strictObject({
  anchor: z
    .string()
    .min(1)
    .optional()
    .describe('File to which the heads of the log are appended; one beside the database when absent.'),
  days: count.describe('Rows older than this may go; none when absent.'),
  rows: count.describe('So many rows of a tenant may stay.'),
  bytes: count.describe('So many bytes of a tenant may stay.'),
})

const logSchema = z.strictObject({
  level: z
    .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'])
    .default('info')
    .describe('From which level on stderr hears of it.'),
})

const metricsSchema = z.strictObject({
  token: secret(
    'Bearer token for /metrics, from anywhere; without it, only this machine may read them. Write "${METRICS_TOKEN}".',
  ).optional(),
})

/** The server's own keys. Those of the gateway stand beside them and are read by their own schema. */
export const configSchema = z.strictObject({
  $schema: z.string().optional().describe('Address of this schema, for editors.'),
  name: z.string().trim().min(1).max(80).optional().describe('Name of the server, on every card.'),
  db: z
    .string()
    .min(1)
    .optional()
    .describe('Database: a file (relative to this one) or postgres://user:password@host/name.'),
  secret: longSecret('Seals what is stored. Only as a reference: "${COUNTERSIGN_SECRET}".').optional(),
  languages: z
    .array(z.string().regex(/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*$/, 'must be a language tag like "de"'))
    .default([])
    .describe(
      'Languages that the readers of cards want, most wanted first; a card is in the first that its tool speaks.',
    ),
  theme: themeSchema.prefault({}).describe('The look of cards: a colour, corners, a logo.'),
  http: httpSchema.prefault({}).describe('The web door.'),
  access: accessSchema.prefault({}).describe('Who may call tools over HTTP.'),
  operators: operatorsSchema.prefault({}).describe('The people who decide.'),
  policy: policySchema.prefault({}).describe('What needs which proof, and who approves.'),
  rationale: z
    .enum(['required', 'grace'])
    .default('required')
    .describe('`grace`: calls over REST may leave out the rationale for two weeks.'),
  limits: limitsSchema.prefault({}).describe('How often one principal may call.'),
  guidance: guidanceSchema.prefault({}).describe('What answers tell agents beside their results.'),
  sandbox: sandboxSchema.prefault({}).describe('Programs that agents write, run without network and without files.'),
  files: filesSchema.prefault({}).describe('Files that people upload and agents may hand on.'),
  mail: mailSchema.optional().describe('Mail that agents send and a person confirms. Without it there is none.'),
  tenants: z.record(z.string().min(1), tenantSchema).default({}).describe('What differs for one tenant, by its name.'),
  webhooks: webhooks.default([]).describe('Who is told of what happens in any tenant: the operators of all of it.'),
  activity: activitySchema.prefault({}).describe('What is kept of the activity log.'),
  log: logSchema.prefault({}).describe('Logs on stderr.'),
  metrics: metricsSchema.prefault({}).describe('Prometheus metrics at /metrics.'),
  mcpServers: z.unknown().optional().describe('Servers to stand in front of, as hosts write them.'),
  confirmation: z.unknown().optional().describe('Who asks: our cards (`rail`) or the prompts of the host (`host`).'),
  intent_declaration: z.unknown().optional().describe('How agents declare their intent at the gateway.'),
})

/** Every key that stands at the top of the file. */
export type ServerConfig = z.output<typeof configSchema>
export type JwtConfig = z.output<typeof jwtSchema>
export type OidcConfig = z.output<typeof oidcSchema>
export type RoleConfig = z.output<typeof roleSchema>
