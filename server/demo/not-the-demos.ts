// A demo can be opened on any database, also on that of a server that people work with. What they have is never deleted.
import { fail } from '../errors/result.ts'
import type { StartedOver } from '../toolsets/toolset.ts'

/** Why a desk is not started over whose data are not, or not only, the demo's. */
export const notTheDemos = (): StartedOver =>
  fail({
    message: 'This database holds other data than the demo’s, so nothing was deleted.',
    next: 'Start the demo on a database of its own: `countersign demo --db demo.db`.',
  })
