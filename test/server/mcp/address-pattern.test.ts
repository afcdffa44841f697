// Addresses are matched with templates as the SDK matches them, but no address takes long.
import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressPattern } from '../../../server/mcp/address-pattern.ts'
import { readOffer } from '../../../server/mcp/offer.ts'
import { addressed } from '../../../server/mcp/resource-address.ts'
import { runsOf } from '../../full.ts'

const texts = fc.string({
  unit: fc.constantFrom('a', 'b', '-', '/', ',', '.', '&', '?q=', '&of=', '\n'),
  maxLength: 12,
})
const expressions = fc
  .tuple(fc.constantFrom('', '+', '#', '.', '/', '?', '&'), fc.constantFrom('q', 'of', 'q,of', 'list*', ' q '))
  .map(([operator, names]) => `{${operator}${names}}`)
const templates = fc.array(
  fc.oneof(
    expressions,
    texts.map((text) => text.slice(0, 2)),
  ),
  { maxLength: 6 },
)

test('what an address has for the variables of a template is what the SDK says', () => {
  fc.assert(
    fc.property(templates, fc.array(texts, { minLength: 5, maxLength: 10 }), (pieces, addresses) => {
      const template = pieces.join('')
      const own = addressPattern(template)
      const theirs = new UriTemplate(template)
      // Most texts are of no template; with its own literals more are.
      const filled = addresses.map((text) => template.replaceAll(/\{[^}]*\}/g, text.replaceAll('$', '')))
      for (const address of [...addresses, ...filled])
        expect(own.match(address) ?? null, JSON.stringify([template, address])).toEqual(theirs.match(address))
    }),
    { numRuns: runsOf(300) },
  )
})

test.each([
  ['days://{year}-{month}-{day}', `days://${'-'.repeat(1900)}/`],
  ['days://{year}-{month}-{day}', `days://${'-'.repeat(2000)}/`],
  ['b://{+a}/{+b}/{+c}/{+d}/e', `b://${'/'.repeat(1900)}`],
  ['b://{+a}/{+b}/{+c}/{+d}/e', `b://${'/'.repeat(3000)}`],
])('an address that %s could be divided into in many ways is answered at once', (uriTemplate, uri) => {
  const offer = readOffer([{ uriTemplate, name: 'one', read: () => '' }])
  if (!offer.ok) throw new Error('The template is sound.')
  const begun = performance.now()
  expect(addressed(offer.value, uri)).toBeUndefined()
  expect(performance.now() - begun).toBeLessThan(1000)
})

test('the longest address of a template has 2,000 characters', () => {
  const offer = readOffer([{ uriTemplate: 'notes://{name}', name: 'note', read: () => '' }])
  if (!offer.ok) throw new Error('The template is sound.')
  const name = 'x'.repeat(1992)
  expect(addressed(offer.value, `notes://${name}`)?.variables).toEqual({ name })
  expect(addressed(offer.value, `notes://${name}x`)).toBeUndefined()
})
