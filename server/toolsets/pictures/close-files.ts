// On Node, libvips is built with the machine's own files (Emscripten's NODERAWFS): its `open` and `write` are those of `fs`.
import fs from 'node:fs'

/**
 * Ends the access of this thread to files, which has a `fs` of its own: whatever is called of it throws from now on. What it
 * writes to standard error goes nowhere, too.
 */
export function closeFiles(): void {
  const closed = (): never => {
    throw Object.assign(new Error('This thread has no files.'), { code: 'EACCES' })
  }
  for (const [name, { value, writable }] of Object.entries(Object.getOwnPropertyDescriptors(fs)))
    if (typeof value === 'function' && writable === true) Object.assign(fs, { [name]: closed })
}
