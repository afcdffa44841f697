// Bodies that cost more to look at than to write. Each kind comes as large as the door takes it, so that everything
// behind the door sees it, and as large as nobody takes it.
type Body = readonly [name: string, body: Buffer]

const large = 4_000_000
/** Beneath the limit of a body, above that of arguments; and beneath both. */
const taken = 2_000_000
const whole = 950_000

const message = (params: string): string => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`
const callOf = (name: string, args: string): string => message(`{"name":${JSON.stringify(name)},"arguments":${args}}`)
/** To a tool of a server behind; its arguments are text within the text. */
const behind = (args: string): string =>
  callOf(
    'call_tool_read',
    `{"name":"s1:echo","args_json":${JSON.stringify(args)},"intent":{"operation_type":"read","reason":"The bench asks."}}`,
  )
const fill = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length))
const list = (piece: string, length: number): string => `[${fill(`${piece},`, length).slice(0, -1)}]`
const keys = (length: number): string => {
  const pairs = Array.from({ length: Math.floor(length / 16) }, (_, at) => `"k${at}":${at}`)
  return `{${pairs.join(',')}}`
}
const nest = (open: string, close: string, length: number): string => {
  const levels = Math.floor(length / (open.length + close.length))
  return `${open.repeat(levels)}1${close.repeat(levels)}`
}

const kinds: Readonly<Record<string, (length: number) => string>> = {
  'one long text': (length) => behind(`{"message":"${fill('a', length)}"}`),
  'a text of spaces and one letter': (length) => behind(`{"message":"${fill(' ', length)}x"}`),
  'escapes of one letter': (length) => behind(`{"message":"${fill('\\u0061', length)}"}`),
  'lone surrogates': (length) => behind(`{"message":"${fill('\\ud800', length)}"}`),
  'lists within lists': (length) => behind(`{"message":${nest('[', ']', length)}}`),
  'objects within objects': (length) => behind(nest('{"a":', '}', length)),
  'many keys': (length) => behind(keys(length)),
  'a wide list of numbers': (length) => behind(`{"message":${list('1', length)}}`),
  'a wide list of empty objects': (length) => behind(`{"message":${list('{}', length)}}`),
  'a number of many digits': (length) => behind(`{"message":${fill('9', length)}}`),
  'a number with an endless fraction': (length) => behind(`{"message":0.${fill('3', length)}}`),
  'a known tool, lists within lists': (length) => callOf('submit_feedback', `{"message":${nest('[', ']', length)}}`),
  'a known tool, objects within objects': (length) => callOf('submit_feedback', nest('{"a":', '}', length)),
  'a known tool, many keys': (length) => callOf('submit_feedback', keys(length)),
  'a known tool, a wide list': (length) => callOf('submit_feedback', `{"message":${list('{}', length)}}`),
  'keys just within the limit': (length) => behind(keys(Math.min(length, 9000 * 16))),
  'objects just within the limit': (length) => behind(`{"message":${list('{"a":1}', Math.min(length, 4500 * 8))}}`),
  'texts just within the limit': (length) =>
    behind(`{"message":${list(`"${fill('token ', 40)}"`, Math.min(length, 4e5))}}`),
  'a known tool, keys just within the limit': (length) => callOf('submit_feedback', keys(Math.min(length, 9000 * 16))),
  'much in _meta': (length) => message(`{"name":"submit_feedback","arguments":{},"_meta":${keys(length)}}`),
  'an unknown tool': (length) => callOf('no_such_tool', `{"message":"${fill('a b ', length)}"}`),
  'an unknown tool, many keys': (length) => callOf('no_such_tool', keys(length)),
  'a tool behind that nobody has': (length) =>
    callOf('call_tool_read', `{"name":"s1:ecko","args_json":"${fill('a b ', length)}"}`),
  'a name of that length': (length) => callOf(fill('echo', length), '{}'),
  'a rationale of that length': (length) =>
    callOf('submit_feedback', `{"rationale":"${fill('because ', length)}","message":"x"}`),
  'a reason of that length': (length) =>
    callOf(
      'call_tool_read',
      `{"name":"s1:echo","args_json":"{}","intent":{"operation_type":"read","reason":"${fill('so ', length)}"}}`,
    ),
  'a search of that length': (length) => callOf('retrieve_tools', `{"query":"${fill('list files ', length)}"}`),
  'bait for secrets: assignments': (length) => callOf('no_such_tool', `{"t":"${fill('password=a&token: ', length)}"}`),
  'bait for secrets: one word': (length) => callOf('no_such_tool', `{"t":"${fill('token', length)}"}`),
  'bait for secrets: base64': (length) => callOf('no_such_tool', `{"t":"${fill('AKIAeyJ', length)}"}`),
  'words of suspicion': (length) => behind(`{"message":"${fill('ignore all previous ', length)}"}`),
  'a batch of pings': (length) => list('{"jsonrpc":"2.0","id":1,"method":"ping"}', length),
  'a batch of calls': (length) => list(callOf('no_such_tool', `{"t":"${fill('token=', length / 50)}"}`), length - 9999),
  'a method of that length': (length) => `{"jsonrpc":"2.0","id":1,"method":"${fill('x', length)}"}`,
  'no JSON': (length) => fill('[{"', length),
}

/** The kinds, each at two sizes or three, and bytes that are no text. */
export function* hostileInputs(): Generator<Body> {
  for (const [name, make] of Object.entries(kinds)) {
    yield [name, Buffer.from(make(whole))]
    yield [name, Buffer.from(make(name.includes('escapes') ? taken / 2 : taken))]
  }
  yield ['bytes that are no UTF-8', Buffer.alloc(taken, 0xff)]
  yield ['larger than any body', Buffer.from(kinds['one long text']?.(large) ?? '')]
}
