// Who calls the host: the driver, or a program that has found the driver's channel. Nothing that Python can reach tells them
// apart, but the stack of WebAssembly does: a program runs in an interpreter below that of the driver.

/**
 * Functions of the one binary that `binaries.ts` names, by their index: `_PyEval_EvalFrameDefault`, which runs Python, and
 * `_start`.
 */
const interpreter = '1191'
const start = '43'
/** The driver calls from less deep. Of a deeper stack the outermost frame is missing. */
const mostFrames = 40

/** A frame as the WebAssembly Web API has it written. */
const frame = /:wasm-function\[(\d+)\]:/g

/** Whether the call that is going on comes from the driver itself: then Python runs only once on the stack. */
export function isDriver(): boolean {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = mostFrames
  const stack = new Error('who calls').stack ?? ''
  Error.stackTraceLimit = stackTraceLimit
  const frames = Array.from(stack.matchAll(frame), ([, index]) => index)
  return frames.at(-1) === start && frames.filter((index) => index === interpreter).length === 1
}
