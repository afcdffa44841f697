// From `access` in the settings to the doors: who a request comes from, where a refused client is sent, and what a caller
// is told who has too few permissions.
import type { Hono } from 'hono'
import type { ServerConfig } from '../../config/config.schema.ts'
import { withPackages } from '../../errors/optional-package.ts'
import type { Engine } from '../../rail/engine.ts'
import { identifyAllAs, type Identify, type Identity } from '../../mcp/identity.ts'
import type { Store } from '../../store/store.ts'
import { challenge, createTokenAccess } from './bearer.ts'
import { createMetadataApp, metadataOf, resourceOf } from './metadata.ts'

interface AccessOptions {
  readonly access: ServerConfig['access']
  /** Who calls where everybody may. */
  readonly principal: Identity['principal']
  readonly store: Pick<Store, 'access'>
  readonly engine: Engine
  readonly name: string
  /** Under which address the server is reached; known once the door is open. */
  readonly publicUrl: () => string
}

interface WebAccess {
  readonly identify: Identify
  /** Where there is an authorization server: its metadata for clients. */
  readonly metadata?: Hono
  /** Headers for a caller who lacks these permissions (RFC 6750, section 3.1). */
  readonly challenge: (missing: readonly string[]) => Readonly<Record<string, string>>
}

/** Who may call, as the settings say. */
export async function createWebAccess(options: AccessOptions): Promise<WebAccess> {
  const { access, store, engine, publicUrl } = options
  const report = (error: unknown, where: string): unknown => engine.report(error, where)
  const lacking = (missing: readonly string[], metadata?: string) =>
    challenge({ resource_metadata: metadata, error: 'insufficient_scope', scope: missing.join(' ') })
  if (access.mode === 'jwt' && access.jwt !== undefined) {
    const { jwt } = access
    const metadata = (): string => metadataOf(publicUrl())
    const { createJwtAccess } = await withPackages(['jose'], () => import('./jwt.ts'))
    return {
      identify: createJwtAccess({
        jwt,
        audience: () => resourceOf(publicUrl()),
        metadata,
        note: (principal, permissions, expiresAt) => store.access.note(principal, permissions, expiresAt),
        report,
      }),
      metadata: createMetadataApp({
        publicUrl,
        issuer: jwt.issuer,
        permissions: () => permissionsAskedFor(engine),
        name: options.name,
      }),
      challenge: (missing) => lacking(missing, metadata()),
    }
  }
  if (access.mode === 'tokens')
    return {
      identify: createTokenAccess({ tokens: store.access.tokens, report }),
      challenge: (missing) => lacking(missing),
    }
  return { identify: identifyAllAs(options.principal), challenge: () => ({}) }
}

const permissionsAskedFor = ({ catalog }: Engine): readonly string[] =>
  [...new Set(catalog.tools.flatMap((tool) => tool.contract.permissions ?? []))].toSorted()
