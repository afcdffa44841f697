// What `profile test --record` writes at the end of a profile.
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { recordTested } from '../../../../server/gateway/profiles/record-tested.ts'
import { shapeDigest } from '../../../../server/gateway/profiles/definition-shape.ts'

const takes = (name: string) => ({ type: 'object' as const, properties: { [name]: { type: 'string' } } })
const ofSheets = { name: 'append_rows', inputSchema: takes('sheet') }
const ofDocuments = { name: 'append_rows', inputSchema: takes('document') }
const other = { name: 'read_rows', inputSchema: takes('sheet') }
const profile = 'tools: { append_rows: read, read_rows: read } # ours\n'

test('both definitions of a name that a server lists twice are kept, however often they are written down', () => {
  const once = recordTested(profile, '1.0.0', [ofSheets, ofDocuments, other])
  expect(parse(once)).toMatchObject({
    tested: [
      { version: '1.0.0', definitions: { append_rows: shapeDigest(ofSheets), read_rows: shapeDigest(other) } },
      { version: '1.0.0 (2)', definitions: { append_rows: shapeDigest(ofDocuments) } },
    ],
  })
  expect(recordTested(once, '1.0.0', [ofSheets, ofDocuments, other])).toBe(once)
})

test('other versions and comments stay', () => {
  const both = recordTested(recordTested(profile, '1.0.0', [ofSheets]), '1.0.10', [ofDocuments])
  expect(parse(both)).toMatchObject({ tested: [{ version: '1.0.0' }, { version: '1.0.10' }] })
  expect(both).toContain('# ours')
})
