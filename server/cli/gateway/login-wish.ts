// What a login asks for, and as which client: what the options say, beside the settings of its server.
import { isProtected, isSameIssuer, plainScopes, type RemoteServer } from '../../compose/gateway/logins.ts'
import { ok, type Result } from '../../errors/result.ts'
import { failed, type Trouble } from '../terminal/output.ts'
import { surroundings } from '../../model/surroundings.ts'

export interface WishOptions {
  readonly scope?: string
  readonly clientId?: string
  /** Name of a variable. */
  readonly clientSecret?: string
  readonly issuer?: string
}

export interface Wish {
  /** Scopes. */
  readonly more: readonly string[]
  /** That the options name; the settings may name one. */
  readonly issuer: string | undefined
  readonly client: { readonly id: string; readonly secret?: string | undefined } | undefined
}

/** What the options and the settings ask for. */
export function wishOf(server: RemoteServer, options: WishOptions): Result<Wish, Trouble> {
  const { clientId, clientSecret: variable, scope, issuer } = options
  const scopes = (scope ?? '').split(/[\s,]+/).filter((each) => each !== '')
  if (scope !== undefined && plainScopes(scopes.join(' ')) === undefined)
    return failed('--scope cannot be used: scopes have letters, digits and . : / - _ only.', 'Correct it.')
  const secret = variable === undefined ? undefined : surroundings().env[variable]
  if (variable !== undefined && (secret ?? '') === '')
    return failed(
      `--client-secret names the environment variable that holds the secret, and ${/^\w{1,60}$/.test(variable) ? variable : 'this one'} is not set.`,
      'Set it; the secret itself has no place on a command line.',
    )
  const configured = server.oauth?.client_id
  const id = clientId ?? configured
  if (secret !== undefined && clientId === undefined)
    return failed('--client-secret belongs to --client-id.', 'Give both, or neither.')
  // A login of another client would not count for the server that is started from these settings.
  if (clientId !== undefined && configured !== undefined && clientId !== configured)
    return failed(`The settings name the client ${configured}.`, 'Leave out --client-id, or change it there.')
  if (issuer !== undefined && !isProtected(issuer))
    return failed(
      '--issuer is no https address (http only on this machine).',
      'Write it as the authorization server does.',
    )
  if (issuer !== undefined && !isSameIssuer(server.oauth?.issuer ?? issuer, issuer))
    return failed(`The settings name the issuer ${server.oauth?.issuer}.`, 'Leave out --issuer, or change it there.')
  const own = secret ?? (id === configured ? server.oauth?.client_secret : undefined)
  return ok({
    more: scopes,
    issuer,
    client: id === undefined ? undefined : { id, ...(own === undefined ? {} : { secret: own }) },
  })
}
