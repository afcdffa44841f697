// Pins: definitions of upstreams' tools as an operator has accepted them. Implemented by `server/store/pins`.

/** The pin of one tool. Definitions are canonical JSON. */
export interface Pin {
  readonly server: string
  readonly tool: string
  readonly definition: string
  /** SHA-256 of the definition. */
  readonly digest: string
  /** A changed definition that waits for an operator. */
  readonly held?: { readonly definition: string; readonly digest: string }
}

/** The store of pins, shared by all processes of one gateway. */
export interface PinStore {
  /** Every pin of a server. */
  get(server: string): Promise<readonly Pin[]>
  /** Writes pins of different tools as a whole, the held definitions included. */
  put(pins: readonly Pin[]): Promise<void>
  /** Makes the held definition the pinned one, if it is still the one with this digest. */
  accept(server: string, tool: string, digest: string): Promise<boolean>
}
