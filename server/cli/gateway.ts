// `countersign gateway`: many servers behind four tools.
import { openGatewayFile } from '../compose-gateway-files.ts'
import { serveGateway, trouble, type GatewayDoorOptions } from './gateway-serve.ts'

export interface GatewayOptions extends GatewayDoorOptions {
  readonly config: string
}

/** Serves the gateway file until the client leaves. Answers the exit code. */
export async function gateway(options: GatewayOptions): Promise<number> {
  const config = await openGatewayFile(options.config, process.env)
  return config.ok ? serveGateway(config.value, 'gateway', options) : trouble(config.failure)
}
