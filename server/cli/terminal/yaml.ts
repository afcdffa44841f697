// YAML for the commands that print it: beside `output.ts`, which every command loads and which needs none of it.
import { stringify } from 'yaml'

/** A JSON value as a YAML document that old and new parsers read alike: "yes" and dates are strings here. */
export const toYaml = (value: unknown): string =>
  stringify(JSON.parse(JSON.stringify(value)), {
    version: '1.1',
    lineWidth: 0,
    blockQuote: false,
    aliasDuplicateObjects: false,
  })
