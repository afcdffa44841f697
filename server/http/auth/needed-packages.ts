// What who may call and who signs in needs of the optional packages.
import type { OptionalPackage } from '../../errors/optional-package.ts'
import type { ServerConfig } from '../../config/config.schema.ts'
import { loadOidc } from './oidc-api.ts'

/** Each with what loads it: tokens of an authorization server, and sign-in at a provider. */
export const needsOfAccess = ({
  access,
  operators,
}: Pick<ServerConfig, 'access' | 'operators'>): readonly (readonly [OptionalPackage, () => Promise<unknown>])[] => [
  ...(access.mode === 'jwt' ? [['jose', () => import('./jwt.ts')] as const] : []),
  ...(operators.oidc === undefined ? [] : [['openid-client', loadOidc] as const]),
]
