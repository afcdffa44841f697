// What JavaScript programs find besides the language: printing, files of the workspace, timers. Written in JavaScript and run
// in the guest, so that it is metered like the program; of the host it has functions that take text and numbers only. A program
// may have replaced every method that is called here, so what the host is given is made text by `+`, and its length is read
// of that text itself.

export const prelude = String.raw`(function (writeOut, writeError, readText, writeText, filesJson, remove, pass) {
  'use strict'
  const { stringify, parse } = JSON
  const { isArray } = Array
  const keysOf = Object.keys
  const InternalErrors = InternalError
  const quote = (text) => "'" + stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'") + "'"
  const describe = (error) => {
    const frames = typeof error.stack === 'string' ? error.stack.trimEnd().split('\n').filter((frame) => frame !== '') : []
    const own = frames.filter((frame) => !frame.includes('<driver>'))
    const shown = own.length > 20 ? [...own.slice(0, 20), '    ... ' + (own.length - 20) + ' more'] : own
    return ['' + error, ...shown].join('\n')
  }
  const isError = (value) => value instanceof Error
  // Text ends at NUL on its way to the host and back.
  const pack = (text) =>
    text.includes('\0') ? 'N' + text.replaceAll('\\', '\\\\').replaceAll('\0', '\\0') : 'T' + text
  const unpack = (text) =>
    text[0] === 'N' ? text.slice(1).replace(/\\([\\0])/g, (_, c) => (c === '0' ? '\0' : c)) : text.slice(1)
  const pathOf = (path) => {
    const text = '' + path
    if (text.includes('\0')) throw new Error("'" + text.replaceAll('\0', '\\0') + "' is no path: it contains NUL")
    return text
  }
  const show = (value, depth, above) => {
    if (typeof value === 'string') return depth === 0 ? value : quote(value)
    if (typeof value === 'bigint') return value + 'n'
    if (typeof value === 'symbol') return value.toString()
    if (typeof value === 'function') return value.name ? '[Function: ' + value.name + ']' : '[Function (anonymous)]'
    if (Object.is(value, -0)) return '-0'
    if (typeof value !== 'object' || value === null) return '' + value
    if (above.includes(value)) return '[Circular]'
    if (isError(value)) return describe(value)
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
    if (value instanceof RegExp) return '' + value
    if (value instanceof Promise) return 'Promise {}'
    const name = value.constructor && value.constructor.name
    const inside = [...above, value]
    const tooDeep = depth > 4
    const list = (items, open, close, size = items.length) => {
      const shown = items.slice(0, 100)
      if (size > 100) shown.push('... ' + (size - 100) + ' more')
      return shown.length === 0 ? open + close : open + ' ' + shown.join(', ') + ' ' + close
    }
    const next = (item) => show(item, depth + 1, inside)
    if (isArray(value)) return tooDeep ? '[Array]' : list(value.slice(0, 100).map(next), '[', ']', value.length)
    if (value instanceof Set) return tooDeep ? '[Set]' : 'Set(' + value.size + ') ' + list([...value].map(next), '{', '}')
    if (value instanceof Map)
      return tooDeep ? '[Map]' : 'Map(' + value.size + ') ' + list([...value].map(([key, one]) => next(key) + ' => ' + next(one)), '{', '}')
    if (ArrayBuffer.isView(value) && value.length !== undefined)
      return name + '(' + value.length + ') ' + list([...value.slice(0, 100)].map(next), '[', ']', value.length)
    if (tooDeep) return '[Object]'
    const plain = (key) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key))
    const fields = keysOf(value).slice(0, 101).map((key) => plain(key) + ': ' + next(value[key]))
    return (name && name !== 'Object' ? name + ' ' : '') + list(fields, '{', '}')
  }
  const put = (write, line) => {
    const text = pack(line + '\n')
    write(text, text.length)
  }
  const printer = (write) => (...values) => put(write, values.map((value) => show(value, 0, [])).join(' '))
  const log = printer(writeOut)
  const error = printer(writeError)
  const answer = (text) => {
    if (text[0] === 'E') throw new Error(text.slice(1))
    return text.slice(1)
  }
  const timers = []
  let now = 0
  let last = 0
  const later = (run, wait, every, given) => {
    if (typeof run !== 'function') throw new TypeError('a timer needs a function')
    const asked = Number(wait)
    const delay = asked >= 1 && asked <= 2147483647 ? asked : 1
    last += 1
    timers.push({ id: last, at: now + delay, every: every ? delay : 0, run, given })
    return last
  }
  const cancel = (id) => {
    const at = timers.findIndex((timer) => timer.id === id)
    if (at >= 0) timers.splice(at, 1)
  }
  const own = {
    console: { log, info: log, debug: log, error, warn: error },
    print: log,
    readFile: (path) => {
      const file = pathOf(path)
      return unpack(answer(readText(file, file.length)))
    },
    writeFile: (path, text) => {
      const file = pathOf(path)
      const content = pack('' + text)
      answer(writeText(file, content, file.length + content.length))
    },
    listFiles: () => parse(answer(filesJson(0))),
    deleteFile: (path) => {
      const file = pathOf(path)
      answer(remove(file, file.length))
    },
    setTimeout: (run, wait, ...given) => later(run, wait, false, given),
    setInterval: (run, wait, ...given) => later(run, wait, true, given),
    clearTimeout: cancel,
    clearInterval: cancel,
  }
  for (const name of keysOf(own))
    Object.defineProperty(globalThis, name, { value: own[name], writable: true, configurable: true, enumerable: false })
  return {
    tell: (thrown) => put(writeError, isError(thrown) ? describe(thrown) : 'Uncaught ' + show(thrown, 1, [])),
    isOutOfMemory: (thrown) => {
      try {
        return thrown instanceof InternalErrors && thrown.message === 'out of memory'
      } catch {
        return false
      }
    },
    runTimer: () => {
      if (timers.length === 0) return false
      let first = 0
      for (let at = 1; at < timers.length; at += 1) if (timers[at].at < timers[first].at) first = at
      const timer = timers[first]
      pass(timer.at - now)
      now = Math.max(now, timer.at)
      if (timer.every > 0) timer.at = now + timer.every
      else timers.splice(first, 1)
      timer.run(...timer.given)
      return true
    },
    clearTimers: () => {
      timers.length = 0
    },
  }
})`
