// The SDK ends a connection over a line that is too long, and with it everything that is under way. Here such a line is
// read past without being kept, is one error, and the next line is read again.
import { deserializeMessage, ReadBuffer } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

/** A line of more bytes than are read. */
export class LineTooLong extends Error {
  readonly longest: number

  constructor(longest: number) {
    super(`A line is longer than ${longest} bytes and was not read.`)
    this.longest = longest
  }
}

const lineFeed = 10

type ParseLine = (line: string) => JSONRPCMessage

/** How the lines of a stream are read. */
interface Lines {
  /** In bytes, the line's end not counted. */
  readonly longest: number
  /** In bytes: a line of more has no end, and the SDK closes the connection. Any line ends when absent. */
  readonly endless?: number
  /** Makes a message of a line, and throws where it is none. As the SDK does when absent. */
  readonly parse?: ParseLine
}

/** Takes a stream apart into its lines. */
class LineBuffer extends ReadBuffer {
  private readonly longest: number
  private readonly endless: number
  private readonly parse: ParseLine
  private readonly lines: (string | LineTooLong)[] = []
  private parts: Buffer[] = []
  private length = 0

  constructor({ longest, endless = Number.POSITIVE_INFINITY, parse = deserializeMessage }: Lines) {
    super()
    this.longest = longest
    this.endless = endless
    this.parse = parse
  }

  override append(chunk: Buffer): void {
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      this.keep(chunk.subarray(from, end))
      this.lines.push(
        this.length > this.longest
          ? new LineTooLong(this.longest)
          : Buffer.concat(this.parts).toString('utf8').replace(/\r$/, ''),
      )
      this.parts = []
      this.length = 0
      from = end + 1
    }
    this.keep(chunk.subarray(from))
  }

  /** @throws {LineTooLong} once for such a line, and what the parser throws for a line that is no message. */
  override readMessage(): JSONRPCMessage | null {
    const line = this.lines.shift()
    if (line === undefined) return null
    if (line instanceof LineTooLong) throw line
    return this.parse(line)
  }

  override clear(): void {
    this.lines.length = 0
    this.parts = []
    this.length = 0
  }

  private keep(part: Buffer): void {
    // What is left of a chunk is mostly nothing, and a part of nothing would keep the whole chunk.
    if (part.length === 0) return
    this.length += part.length
    if (this.length > this.endless) throw new Error(`A line of ${this.length} bytes does not end.`)
    if (this.length > this.longest) this.parts = []
    else this.parts.push(part)
  }
}

/** Lets a transport of the SDK over stdio read its lines so. The SDK has no other way to hand one in. */
export function readLinesOf<T extends object>(transport: T, lines: Lines): T {
  Reflect.set(transport, '_readBuffer', new LineBuffer(lines))
  return transport
}
