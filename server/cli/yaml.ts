// Just enough YAML 1.2 to print JSON values for people. Every string that could be read as anything else is quoted as
// JSON, which YAML includes.

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** A JSON value as a YAML document. */
export function toYaml(value: unknown): string {
  // Through JSON, so that what has no place there (undefined, functions) is gone before it is looked at.
  return `${node(JSON.parse(JSON.stringify(value)) as Json, '')}\n`.replace(/^\n/, '')
}

/** Starts with a line break where the value needs lines of its own. */
function node(value: Json, indent: string): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return scalar(value)
  if (isList(value)) {
    if (value.length === 0) return '[]'
    return value.map((item) => `\n${indent}- ${nested(node(item, `${indent}  `), indent)}`).join('')
  }
  const entries = Object.entries(value)
  if (entries.length === 0) return '{}'
  return entries
    .map(([key, item]) => {
      const text = node(item, `${indent}  `)
      return `\n${indent}${scalar(key)}:${text.startsWith('\n') ? text : ` ${text}`}`
    })
    .join('')
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

/** The first line of a block that stands behind a dash. */
const nested = (text: string, indent: string): string =>
  text.startsWith('\n') ? text.slice(1 + indent.length + 2) : text

const harmless = /^[A-Za-z_][A-Za-z0-9_ ./()-]*$/
const words = /^(true|false|null|yes|no|on|off|y|n|nan|inf)$/i

const scalar = (text: string): string =>
  harmless.test(text) && !words.test(text) && !text.endsWith(' ')
    ? text
    : JSON.stringify(text).replaceAll('\x7f', '\\u007f')
