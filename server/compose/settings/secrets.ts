// The variables that a settings file may name: those of the environment, and the secrets that are kept on this machine.
import type { Config } from '../../config/file.ts'
import type { Referents, Variables } from '../../config/references.ts'
import { readSecrets, secretsFile } from '../../store/store.ts'

export { changeSecrets, readSecrets, secretName, secretsFile, type Secrets } from '../../store/store.ts'

/**
 * The environment with the secrets as `secret:NAME`, which are read only where the file names one. Where they cannot be
 * opened, the servers that need one are not started, and the others are.
 */
export async function variablesFor({ text }: Pick<Config, 'text'>, env: Variables): Promise<Referents> {
  if (!JSON.stringify(text?.value['mcpServers'] ?? {}).includes('${secret:')) return { variables: env }
  const secrets = await readSecrets(secretsFile(env))
  if (!secrets.ok) return { variables: env, unread: secrets.failure }
  const named = [...secrets.value].map(([name, value]) => [`secret:${name}`, value])
  return { variables: { ...env, ...Object.fromEntries(named) } }
}
