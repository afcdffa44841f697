// Edits of texts that are read as something, and of files.
import { literalText, type Token } from '../program-text.ts'
import { callOf, endOf, insertEdit, placeOf, spanEdit, tokenEdit, type Edits, type Mistake } from './mistake.ts'
import { meant } from './names.ts'

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A text that was meant to be JSON, as JSON; `undefined` where it is JSON or cannot be made so. */
export function asJson(text: string): string | undefined {
  // What is no list or object is not tried: a text that cannot be parsed costs fifty times what a look at it does.
  if (!/^\s{0,100}[[{]/.test(text) || parses(text)) return undefined
  const quoted = text.includes('"') ? text : text.replaceAll("'", '"')
  const named = quoted.replace(/([{,]\s{0,20})([A-Za-z_]\w{0,60})(\s{0,20}:)/g, '$1"$2"$3')
  const plain = named
    .replace(/\bTrue\b/g, 'true')
    .replace(/\bFalse\b/g, 'false')
    .replace(/\b(?:None|undefined|NaN)\b/g, 'null')
    .replace(/,(\s{0,100}[\]}])/g, '$1')
  const open = plain.split('{').length - plain.split('}').length
  const lists = plain.split('[').length - plain.split(']').length
  for (const made of [plain, `${plain}${'}'.repeat(Math.max(0, open))}`, `${plain}${']'.repeat(Math.max(0, lists))}`])
    if (parses(made)) return made
  return undefined
}

/** The one text of the program that is no JSON and was meant to be. */
export function jsonText({ program }: Mistake): Edits {
  const texts = program.tokens.flatMap((token) => {
    const inner = token.kind === 'string' && !/^[fF]|\\/.test(token.text) ? literalText(token.text) : ''
    const made = asJson(inner)
    return made === undefined ? [] : [{ token, made }]
  })
  const [only] = texts
  if (only === undefined || texts.length > 1) return []
  const { token, made } = only
  const quote = made.includes('\n') ? (program.language === 'python' ? "'''" : '`') : "'"
  return made.includes("'") ? [] : tokenEdit(program, token, quote + made + quote)
}

/** The encoding that bytes are likely to have. */
export function pythonDecode(mistake: Mistake): Edits {
  const { program, groups } = mistake
  const place = placeOf(mistake)
  const to = groups['codec'] === 'ascii' ? 'utf-8' : 'latin-1'
  const decode = place === undefined ? undefined : callOf(place.tokens, ['decode'])
  if (decode !== undefined) return spanEdit(program, endOf(decode.open), decode.close.start, `'${to}'`)
  const opened = program.lines.flatMap((text, at) => (/\bopen\(/.test(text) ? [at + 1] : []))
  const [line] = opened
  const call =
    line === undefined || opened.length > 1
      ? undefined
      : callOf(
          program.tokens.filter((token) => token.line === line),
          ['open'],
        )
  const named = call?.inner.findIndex(({ text }) => text === 'encoding') ?? -1
  const value = call?.inner[named + 2]
  if (call === undefined) return []
  return named === -1 || value === undefined
    ? insertEdit(program, call.close.start, `, encoding='${to}'`)
    : tokenEdit(program, value, `'${to}'`)
}

/** The encoding that has all letters. */
export function pythonEncode(mistake: Mistake): Edits {
  const place = placeOf(mistake)
  const token = place?.tokens.find(
    ({ kind, text }) => kind === 'string' && /^["'](?:ascii|latin-?1|cp1252|iso-8859-1)["']$/i.test(text),
  )
  return token === undefined ? [] : tokenEdit(mistake.program, token, "'utf-8'")
}

const days: readonly (readonly [shape: RegExp, format: string])[] = [
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/, '%Y-%m-%dT%H:%M:%S'],
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, '%Y-%m-%dT%H:%M:%SZ'],
  [/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, '%Y-%m-%d %H:%M:%S'],
  [/^\d{4}-\d\d-\d\d \d\d:\d\d$/, '%Y-%m-%d %H:%M'],
  [/^\d{4}-\d{1,2}-\d{1,2}$/, '%Y-%m-%d'],
  [/^\d{4}\/\d{1,2}\/\d{1,2}$/, '%Y/%m/%d'],
  [/^(?:1[3-9]|2\d|3[01])\/\d{1,2}\/\d{4}$/, '%d/%m/%Y'],
  [/^\d{1,2}\/(?:1[3-9]|2\d|3[01])\/\d{4}$/, '%m/%d/%Y'],
  [/^\d{1,2}\/\d{1,2}\/\d{4}$/, '%d/%m/%Y'],
  [/^\d{1,2}\.\d{1,2}\.\d{4}$/, '%d.%m.%Y'],
  [/^\d{1,2}-\d{1,2}-\d{4}$/, '%d-%m-%Y'],
  [/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/, '%b %d, %Y'],
  [/^[A-Z][a-z]{3,8} \d{1,2}, \d{4}$/, '%B %d, %Y'],
  [/^\d{1,2} [A-Z][a-z]{2} \d{4}$/, '%d %b %Y'],
  [/^\d{1,2} [A-Z][a-z]{3,8} \d{4}$/, '%d %B %Y'],
  [/^\d\d:\d\d:\d\d$/, '%H:%M:%S'],
  [/^\d\d:\d\d$/, '%H:%M'],
]

/** The format that the text of a date has. */
export function pythonDateFormat(mistake: Mistake): Edits {
  const { program, error } = mistake
  const place = placeOf(mistake)
  const [, data, format] =
    /^time data '([^'\n]{1,60})' does not match format '([^'\n]{1,60})'/.exec(error.message) ?? []
  const [, rest = ''] = /^unconverted data remains: ( ?[T ]?\d\d:\d\d(?::\d\d)?)$/.exec(error.message.trimEnd()) ?? []
  const isFormat = ({ kind, text }: Token): boolean =>
    kind === 'string' && text.includes('%') && (format === undefined || literalText(text) === format)
  const found = [...(place?.tokens ?? []).filter(isFormat), ...program.tokens.filter(isFormat)]
  const [token] = found
  if (token === undefined) return []
  const to = data === undefined ? undefined : days.find(([shape]) => shape.test(data))?.[1]
  if (to !== undefined) return tokenEdit(program, token, `'${to}'`)
  const times = rest.replace(/\d\d:\d\d:\d\d/, '%H:%M:%S').replace(/\d\d:\d\d/, '%H:%M')
  return rest === '' ? [] : tokenEdit(program, token, `${token.text.slice(0, -1)}${times}${token.text.slice(-1)}`)
}

const writes = (line: string): boolean =>
  /["'](?:[wax]b?\+?|[wax]\+b)["']|\b(?:makedirs|mkdir|write_text|write_bytes|connect)\(/.test(line)

/** A path outside of the workspace, inside; only of what is written, for nothing that lies outside can be read. */
export function pythonPath(mistake: Mistake): Edits {
  const { program, groups } = mistake
  const path = groups['path'] ?? ''
  const texts = program.tokens.filter(
    ({ kind, text }) => kind === 'string' && literalText(text) === path && !/^[fF]/.test(text),
  )
  const name = path.split('/').findLast((part) => part !== '' && part !== '..' && part !== '~')
  if (name === undefined || texts.length === 0 || !program.lines.some((line) => writes(line))) return []
  return texts.flatMap((token) => tokenEdit(program, token, token.text.replace(path, name)))
}

/** A file by the name that the program uses elsewhere; the folder that a new file lies in. */
export function pythonFileName(mistake: Mistake): Edits {
  const { program, groups } = mistake
  const place = placeOf(mistake)
  const path = groups['path'] ?? ''
  if (place === undefined || path === '') return []
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  if (folder !== '' && writes(place.code)) {
    const inner = `${place.indent}import os\n${place.indent}os.makedirs('${folder}', exist_ok=True)\n`
    return /['"\\]/.test(folder) ? [] : [{ line: place.line, before: place.text, after: inner + place.text }]
  }
  const token = place.tokens.find(({ kind, text }) => kind === 'string' && literalText(text) === path)
  const others = program.tokens
    .filter(({ kind, text }) => kind === 'string' && text.includes('.'))
    .map(({ text }) => literalText(text))
  const to = meant(path, others)
  return token === undefined || to === undefined ? [] : tokenEdit(program, token, token.text.replace(path, to))
}

/** A folder or a file that is there already. */
export function pythonExistOk(mistake: Mistake): Edits {
  const { program } = mistake
  const place = placeOf(mistake)
  if (place === undefined) return []
  const call = callOf(place.tokens, ['makedirs', 'mkdir'])
  if (call !== undefined) {
    const isPlain = call.name.text === 'mkdir' && program.code.slice(0, call.name.start).endsWith('os.')
    const separator = call.inner.length === 0 ? '' : ', '
    return spanEdit(
      program,
      call.name.start,
      endOf(call.close),
      `${isPlain ? 'makedirs' : call.name.text}(${program.code.slice(endOf(call.open), call.close.start)}${separator}exist_ok=True)`,
    )
  }
  const mode = place.tokens.find(({ kind, text }) => kind === 'string' && /^["']xb?["']$/.test(text))
  return mode === undefined ? [] : tokenEdit(program, mode, mode.text.replace('x', 'w'))
}

/** The mode that a file is opened in, where the program opens one. */
function modeEdit({ program }: Mistake, change: (mode: string) => string): Edits {
  const opens = program.tokens.filter(({ text }, at) => text === 'open' && program.tokens[at + 1]?.text === '(')
  const [only] = opens
  const call =
    only === undefined || opens.length > 1
      ? undefined
      : callOf(program.tokens.slice(program.tokens.indexOf(only)), ['open'])
  if (call === undefined) return []
  const mode = call.inner.find(({ kind, text }) => kind === 'string' && /^["'][rwaxbt+]{1,3}["']$/.test(text))
  return mode === undefined
    ? insertEdit(program, call.close.start, `, '${change('r')}'`)
    : tokenEdit(program, mode, `'${change(literalText(mode.text))}'`)
}

/** A file that is read and was opened to be written, or the other way round. */
export function pythonFileMode(mistake: Mistake): Edits {
  const { message } = mistake.error
  if (message.startsWith('not readable'))
    return modeEdit(mistake, (mode) => mode.replace(/[wax]/, 'r').replace('+', ''))
  return message.startsWith('not writable') ? modeEdit(mistake, (mode) => mode.replace('r', 'w')) : []
}

/** Bytes and text: the mode of the file, or the text as bytes. */
export function pythonBytes(mistake: Mistake): Edits {
  const { program, error } = mistake
  const place = placeOf(mistake)
  if (/write\(\) argument must be str, not bytes/.test(error.message))
    return modeEdit(mistake, (mode) => `${mode.replace('t', '')}b`)
  const call =
    place === undefined
      ? undefined
      : callOf(place.tokens, ['write', 'md5', 'sha1', 'sha256', 'sha512', 'b64encode', 'update', 'compress', 'crc32'])
  if (
    call === undefined ||
    call.inner.length === 0 ||
    !/not 'str'|Strings must be encoded|encoded before|a bytes-like object/.test(error.message)
  )
    return []
  const inner = program.code.slice(endOf(call.open), call.close.start)
  return spanEdit(
    program,
    endOf(call.open),
    call.close.start,
    call.inner.length === 1 ? `${inner}.encode()` : `(${inner}).encode()`,
  )
}

/** A pattern of letters that stand for themselves. */
export function pythonEscapePattern(mistake: Mistake): Edits {
  const { program } = mistake
  const place = placeOf(mistake)
  const call =
    place === undefined
      ? undefined
      : callOf(place.tokens, ['findall', 'search', 'match', 'sub', 'split', 'compile', 'fullmatch', 'finditer'])
  const [first] = call?.inner ?? []
  return first?.kind === 'string' ? spanEdit(program, first.start, endOf(first), `re.escape(${first.text})`) : []
}
