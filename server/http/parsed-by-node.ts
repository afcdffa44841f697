// Apart from the limits themselves, which need Hono: whoever imports the library for another door does without that.
const parsedByNode = new WeakSet<Request>()

/** Notes that the body of a request is as long as it says, because Node's parser ends it there. */
export function notedAsParsed(request: Request): Request {
  parsedByNode.add(request)
  return request
}

export const isParsedByNode = (request: Request): boolean => parsedByNode.has(request)
