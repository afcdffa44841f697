// The host half of MCP Apps is an optional peer: a test that draws no views does without it.
import type * as appBridge from '@modelcontextprotocol/ext-apps/app-bridge'

/** Loads it. @throws an Error that says what to install. */
export const loadAppBridge = (): Promise<typeof appBridge> =>
  import('@modelcontextprotocol/ext-apps/app-bridge').catch((cause: unknown) => {
    throw new Error(
      'A test host needs @modelcontextprotocol/ext-apps. Add it: `npm install --save-dev @modelcontextprotocol/ext-apps`.',
      { cause },
    )
  })
