// The host half of MCP Apps is an optional peer: a test that draws no views does without it.
import type * as appBridge from '@modelcontextprotocol/ext-apps/app-bridge'
import { withPackages } from '../../errors/optional-package.ts'

/** What only tests need. */
export const addIt = (name: string): string => `Add it: \`npm install --save-dev ${name}\`.`

/** Loads it. @throws an Error that says what to install. */
export const loadAppBridge = (): Promise<typeof appBridge> =>
  withPackages(
    ['@modelcontextprotocol/ext-apps'],
    () => import('@modelcontextprotocol/ext-apps/app-bridge'),
    addIt('@modelcontextprotocol/ext-apps'),
  )
