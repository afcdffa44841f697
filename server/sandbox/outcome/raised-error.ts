// Which error ended a program, read from what it wrote to stderr. A program may print whatever looks like an error, so only
// the end counts: the last block of the last ten kilobytes. That the run failed at all is the host's word, never this text's.
import { readPart } from '../../errors/explain/rule.ts'
import type { Language } from './facts.ts'

export interface RaisedError {
  /** `KeyError`; empty where something was thrown that is no error. */
  readonly name: string
  /** At most 2,000 characters. */
  readonly message: string
  /** Line and column in the program, from 1. */
  readonly line?: number | undefined
  readonly column?: number | undefined
  /** Where the underlined part ends, on the same line. */
  readonly endColumn?: number | undefined
  /** The line of the program as the runtime prints it, without its indentation, where it marks a part of it. */
  readonly shown?: string | undefined
}

const longestLine = 2000

/** Frames of what is not the caller's program: the standard library, packages, the runtime's own. */
const foreign = /^(?:<frozen|<input>|<driver|<string>|\/usr|\/packages)|\/lib\/python|native/

/** The names under which runtimes speak of the program itself, which is most often. */
const isForeign = (file: string): boolean => file !== 'program.py' && file !== 'program.js' && foreign.test(file)

/** The error at the end of stderr; `undefined` where there is none. */
export function raisedError(stderr: string, language: Language): RaisedError | undefined {
  const text = readPart(stderr).trimEnd()
  return language === 'python' ? pythonError(text) : javascriptError(text)
}

/** Where the last line begins that begins so; -1 where none does. */
function lastLineWith(text: string, head: string): number {
  const at = text.lastIndexOf(`\n${head}`)
  return at === -1 && !text.startsWith(head) ? -1 : at + 1
}

const frameHead = '  File "'
const lineWord = '", line '
const firstFrame = /^ {2}File "[^"\n]{1,300}", line \d/m
const pythonLast = /^((?:[A-Za-z_]\w{0,100}\.){0,8}[A-Za-z_]\w{0,100})(?:: (.{0,2000})|:?$)/s
const isError = (name: string): boolean => name.endsWith('Error') || looksLikeError.test(name)
const looksLikeError = /(?:Error|Exception|Warning|Interrupt|Exit|Iteration|Group|Empty|Full|Undefined|NotFound)$/

function pythonError(text: string): RaisedError | undefined {
  const begins = lastLineWith(text, 'Traceback (most recent call last):')
  const group = lastLineWith(text, '  + Exception Group Traceback')
  if (group > begins) return { name: 'ExceptionGroup', message: groupMessage(text.slice(group).split('\n')) }
  const block = begins === -1 ? firstFrame.exec(text)?.index : begins
  if (block === undefined) return undefined
  const frames: Frame[] = []
  let at = begins === -1 ? block : nextLine(text, block)
  // Frames and what they show are indented; the error stands behind them.
  for (; at < text.length && isIndented(text.charCodeAt(at)); at = nextLine(text, at)) {
    const frame = text.startsWith(frameHead, at) ? frameAt(text, at) : undefined
    if (frame !== undefined && !isForeign(frame.file)) frames.push(frame)
  }
  const ends = endOfLine(text, at)
  const found = pythonLast.exec(text.slice(at, Math.min(ends, at + longestLine)))
  if (found === null) return undefined
  const name = (found[1] ?? '').slice((found[1] ?? '').lastIndexOf('.') + 1)
  if (begins === -1 && !isError(name)) return undefined
  const message = `${found[2] ?? ''}${ends === text.length ? '' : linesFrom(text, ends, 4)}`.slice(0, longestLine)
  return { name, message, ...pythonPlace(text, frames, at) }
}

const isIndented = (letter: number): boolean => letter === 32 || letter === 10

const endOfLine = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

const nextLine = (text: string, at: number): number => Math.min(text.length, endOfLine(text, at) + 1)

/** So many lines that begin with the line break at this place. */
function linesFrom(text: string, at: number, count: number): string {
  let end = at
  for (let left = count; left > 0 && end < text.length; left--) end = endOfLine(text, end + 1)
  return text.slice(at, end)
}

/** A frame that names its file. */
interface Frame {
  readonly file: string
  readonly line: number
  /** Where it begins in the text. */
  readonly at: number
}

/** The frame on the line that begins at this place; `undefined` where that is none. */
function frameAt(text: string, at: number): Frame | undefined {
  const from = at + frameHead.length
  const quote = text.indexOf('"', from)
  const end = endOfLine(text, at)
  if (quote === -1 || quote === from || quote > Math.min(end, from + 300) || !text.startsWith(lineWord, quote))
    return undefined
  const digits = quote + lineWord.length
  let last = digits
  while (last < digits + 9 && isDigit(text.charCodeAt(last))) last++
  return last === digits ? undefined : { file: text.slice(from, quote), line: Number(text.slice(digits, last)), at }
}

