// Every statement would be a packet of its own, and a packet costs this process more than the statement costs it
// otherwise. What is said in one turn of the loop (a `begin` and what follows it, the writes of one transaction, the
// questions of several calls on one connection) goes out together.
import { Socket } from 'node:net'

/** A socket that sends what a turn of the loop has written at its end. `pg` corks it for each statement. */
export class GatheringSocket extends Socket {
  #gathering = false

  override cork(): void {
    super.cork()
    if (this.#gathering) return
    this.#gathering = true
    super.cork()
    // Runs after the promises that are settled by now have been heard.
    process.nextTick(() => {
      this.#gathering = false
      super.uncork()
    })
  }
}
