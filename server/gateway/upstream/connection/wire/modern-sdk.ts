// The SDK's second generation, for servers behind that have no `initialize`. It is loaded when the first of them has answered
// so: whoever has none pays nothing for it.
import { packageOnFirstUse } from '../../../../errors/optional-package.ts'

/** @throws {PackageMissing} where it is not installed. */
export const loadModernClient = packageOnFirstUse(
  '@modelcontextprotocol/client',
  () => import('@modelcontextprotocol/client'),
)

export type { Client, McpSubscription, SubscriptionFilter } from '@modelcontextprotocol/client'

/** The SDK as it is loaded. */
export type ModernSdk = Awaited<ReturnType<typeof loadModernClient>>
