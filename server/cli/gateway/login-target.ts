// Which server `login` and `logout` mean: one of the settings by its name, or one that is wrapped, by its address.
import { addressOf, wrapConfig } from '../../compose/settings/gateway-files.ts'
import { loginKeyOf, whyNoLogin, type LoginKey, type RemoteServer } from '../../compose/gateway/logins.ts'
import { nearest } from '../../errors/nearest.ts'
import { ok, type Result } from '../../errors/result.ts'
import type { OperatorOptions } from '../operators/operator.ts'
import { exit, failed, type Trouble } from '../terminal/output.ts'
import { gatewayIn } from './gateway-serve.ts'

export interface TargetOptions extends OperatorOptions {
  readonly name?: string
  readonly by?: string
}

export interface Target {
  readonly key: LoginKey
  readonly server: RemoteServer
}

/** The server that is meant, as `gateway` and `wrap` know it. */
export async function targetOf(word: string, options: TargetOptions): Promise<Result<Target, Trouble> | number> {
  if (addressOf([word]) !== undefined) {
    const wrapped = await wrapConfig({ command: word, args: [], env: {}, name: options.name })
    return wrapped.ok ? targetIn(wrapped.value.servers, Object.keys(wrapped.value.servers)[0] ?? '') : wrapped
  }
  const found = await gatewayIn(options, exit.refused)
  return typeof found === 'number' ? found : targetIn(found.config.servers, word)
}

function targetIn(
  servers: Readonly<Record<string, Parameters<typeof whyNoLogin>[0]>>,
  name: string,
): Result<Target, Trouble> {
  const server = Object.hasOwn(servers, name) ? servers[name] : undefined
  if (server === undefined) {
    const names = Object.keys(servers)
    const [near] = nearest(name, names)
    return failed(
      `The settings have no server ${JSON.stringify(name.slice(0, 40))} that is enabled.`,
      near === undefined ? `They have ${names.join(', ') || 'none'}.` : `Did you mean ${near}?`,
    )
  }
  if (server.unstartable !== undefined)
    return failed(`${name} cannot be asked: ${server.unstartable}.`, 'Nothing was done.')
  const why = whyNoLogin(server)
  if (why !== undefined || !('url' in server)) return failed(`${name} ${why ?? 'has no address'}.`, 'Nothing was done.')
  return ok({ key: loginKeyOf(name, server), server })
}
