// Rules of the operator's file that no tool fits: each is named, with what was probably meant.
import { expect, test } from 'vitest'
import { namedTools } from '../../../../server/compose/settings/tool-names.ts'
import { configJsonSchema } from '../../../../server/compose/settings/config-schema-json.ts'
import { configSchema } from '../../../../server/config/config.schema.ts'
import { idleNames, idleRules } from '../../../../server/gateway/rules/idle-rules.ts'

const tools = ['read_file', 'write_file', 'list_directory', 'list_allowed_directories']
const said = (...keys: readonly string[]) =>
  idleRules('files', { tools: Object.fromEntries(keys.map((key) => [key, {}])) }, tools).map(({ name, next }) => [
    name,
    next,
  ])

test('a name that no tool has is named with the nearest that one has', () => {
  expect(said('read_file', 'wirte_file')).toEqual([['wirte_file', 'Did you mean "write_file"?']])
})

test('a pattern that no tool fits is named with the nearest pattern that one fits', () => {
  expect(said('*', 'list_*', '*_file', 'lsit_*')).toEqual([['lsit_*', 'Did you mean "list_*"?']])
  expect(said('list_*_direktories')[0]?.[0]).toBe('list_*_direktories')
})

test('what is near nothing is answered with the tools there are; names of every object are names like others', () => {
  expect(said('constructor', 'refund')).toEqual([
    ['constructor', `Its tools are ${tools.join(', ')}.`],
    ['refund', `Its tools are ${tools.join(', ')}.`],
  ])
  expect(idleRules('files', { tools: { a: {} } }, [])[0]?.next).toBe('files has no tools.')
  const many = Array.from({ length: 12 }, (_, at) => `tool_number_${at}`)
  expect(idleRules('files', { tools: { refund: {} } }, many)[0]?.next).toMatch(/tool_number_9 and 2 more\.$/)
})

test('entries of the two lists of tools are looked at like rules, each at its own place', () => {
  const lists = { tools: {}, enabled_tools: ['read_*', 'wirte_file'], disabled_tools: ['list_*', 'lsit_*'] }
  expect(idleRules('files', lists, tools).map(({ path, message, next }) => [path.join('.'), message, next])).toEqual([
    [
      'mcpServers.files.enabled_tools.1',
      'mcpServers.files.enabled_tools names "wirte_file", and no tool of files is called that.',
      'Did you mean "write_file"?',
    ],
    [
      'mcpServers.files.disabled_tools.1',
      'mcpServers.files.disabled_tools names "lsit_*", and no tool of files fits that.',
      'Did you mean "list_*"?',
    ],
  ])
})

const settings = configSchema.parse({
  policy: { approvals: [{ tools: ['pay:create_*', 'pay:craete_*'] }, { tools: ['*'] }] },
  operators: {
    oidc: {
      issuer: 'https://id.example',
      client_id: 'countersign',
      roles: { clerks: ['viewer', { kind: 'approver', tools: ['pay:refund'] }] },
    },
  },
  tenants: { shop: { risk: { 'pay:create_refund': 'high', 'pay:*': 'high', 'pay:create_refnud': 'high' } } },
})

test('every other setting that names tools is looked at: approvals, roles, and the ratings of tenants', () => {
  const found = idleNames(namedTools(settings), ['pay:create_refund', 'pay:list_charges'])
  expect(found.map(({ message, next }) => `${message} ${next}`)).toEqual([
    'policy.approvals[0].tools names "pay:craete_*", and no tool fits that. Did you mean "pay:create_*"?',
    'operators.oidc.roles.clerks[1].tools names "pay:refund", and no tool is called that. The tools are pay:create_refund, pay:list_charges.',
    'tenants.shop.risk names "pay:*", and no tool fits that. Patterns do not count here: write the whole name of a tool.',
    'tenants.shop.risk names "pay:create_refnud", and no tool is called that. Did you mean "pay:create_refund"?',
  ])
  expect(found[0]?.path).toEqual(['policy', 'approvals', 0, 'tools', 1])
})

test('no setting names tools without being looked at', () => {
  // The schema says "Wire name" wherever a tool is named; whoever adds such a place adds it to `namedTools`.
  const places = JSON.stringify(configJsonSchema()).match(/"Wire names? of/g) ?? []
  const looked = new Set(namedTools(settings).map(({ path }) => path[0]))
  expect([...looked]).toEqual(['policy', 'operators', 'tenants'])
  expect(places).toHaveLength(looked.size)
})
