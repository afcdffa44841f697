// A server behind may ask something before it answers a call: the person, the client's model, the client's roots. Over HTTP there
// are many clients, and only whose call it is may be asked. That is known at the door and needed where the call goes out, with
// the whole rail between them, which has no part in it: so it goes with the work.
import { AsyncLocalStorage } from 'node:async_hooks'

/** The client of the call under way. */
export interface CallClient {
  /** What it can be asked for, by the names of MCP's client capabilities. */
  readonly capabilities: Readonly<Record<string, unknown>>
  /** Asks it something. Throws the error that it answered with. */
  request(method: string, params: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>
}

const ofCall = new AsyncLocalStorage<CallClient>()

/** The client of the call that this is done for; nothing where it cannot be asked by call. */
export const callClient = (): CallClient | undefined => ofCall.getStore()

/** Does work for a call of this client. */
export const forCallOf = <T>(client: CallClient, work: () => T): T => ofCall.run(client, work)
