// Promises that are rejected and that nothing handles, as `main()` leaves one behind when it fails. QuickJS has a hook for them;
// its build has neither the function that sets the hook nor exports the table that ours must be in. Metering exports the
// table, and the hook is written where QuickJS reads it, at a place that belongs to this exact binary.
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core'

/** Bytes from the beginning of a runtime to its hook. */
const hookPlace = 160

/** More are not remembered. */
const mostRemembered = 1000

/** Exports the function that it imports, which has the type by which the hook is called: `(i32, i64, i64, i32, i32) -> ()`. */
const typed = Buffer.from(
  ['0061736d01000000', '010901 60057f7e7e7f7f00', '020701 0166 0166 0000', '070501 0166 0000']
    .join('')
    .replaceAll(' ', ''),
  'hex',
)

type Hook = (context: number, promise: bigint, reason: bigint, isHandled: number, opaque: number) => void

const asHook = (run: Hook): unknown =>
  new WebAssembly.Instance(new WebAssembly.Module(typed), { f: { f: run } }).exports['f']

export class Rejections {
  readonly #memory: WebAssembly.Memory
  /** By where the promise lies; each is held, so that no other comes to lie there. */
  readonly #unhandled = new Map<number, bigint>()

  constructor(runtime: QuickJSRuntime, exports: WebAssembly.Exports, memory: WebAssembly.Memory) {
    this.#memory = memory
    const table = exports['__table'] as WebAssembly.Table
    const place = table.grow(
      1,
      asHook((_context, promise, _reason, isHandled) => this.#hear(promise, isHandled !== 0)),
    )
    // The package keeps the address of its runtime to itself.
    const { rt } = runtime as unknown as { readonly rt: { readonly value: number } }
    this.#view.setUint32(rt.value + hookPlace, place, true)
  }

  /** The first of them, which is forgotten and the caller's from then on. */
  take(context: QuickJSContext): QuickJSHandle | undefined {
    const [first] = this.#unhandled
    if (first === undefined) return undefined
    const [address, promise] = first
    this.#unhandled.delete(address)
    const handle = context.newNumber(0)
    this.#view.setBigInt64(handle.value, promise, true)
    return handle
  }

  /** Forgets them all. */
  clear(context: QuickJSContext): void {
    for (let left = this.take(context); left !== undefined; left = this.take(context)) left.dispose()
  }

  get #view(): DataView {
    return new DataView(this.#memory.buffer)
  }

  /** Runs in the middle of the guest's own work, and so calls nothing of it: an object begins with the number of who hold it. */
  #hear(promise: bigint, isHandled: boolean): void {
    const address = Number(BigInt.asUintN(32, promise))
    const known = this.#unhandled.has(address)
    if (isHandled ? !known : known || this.#unhandled.size >= mostRemembered) return
    const holders = this.#view.getInt32(address, true)
    this.#view.setInt32(address, isHandled ? holders - 1 : holders + 1, true)
    if (isHandled) this.#unhandled.delete(address)
    else this.#unhandled.set(address, promise)
  }
}
