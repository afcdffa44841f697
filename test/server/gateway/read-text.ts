// A gateway's file as the commands read it: the server's keys by their schema, the gateway's by theirs.
import { readConfigText, type ConfigFailure } from '../../../server/config/file.ts'
import { fail, type Result } from '../../../server/errors/result.ts'
import { gatewayOf, type GatewayConfig } from '../../../server/compose/settings/gateway-files.ts'

type Failure = Pick<ConfigFailure, 'message' | 'next'>

/** Reads the text of a file named gateway.json. */
export async function readGatewayText(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  unread?: Failure,
): Promise<Result<GatewayConfig, Failure>> {
  const config = readConfigText(text, 'gateway.json', env)
  return config.ok ? gatewayOf(config.value, { variables: env, unread }) : fail(config.failure)
}
