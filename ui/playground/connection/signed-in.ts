// In a file of its own, because what parses comes with the client of MCP, after the page is drawn.
import { z } from 'zod/mini'

/** What the demo answers who signs in: where to go, on the operators' pages. */
export const signedIn = z.object({ path: z.string().check(z.startsWith('/admin/')) })
