// Whoever may approve must not be whoever asks, so the operators' doors take a credential that no agent is ever given:
// one random token from the environment, or from a file that only this OS user may read. It keeps out other users, other
// machines and every agent that works through tools; it does not keep out an agent with a shell under the same OS user.
import { createHmac, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fail, ok, type Result } from '../../errors/result.ts'
import { createPrivateFile, exposedMode, type Operators } from '../../store/store.ts'

/** The header in which an operator says their name; the record keeps it with the decision. */
export const approverHeader = 'x-countersign-approver'

/** Where an admin token stands. `none`: there is none, and nobody gets in by it. */
export type AdminTokenKind = 'environment' | 'file' | 'none'

interface AdminToken {
  readonly kind: AdminTokenKind
  /** `undefined`: there is none, and nobody gets in. */
  readonly value: string | undefined
  /** Where it stands, to be told to the operator: a file, or the name of the variable. Never the token itself. */
  readonly place: string
}

interface AdminTokenFailure {
  readonly message: string
  readonly next: string
}

/** The file that holds the admin token of a database. */
const adminTokenFile = (database: string): string => `${database}.admin-token`

/** The token of a server: the one from the environment, else the one beside its database, created where there is none. */
export async function openAdminToken(
  database: string,
  fromEnvironment: string | undefined,
): Promise<Result<AdminToken, AdminTokenFailure>> {
  if (fromEnvironment !== undefined)
    return ok({ kind: 'environment', value: fromEnvironment, place: 'COUNTERSIGN_ADMIN_TOKEN' })
  // Nothing lies beside either of them, and a token of each machine's own would fit only that machine.
  if (database === ':memory:' || database.startsWith('postgres://'))
    return ok({
      kind: 'none',
      value: undefined,
      place: 'nowhere: set COUNTERSIGN_ADMIN_TOKEN to open the admin door',
    })
  const file = adminTokenFile(database)
  try {
    if (!existsSync(file)) await createPrivateFile(file, `${randomBytes(32).toString('base64url')}\n`)
    return await read(file)
  } catch (error) {
    return fail({
      message: `The admin token ${file} cannot be read or created (${(error as NodeJS.ErrnoException).code ?? String(error)}).`,
      next: 'Make it readable for the user that runs Countersign, or set COUNTERSIGN_ADMIN_TOKEN instead.',
    })
  }
}

async function read(file: string): Promise<Result<AdminToken, AdminTokenFailure>> {
  const exposed = await exposedMode(file)
  if (exposed !== undefined)
    return fail({
      message: `The admin token ${file} has permissions ${exposed}: other users may read it.`,
      next: `Delete it, so that a new one is made; whoever has read it could approve.`,
    })
  const value = (await readFile(file, 'utf8')).trim()
  if (value.length < 16)
    return fail({
      message: `The admin token ${file} has ${value.length} characters; it needs at least 16.`,
      next: 'Delete it, so that a new one is made.',
    })
  return ok({ kind: 'file', value, place: file })
}

/**
 * The admin token as sessions and links are bound to it: another token has another one, so they end with the token. Keyed,
 * so that who reads the database cannot try tokens against it.
 */
export const credentialOf = ({ sealer }: Pick<Operators, 'sealer'>, token: string): string =>
  createHmac('sha256', sealer.derive('admin token')).update(token).digest('hex')

/**
 * What shows that a server has this database and this admin token, and where its operators' pages are, to whoever has them
 * too. Without the address under it, another program could pass the challenge on to the server, and its answer back.
 */
export const proofOf = (credential: string, challenge: string, origin: string): string =>
  createHmac('sha256', credential)
    .update(JSON.stringify(['proof', challenge, origin]))
    .digest('base64url')
