// `countersign gateway`: many servers behind four tools.
import { gatewayOf } from '../../compose/gateway-files.ts'
import { settingsOf } from '../config-options.ts'
import { serveGateway, type GatewayDoorOptions } from './gateway-serve.ts'
import { trouble } from '../terminal/output.ts'

/** Serves the gateway file until the client leaves. Answers the exit code. */
export async function gateway(options: GatewayDoorOptions): Promise<number> {
  const settings = settingsOf(options)
  if (!settings.ok) return trouble(settings.failure)
  const config = gatewayOf(settings.value, process.env)
  return config.ok ? serveGateway(config.value, 'gateway', options) : trouble(config.failure)
}
