// The variables that a settings file may name: those of the environment, and the secrets that are kept on this machine.
import { fail, ok, type Result } from '../../errors/result.ts'
import type { Config } from '../../config/file.ts'
import type { Variables } from '../../config/references.ts'
import { readSecrets, secretsFile } from '../../store/store.ts'
import type { ConfigFailure } from './gateway-files.ts'

export { changeSecrets, readSecrets, secretName, secretsFile, type Secrets } from '../../store/store.ts'

/** The environment with the secrets as `secret:NAME`, which are read only where the file names one. */
export async function variablesFor(
  { text }: Pick<Config, 'text'>,
  env: Variables,
): Promise<Result<Variables, ConfigFailure>> {
  if (!JSON.stringify(text?.value['mcpServers'] ?? {}).includes('${secret:')) return ok(env)
  const secrets = await readSecrets(secretsFile(env))
  if (!secrets.ok) return fail(secrets.failure)
  return ok({ ...env, ...Object.fromEntries([...secrets.value].map(([name, value]) => [`secret:${name}`, value])) })
}
