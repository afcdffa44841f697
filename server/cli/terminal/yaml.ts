// YAML that old and new parsers read alike: "yes" and dates are strings here, which YAML 1.1 would take for more.
import { stringify } from 'yaml'

/** A JSON value as a YAML document. What JSON cannot say (`undefined`, functions) is left out. */
export const toYaml = (value: unknown): string =>
  stringify(JSON.parse(JSON.stringify(value)), {
    version: '1.1',
    lineWidth: 0,
    blockQuote: false,
    aliasDuplicateObjects: false,
  })
