// Who may call, as the settings file says it.
import { z } from 'zod'
import { headerSecret, issuer, keysUrl } from './values.ts'

export const jwtSchema = z
  .strictObject({
    issuer: issuer.describe('The authorization server; `iss` of every token, to the letter.'),
    audience: z
      .string()
      .min(1)
      .optional()
      .describe('`aud` that a token must have. Without it: `http.public_url` followed by /mcp.'),
    jwks_uri: keysUrl.optional().describe('Where its keys are. Without it, its metadata is asked.'),
    tenant: z.string().min(1).optional().describe('Everybody who comes with a token belongs to this tenant.'),
    tenant_claim: z.string().min(1).optional().describe('Claim that names the tenant; without it nobody gets in.'),
    permissions_claim: z
      .string()
      .min(1)
      .default('scope')
      .describe('Claim with the permissions: a list, or a text with blanks between.'),
    remember_minutes: z
      .number()
      .min(0)
      .max(10_080)
      .default(0)
      .describe(
        'How long after its token has ended a caller keeps its permissions for calls that were approved meanwhile; 0: the caller must repeat the call.',
      ),
  })
  .refine((jwt) => (jwt.tenant === undefined) !== (jwt.tenant_claim === undefined), {
    error: 'must have either `tenant` or `tenant_claim`',
  })

export const accessSchema = z
  .strictObject({
    mode: z
      .enum(['open', 'tokens', 'jwt'])
      .default('open')
      .describe(
        'Who may call: `open` everybody on this machine who has the secret, `tokens` who has a token of `countersign token create`, `jwt` who has one of your authorization server.',
      ),
    insecure_open: z
      .boolean()
      .default(false)
      .describe('Accepts mode `open` on a network: everybody who reaches the server may call every tool.'),
    secret: headerSecret(
      'What callers bring in mode `open`, and who opens the playground. Only as a reference: "${COUNTERSIGN_ACCESS_SECRET}". Without it, each start makes one, which stands in its addresses: printed at a terminal, elsewhere in a file that the log names.',
    ).optional(),
    jwt: jwtSchema.optional().describe('The authorization server whose tokens are accepted (mode `jwt`).'),
  })
  .superRefine((access, context) => {
    if (access.mode === 'jwt' && access.jwt === undefined)
      context.addIssue({ code: 'custom', path: ['jwt'], message: 'is missing; mode "jwt" needs it' })
    if (access.mode !== 'jwt' && access.jwt !== undefined)
      context.addIssue({ code: 'custom', path: ['jwt'], message: `has no meaning with mode "${access.mode}"` })
  })

/** What a caller of the web door brings; `program`: what a program that serves itself asks for. */
export type CallerCredential = 'none' | 'secret' | 'tokens' | 'jwt' | 'program'

/** What these settings make callers bring. */
export const callerCredential = ({
  mode,
  insecure_open: everybody,
}: Pick<z.output<typeof accessSchema>, 'mode' | 'insecure_open'>): Exclude<CallerCredential, 'program'> =>
  mode !== 'open' ? mode : everybody ? 'none' : 'secret'
