// Which permissions a caller lacks: asked before a call is made, and before one is proposed.
import type { CallRequest, Engine } from '../engine.ts'
import { principalOf } from '../told-of-caller.ts'

/** Which of these permissions the caller lacks: by the credential of this call, or by the engine's own rule. */
export function missingOf(
  engine: Pick<Engine, 'missingPermissions'>,
  caller: Pick<CallRequest['caller'], 'principal' | 'permissions' | 'claims'>,
  asked: readonly string[],
): readonly string[] {
  const { permissions } = caller
  const refused = engine.missingPermissions(principalOf(caller), asked)
  return asked.filter((one) => refused.includes(one) || (permissions !== 'all' && !permissions.includes(one)))
}
