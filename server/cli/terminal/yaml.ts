// YAML for the commands that print it: beside `output.ts`, which every command loads and which needs none of it.
import { Document, visit } from 'yaml'
import { invisible } from '../../cards/invisible-characters.ts'

/**
 * A JSON value as a YAML document that old and new parsers read alike: "yes" and dates are strings here. What agents and servers
 * wrote may have characters that a terminal obeys: they are escaped, which only double quotes can say (YAML 1.1, section 5.6).
 */
export function toYaml(value: unknown): string {
  const document = new Document(JSON.parse(JSON.stringify(value)), {
    version: '1.1',
    aliasDuplicateObjects: false,
    // Or a member whose name is the merge key `<<` would be written without quotes, and be read as the merging of its value.
    merge: false,
    customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || tag.tag !== 'tag:yaml.org,2002:merge'),
  })
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value !== 'string') return
      if (node.value === '<<' || invisible.test(node.value.replaceAll('\n', ''))) node.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString({ lineWidth: 0, blockQuote: false }).replace(inDocument, escaped)
}

const inDocument = new RegExp(`(?!\\n)${invisible.source}`, 'gu')

function escaped(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16)
  return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`
}