const isDigit = (letter: number): boolean => letter >= 48 && letter <= 57

function groupMessage(lines: readonly string[]): string {
  const line = lines.find((each) => /^ {2}\| [A-Za-z]\w{0,60}Group: /.test(each)) ?? ''
  return line.slice(line.indexOf(': ') + 2, longestLine)
}

/** The innermost frame in the program, and what is underlined there. `to` is where the frames end. */
function pythonPlace(text: string, frames: readonly Frame[], to: number): Partial<RaisedError> {
  // Functions of earlier calls of the session have frames, too: the outermost one is of this program.
  const frame = frames.findLast(({ file }) => file === frames[0]?.file)
  if (frame === undefined) return {}
  const { line } = frame
  const shownAt = nextLine(text, frame.at)
  const marksAt = nextLine(text, shownAt)
  const marks = marksAt < to ? text.slice(marksAt, Math.min(endOfLine(text, marksAt), marksAt + longestLine)) : ''
  const first = marks.indexOf('^')
  if (first === -1 || !areMarks(marks)) return { line }
  const shown = text
    .slice(shownAt, marksAt - 1)
    .trimStart()
    .slice(0, longestLine)
  // Columns count from the line as it is printed, without its indentation; `column` is the first `^`.
  const width = marks.trimEnd().length - 4
  return { line, column: first - 3, endColumn: Math.min(width, shown.length) + 1, shown }
}

/** Whether a line underlines a part of the line above, and has nothing else. */
function areMarks(line: string): boolean {
  if (!line.startsWith('    ')) return false
  for (let at = 4; at < line.length; at++) {
    const letter = line.charCodeAt(at)
    if (letter !== 32 && letter !== 94 && letter !== 126) return false
  }
  return true
}

const javascriptFrame = /^\s{1,20}at (?:.{0,200}\()?([^()\s]{1,200}?):(\d{1,9})(?::(\d{1,9}))?\)?$/
const frameBegins = /^\s{1,20}(?:at \S|\.\.\. \d{1,9} more$)/
/** What is usual, a message and four spaces with `at`, is told apart without a pattern. */
const isFrame = (line: string): boolean => {
  const first = line.charCodeAt(0)
  if (first > 32 && first <= 126) return false
  const after = line.charCodeAt(7)
  return (line.startsWith('    at ') && after > 32 && after <= 126) || frameBegins.test(line)
}
const javascriptLast = /^(?:Uncaught )?([A-Za-z_$][\w$]{0,100})(?:: (.{0,2000})|:?$)/s

/** Lines of a message that are looked at above the frames. */
const mostAbove = 5

/** The frames at the end of a text, and the few lines above them, from above. */
function endingLines(text: string): readonly string[] {
  const lines: string[] = []
  let above = 0
  for (let end = text.length; end >= 0 && above < mostAbove;) {
    const newline = end === 0 ? -1 : text.lastIndexOf('\n', end - 1)
    const line = text.slice(newline + 1, end)
    lines.push(line)
    if (above > 0 || !isFrame(line)) above++
    end = newline
  }
  return lines.toReversed()
}

function javascriptError(text: string): RaisedError | undefined {
  const lines = endingLines(text)
  let first = lines.length
  while (first > 0 && isFrame(lines[first - 1] ?? '')) first--
  if (first === 0 || lines[first - 1] === '') return undefined
  // A message may have several lines: the name of the error is looked for a few lines up, where there are frames to end it.
  const highest = first === lines.length ? first - 1 : Math.max(0, first - mostAbove)
  for (let at = first - 1; at >= highest; at--) {
    const found = javascriptLast.exec((lines[at] ?? '').slice(0, longestLine))
    if (found === null || !isError(found[1] ?? '')) continue
    const more = lines.slice(at + 1, first).join('\n')
    // The engine says the same of a text that is read while the program runs as of the program itself.
    const ofData = lines[first]?.trimStart().startsWith('at <input>') === true ? 'in a JSON text: ' : ''
    const message = `${ofData}${found[2] ?? ''}${more === '' ? '' : `\n${more}`}`.slice(0, longestLine)
    return { name: found[1] ?? '', message, ...javascriptPlace(lines.slice(first)) }
  }
  return {
    name: '',
    message: (lines[first - 1] ?? '').replace(/^Uncaught /, '').slice(0, longestLine),
    ...javascriptPlace(lines.slice(first)),
  }
}

function javascriptPlace(frames: readonly string[]): Partial<RaisedError> {
  for (const line of frames) {
    const frame = javascriptFrame.exec(line.slice(0, longestLine))
    if (frame === null || isForeign(frame[1] ?? '')) continue
    return { line: Number(frame[2]), ...(frame[3] === undefined ? {} : { column: Number(frame[3]) }) }
  }
  return {}
}
