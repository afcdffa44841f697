// The boundary between a row and an account: parsed before anything is believed of it.
import { z } from 'zod'
import { fromRow } from '../from-row.ts'
import { epoch } from '../plan-row.ts'
import type { Account } from './account.ts'
import { exactOptional } from '../../exact-optional.ts'

const role = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('viewer') }),
  z.object({
    kind: z.literal('approver'),
    tools: z.array(z.string()),
    maxAmount: exactOptional(z.object({ value: z.string(), currency: z.string() })),
  }),
  z.object({ kind: z.literal('admin') }),
])

const row = z.object({
  id: z.string(),
  name: z.string(),
  /** Null: of every tenant. */
  tenant: z.string().nullable(),
  /** JSON. */
  roles: z.string(),
  /** JSON: principals that are the same person. */
  subjects: z.string(),
  /** Issuer and subject of an OpenID provider, as JSON. */
  provider: z.string().nullable(),
  state: z.enum(['active', 'disabled']),
  created_at: epoch,
  changed_at: epoch,
  /** Last sign-in. */
  seen_at: epoch.nullable(),
})

/** The columns of an account. */
export interface AccountTable extends z.infer<typeof row> {
  /** The name as it is compared: two names that look alike are one. */
  readonly name_key: string
  /** scrypt, with its parameters; null where the person signs in elsewhere. */
  readonly password: string | null
}

/**
 * Who the provider says they are: a JWT of the same provider carries it as its `sub`, and who asks with that one is this
 * person. It only ever takes away a right.
 */
const subjectAt = (provider: string | null): readonly string[] =>
  provider === null ? [] : [z.tuple([z.string(), z.string()]).parse(JSON.parse(provider))[1]]

/** The account in a row. */
export function toAccount(raw: unknown): Account {
  const { roles, subjects, provider = null, ...same } = fromRow(row.parse(raw))
  return {
    ...same,
    roles: z.array(role).parse(JSON.parse(roles)),
    subjects: [...new Set([...z.array(z.string()).parse(JSON.parse(subjects)), ...subjectAt(provider)])],
    signIn: provider === null ? 'password' : 'oidc',
  }
}

/** How names are compared: `Ada` and `ADA` are one person to whoever reads the record. */
export const nameKey = (name: string): string => name.normalize('NFKC').trim().toLowerCase()
