// What a profile lets a person change: under the names of its card, and held to the tools that its server lists.
import { expect, test } from 'vitest'
import { checkAgainst } from '../../../../server/gateway/profiles/check-against.ts'
import { profileSchema } from '../../../../server/gateway/profiles/profile.schema.ts'
import { revisedBy } from '../../../../server/gateway/profiles/revise.ts'

const profileWith = (revise: true | string[]) =>
  profileSchema.parse({
    profile: 1,
    name: 'tracker',
    title: 'Tracker',
    match: { npm: ['tracker-mcp'] },
    tools: {
      create_issue: {
        operation: 'write',
        risk: 'medium',
        show: [
          { argument: 'title', label: 'Headline' },
          { argument: '/labels', label: 'Tags' },
          { argument: 'budget', as: 'money', currency: 'EUR' },
          { argument: 'cost', as: 'money', currency: '{unit}' },
        ],
        revise,
      },
    },
    tested: [{ version: '1.0.0', definitions: {} }],
  })

const toolOf = (revise: true | string[]) => profileWith(revise).tools['create_issue']

test('arguments are places of a contract, with the labels and the currency of the card', () => {
  expect(revisedBy(toolOf(['title', '/labels/*', 'budget', 'cost', 'note']))).toStrictEqual({
    revise: [
      { at: '/title', label: 'Headline' },
      { at: '/labels/*', label: 'Tags' },
      { at: '/budget', currency: 'EUR' },
      { at: '/cost' },
      { at: '/note' },
    ],
  })
  expect(revisedBy(toolOf(true))).toStrictEqual({ revise: true })
  expect(revisedBy(undefined)).toStrictEqual({})
})

test('a place that the tool does not have, or that is no single value, is named', () => {
  const inputSchema = {
    type: 'object' as const,
    properties: {
      title: { type: 'string' },
      labels: { type: 'array', items: { type: 'string' } },
      by: { type: 'object', properties: {} },
    },
  }
  const listed = [{ name: 'create_issue', inputSchema }]
  const wrong = checkAgainst(profileWith(['title', '/labels/*', 'titel', 'by', 'labels']), listed)
  const places = wrong.filter(({ path }) => path.includes('revise')).map(({ path, message }) => [path.at(-1), message])
  expect(places).toStrictEqual([
    [2, '"/titel" leads to nothing in the input, or to a value of several kinds.'],
    [3, '"/by" leads to no single value.'],
    [4, '"/labels" leads to no single value.'],
  ])
})
