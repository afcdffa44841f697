// An action among the arguments of a tool that reads: whatever it is padded with, put into or spelt like, it does not run
// unasked. Either the call is rated as more than a read, or what it carries is refused by its name.
import { describe, expect, test } from 'vitest'
import * as fc from 'fast-check'
import { checkerOf, inputSchemaOf } from '../../../../server/gateway/contract/argument-check.ts'
import { fieldErrors } from '../../../../server/rail/intake/parse.ts'
import { invalidArguments } from '../../../../server/errors/field-rows.ts'
import { unfitToRunUnasked } from '../../../../server/gateway/call-tools/refusals.ts'
import type { RatedTool } from '../../../../server/gateway/rating/evidence.ts'
import { assess, unvouched, type RiskQuestion } from '../../../../server/gateway/rating/assess.ts'

const text = { type: 'string' }
const tool = (name: string, properties: Readonly<Record<string, unknown>>): RatedTool => ({
  name,
  inputSchema: { type: 'object', properties },
})
const item = tool('get_item', {
  id: text,
  action: text,
  operations: { type: 'array', items: text },
  ops: text,
  afterwards: text,
  mode: text,
  after: text,
  method: text,
  methods: text,
  rpc_method: text,
  payment_method: text,
  task: text,
  next_task: text,
  next_action: { type: 'object', properties: { what: text } },
})
const anything = tool('get_item', { id: text, action: { description: 'What to do.' } })
const named = tool('get_item', { id: text, action: { type: 'object', properties: { name: text } } })
const search = tool('search_items', { query: text, options: text })
const lister = tool('list_files', { options: { type: 'array', items: text } })
const router = tool('list_storage', { command: text, parameters: { type: 'object' } })
const page = tool('fetch_page', { url: text, method: text, data: text, form: text, postBody: text, json: {} })
const grep = tool('search_code', { pattern: text, args: { type: 'array', items: text }, extraArgs: text })
const files = tool('list_files', { args: text, arguments: { type: 'array', items: text } })
const listed = tool('get_items', { q: text, operation: { type: 'string', enum: ['get', 'set'] } })
const readings = tool('get_items', { q: text, operation: { type: 'string', enum: ['get', 'list'] } })

const questionOf = (of: RatedTool): RiskQuestion => ({ tool: of, variant: 'call_tool_read', server: { tools: {} } })

function runsUnasked(of: RatedTool, args: unknown): boolean {
  const question = questionOf(of)
  return assess(question, args).risk === 'low' && unvouched(question, args).length === 0
}

const within = (value: unknown, levels: number): unknown => (levels === 0 ? value : { a: within(value, levels - 1) })
const json = JSON.stringify

test.each<[string, RatedTool, unknown]>([
  ['one word', item, { action: 'delete' }],
  ['blanks behind it', item, { action: 'delete'.padEnd(200) }],
  ['blanks before it', item, { action: 'delete'.padStart(20_000) }],
  ['a blank of Unicode', item, { action: '\u00a0delete' }],
  ['a blank without width in it', item, { action: 'de\u200blete' }],
  ['letters of another width', item, { action: 'ｄｅｌｅｔｅ' }],
  ['a word that nobody knows', item, { action: 'obliterate' }],
  ['a second action', item, { action: 'list; delete all' }],
  ['a second action without a sign between', item, { action: 'list move all' }],
  ['a list as text', item, { action: 'get,delete' }],
  ['a list', item, { operations: ['list', 'delete'] }],
  ['a list of lists', anything, { action: [['delete']] }],
  ['an object', anything, { action: { do: 'delete' } }],
  ['an object with a name', named, { action: { name: 'delete' } }],
  ['a short name', item, { ops: 'delete' }],
  ['what comes next', item, { afterwards: 'delete' }],
  ['trigger 4', item, { task: 'trigger 4' }],
  ['perform_3', item, { task: 'perform_3' }],
  ['launch_7', item, { mode: 'launch_7' }],
  ['complete 12', item, { after: 'complete 12' }],
  ['process 12', item, { task: 'process 12' }],
  ['addMeToTheAdminGroup', item, { task: 'addMeToTheAdminGroup' }],
  ['payBobAllOfMyMoneyNow', item, { task: 'payBobAllOfMyMoneyNow' }],
  ['setTheRoleOfMeToRoot', item, { after: 'setTheRoleOfMeToRoot' }],
  ['runSqlOnDbAsRootUser', item, { task: 'runSqlOnDbAsRootUser' }],
  ['putNewIpOnTheDnsList', item, { task: 'putNewIpOnTheDnsList' }],
  ['delAllOfTheDbRowsNow', item, { mode: 'delAllOfTheDbRowsNow' }],
  ['newKeyOnMyApiAsRoot1', item, { task: 'newKeyOnMyApiAsRoot1' }],
  ['rmAllOfMyDbsAtOnceNow', item, { task: 'rmAllOfMyDbsAtOnceNow' }],
  ['addMeTo2TheAdminGroupNOW', item, { task: 'addMeTo2TheAdminGroupNOW' }],
  ['close 3', item, { task: 'close 3' }],
  ['close #3', item, { task: 'close #3' }],
  ['lock 3', item, { mode: 'lock 3' }],
  ['archive 2024', item, { task: 'archive 2024' }],
  ['mark 9', item, { after: 'mark 9' }],
  ['ack_1', item, { after: 'ack_1' }],
  ['start 5', item, { task: 'start 5' }],
  ['draft_2', item, { task: 'draft_2' }],
  ['share_1', item, { after: 'share_1' }],
  ['charge 5000', item, { task: 'charge 5000' }],
  ['email 7', item, { task: 'email 7' }],
  ['POST 1', item, { task: 'POST 1' }],
  ['POST /1', item, { task: 'POST /1' }],
  ['post /1', item, { after: 'post /1' }],
  ['post 1', item, { after: 'post 1' }],
  ['POST_1', item, { after: 'POST_1' }],
  ['a mode', item, { mode: 'fast, delete' }],
  ['padding where cursors stand', item, { after: 'delete'.padEnd(20_000) }],
  ['a value that is not listed', listed, { operation: 'list' }],
  ['a value beside nothing but readings', readings, { operation: 'delete' }],
  ['JSON', search, { options: json({ method: 'DELETE' }) }],
  ['blanks behind JSON', search, { options: json({ method: 'DELETE' }).padEnd(20_001) }],
  ['blanks before JSON', search, { options: json({ method: 'DELETE' }).padStart(30_000) }],
  ['JSON deeper than any arguments', search, { options: json(within({ method: 'DELETE' }, 70)) }],
  ['a byte order mark before JSON', search, { options: `\ufeff${json({ method: 'DELETE' })}` }],
  ['JSON in JSON', search, { options: json({ a: json({ sql: 'DELETE FROM a' }) }) }],
  ['JSON that names an action', search, { options: json({ action: 'delete' }) }],
  ['JSON5', search, { options: "{sql: 'DELETE FROM a'}" }],
  ['JSON5 with blanks', search, { options: "{sql \t\n : 'DELETE FROM a'}" }],
  ['two objects in a row', search, { options: '{"a": 1}\n{"sql": "DELETE FROM a"}' }],
  ['JSON for a router', router, { command: 'account_list', parameters: { x: json({ method: 'DELETE' }) } }],
  ['deep JSON for a router', router, { command: 'account_list', parameters: { x: json(within({ sql: 'x' }, 70)) } }],
  ['an action among readings for a router', router, { command: 'list move_all list', parameters: {} }],
  ['a comma too many', search, { options: '{"action":"delete",}' }],
  ['a name without quotation marks', search, { options: '{action:"delete"}' }],
  ['single quotation marks', search, { options: "{'op':'remove'}" }],
  ['a flag in what is nearly JSON', search, { options: '{commit: true}' }],
  ['an escaped name', search, { options: '{"m\\u0065thod":"DELETE",}' }],
  ['a comment within', search, { options: '{method/**/:"DELETE",}' }],
  ['a comment before', search, { options: '// x\n{"method":"DELETE"}' }],
  ['a long comment before', search, { options: `/*${' '.repeat(2000)}*/{"method":"DELETE"}` }],
  ['JSON in a JSON text', search, { options: json(json({ method: 'DELETE' })) }],
  ['a name that stands twice', search, { options: '{"action":"delete","action":"get"}' }],
  ['a label of an action', router, { command: 'account_list', parameters: { action_type: 'delete' } }],
  ['a type for a router', router, { command: 'account_list', parameters: { type: 'delete' } }],
  ['a sentence', item, { action: 'get rid of repo 7' }],
  ['a word of another language', item, { action: 'get löschen' }],
  ['a letter of another alphabet', item, { action: 'get_d\u0435lete' }],
  ['the type of an action', tool('get_item', { id: text, actionType: text }), { actionType: 'delete' }],
  ['the name of an operation', tool('get_item', { id: text, operation_name: text }), { operation_name: 'delete_all' }],
  [
    'a part of an action',
    tool('get_item', { action: { type: 'object', properties: { what: text } } }),
    { action: { what: 'delete' } },
  ],
  ['a label before an object', search, { options: '{}{"method":"DELETE"}' }],
  ['an empty list before an object', search, { options: '[]{"method":"DELETE"}' }],
  ['a number before an object', search, { options: '[1,{"method":"DELETE"},]' }],
  ['null before an object', search, { options: '[null,{sql:"x"}]' }],
  ['a bracket as text before an object', search, { options: '[1,"]]",{method:"DELETE"}]' }],
  ['an escaped name in a list', search, { options: '[1,{"m\\u0065thod":"DELETE"},]' }],
  ['a comment in a list', search, { options: '[/**/{method:"DELETE"}]' }],
  ['a comment before a colon in a list', search, { options: '[1, method/**/: DELETE]' }],
  ['a name with an equals sign', search, { options: '{method="DELETE"}' }],
  ['a name in a list', search, { options: '[method: DELETE]' }],
  ['a name behind others in a list', search, { options: '[a, [b], action: delete]' }],
  ['a name in a second list', search, { options: '[a][action: delete]' }],
  ['a second action in nearly JSON', search, { options: '[null,{action:"list, delete"}]' }],
  ['padding in nearly JSON', search, { options: `[null,{mode:"fast,${' '.repeat(5000)}delete"}]` }],
  ['a flag in a list', search, { options: '[1,{commit: true}]' }],
  ['a key of YAML with its mark', search, { options: '{? method : DELETE}' }],
  ['a key of YAML with its type', search, { options: '{!!str method: DELETE}' }],
  ['a filter as JSON', tool('count_items', { filter_json: text }), { filter_json: json({ method: 'DELETE' }) }],
  ['a query as JSON', tool('explain_query', { query_json: text }), { query_json: json({ method: 'DELETE' }) }],
  ['options as JSON', tool('inspect_item', { options_json: text }), { options_json: json({ method: 'DELETE' }) }],
  ['a payload as JSON', tool('validate_request', { payload_json: text }), { payload_json: json({ method: 'DELETE' }) }],
  [
    'the content of a request',
    tool('explain_request', { request_content: text }),
    { request_content: json({ method: 'DELETE' }) },
  ],
  ['the plan of a query', tool('explain', { text }), { text: json({ method: 'DELETE' }) }],
  ['an action and an id', item, { task: 'delete/aB3dE5fG7hI9jK1lM' }],
  ['an action between words and an id', item, { task: 'users_delete_aB3dE5fG7hI9jK1l' }],
  ['an action with an id', item, { task: 'set_aB3dE5fG7hI9jK1lM2' }],
  ['a word of no language', item, { method: 'obliterate' }],
  ['an action of another kind of method', item, { rpc_method: 'obliterate' }],
  ['a noun that is a verb', item, { task: 'archivePost' }],
  ['an option of the program behind it', grep, { pattern: 'a', args: ['--pre', 'rm'] }],
  ['an option of it as text', grep, { pattern: 'a', extraArgs: ' --pre=rm' }],
  ['an option behind something else', files, { args: '. -delete' }],
  ['a command behind it', files, { args: 'a; rm b' }],
  ['a command within it', files, { args: '$(rm b)' }],
  ['an option in a list of arguments', files, { arguments: ['.', '--delete'] }],
  ['an option in a list of options', lister, { options: ['.', '--delete'] }],
  ['data of a request', page, { url: 'a', method: 'GET', data: 'a=1' }],
  ['a form of a request', page, { url: 'a', method: 'GET', form: 'a=1' }],
  ['a posted body', page, { url: 'a', method: 'GET', postBody: 'a=1' }],
  ['JSON of a request', page, { url: 'a', method: 'GET', json: { a: 1 } }],
])('does not run: %s', (_, of, args) => {
  expect(runsUnasked(of, args)).toBe(false)
})

test.each<[RatedTool, unknown]>([
  [item, { action: 'list' }],
  [lister, { options: ['recursive', 'by size'] }],
  [item, { action: '' }],
  [readings, { operation: 'list' }],
  [readings, { operation: null }],
  [item, { action: null, after: 'Nzkx1c2VV0', mode: 'fast' }],
  [search, { query: '[bug] login fails: why?', options: json({ limit: 3, action: 'list' }) }],
  [router, { command: 'storage_account_list', parameters: { subscription: 'main' } }],
  [page, { url: 'a', method: 'GET' }],
  [grep, { pattern: '--a', args: ['src', 'a-b'], extraArgs: 'src' }],
  [files, { args: 'src a-b', arguments: ['a|b; c', 'a - b'] }],
  [item, { after: 'order_8812' }],
  [item, { after: 'post_1' }],
  [item, { after: 'message_18c3f2a9' }],
  [item, { after: 'order_aB3dE5fG7hI9jK1lM2' }],
  [item, { after: '2b1c4add-0add-4add-8add-aaaaaaaaaaaa' }],
  [item, { payment_method: 'visa' }],
  [item, { method: 'list', rpc_method: 'getUser' }],
  [item, { after: 'b3JkZXI6MTIz-PutAbc_Send' }],
  [search, { query: '{app="shop", env="live"} |= "method"' }],
  [search, { query: '[note] the method: we update: x' }],
  [search, { query: '"delete account" button' }],
  [tool('parse_json', { text }), { text: json({ sql: 'DELETE', action: 'delete' }) }],
  [tool('parse_json', { raw_json: text, sourceText: text }), { raw_json: json({ sql: 'x' }), sourceText: '{sql: 1}' }],
  [search, { query: "[don't know] the method: we update" }],
  [router, { command: 'account_list', parameters: { type: 'order' } }],
  [tool('validate_document', { document: text, strict: { type: 'boolean' } }), { document: `{${' '.repeat(30_000)}}` }],
  [tool('fetch', { url: text, include_body: { type: 'boolean' } }), { url: 'a', include_body: true }],
  [{ ...tool('compare_series', { method: text }), annotations: { readOnlyHint: true } }, { method: 'pearson' }],
  [{ ...tool('calculate', { operation: text }), annotations: { readOnlyHint: true } }, { operation: 'sum' }],
  [{ ...tool('get_audit_log', { action: text }), annotations: { readOnlyHint: true } }, { action: 'user.login' }],
])('runs: %j with %j', (of, args) => {
  expect(runsUnasked(of, args)).toBe(true)
})

const filling = fc.stringMatching(/^[\s.,;:_/|-]{0,300}$/)

test('a cursor runs, whatever letters it is made of', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 400 }), (bytes) => {
      expect(runsUnasked(item, { after: Buffer.from(bytes).toString('base64url') })).toBe(true)
    }),
    // One of about 20,000 begins with a verb by chance, and asks.
    { seed: 7, numRuns: 1000 },
  )
})

const verb = fc.constantFrom('delete', 'drop', 'remove', 'send', 'update', 'set', 'grant', 'transfer', 'create', 'run')
const noun = fc.constantFrom('user', 'users', 'table', 'item', 'email', 'all', 'repo', 'post', 'order')
const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`
const shortWord = fc.constantFrom('me', 'to', 'the', 'all', 'of', 'my', 'db', 'on', 'now', 'as', 'new', 'api')
const actionName = fc.oneof(
  fc
    .tuple(verb, fc.array(noun, { minLength: 1, maxLength: 3 }))
    .map(([does, what]) => `${does}${what.map(capital).join('')}`),
  fc
    .tuple(verb, fc.constantFrom('_', '-', '/', ':', '.', ' ', ''), fc.nat())
    .map(([does, joint, n]) => `${does}${joint}${n}`),
  fc.tuple(verb, noun, fc.nat()).map(([does, what, n]) => `${does}_${what}_${n}`),
  fc.tuple(noun, verb, noun).map(([whose, does, what]) => `${whose}.${does}${capital(what)}`),
  fc.tuple(verb, noun).map(([does, what]) => `get${capital(what)}Then${capital(does)}`),
  fc
    .tuple(
      fc.constantFrom('add', 'set', 'put', 'pay', 'rm', 'del'),
      fc.array(shortWord, { minLength: 2, maxLength: 8 }),
    )
    .map(([does, what]) => `${does}${what.map(capital).join('')}`),
)

test('an action runs in no way in which names are written', () => {
  const argumentNames = ['action', 'method', 'methods', 'rpc_method', 'task', 'next_task', 'mode', 'after']
  fc.assert(
    fc.property(actionName, fc.constantFrom(...argumentNames), (does, argument) => {
      expect(runsUnasked(item, { [argument]: does })).toBe(false)
      expect(runsUnasked(item, { next_action: { what: does } })).toBe(false)
    }),
  )
})

test('no filling around an action hides it', () => {
  fc.assert(
    fc.property(filling, fc.constantFrom('delete', 'move', 'send'), filling, (before, action, behind) => {
      expect(runsUnasked(item, { action: `${before}${action}${behind}` })).toBe(false)
      expect(runsUnasked(item, { mode: `${before}${action}${behind}` })).toBe(false)
    }),
  )
})

test('no object around an action hides it, as JSON or in it', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 8 }), fc.nat(30_000), (wrapped, blanks) => {
      const hidden = wrapped.reduce<unknown>((value, asText) => ({ a: asText ? json(value) : value }), {
        sql: 'DELETE',
      })
      expect(runsUnasked(search, { options: json(hidden).padEnd(blanks) })).toBe(false)
      expect(runsUnasked(router, { command: 'account_list', parameters: { a: hidden } })).toBe(false)
    }),
  )
})

test('a server that says "read-only" is not believed of what stands behind many other undeclared values', () => {
  const mixed: RatedTool = {
    ...tool('kubectl_context', {
      operation: { type: 'string', enum: ['get', 'set'] },
      more: { type: 'object', properties: {} },
    }),
    annotations: { readOnlyHint: true },
  }
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`a${at}`, 1]))
  expect(runsUnasked(mixed, { operation: 'get', more: many, sql: 'DELETE' })).toBe(false)
})

describe('a call that may not run unasked', () => {
  const unusable = { not: { pattern: '^(?!x)' } }
  const patterned = { type: 'string', pattern: '^[a-z ]*$' }
  const parse = (of: RatedTool, args: unknown, wireName?: (name: string) => string) => {
    const check = unfitToRunUnasked(questionOf(of), wireName === undefined ? {} : { wireName })
    const { inputSchema = {} } = of
    return inputSchemaOf(inputSchema, checkerOf(inputSchema), [], check).safeParse(args)
  }
  const refusal = (...call: Parameters<typeof parse>): string | undefined => parse(...call).error?.issues[0]?.message
  /** What is advised beside the refusal. */
  const advice = (of: RatedTool, args: unknown): readonly string[] => {
    const { error } = parse(of, args)
    const fields = error === undefined ? [] : fieldErrors(error, args, Object.keys(of.inputSchema ?? {}))
    return invalidArguments({ kind: 'invalid-arguments', tool: of.name, fields }).actionable_guidance
  }
  const readOnly = { annotations: { readOnlyHint: true } }

  test('because the schema of a silent tool cannot be used is refused with why, and with the door that asks', () => {
    const silent = tool('get_item', { id: unusable })
    expect(refusal(silent, { id: 'a' })).toMatch(/cannot be used \(it rests on a pattern.*call_tool_write/)
    expect(refusal(silent, { id: 'a' }, (name) => name)).toMatch(/let the operator rate the tool$/)
    expect(refusal({ ...silent, ...readOnly }, { id: 'a' })).toBeUndefined()
  })

  test('because its arguments were not checked is refused with a way on that exists', () => {
    const long = { id: 'a '.repeat(60_000) }
    const silent = tool('get_item', { id: patterned })
    expect(refusal(silent, long)).toMatch(/at most 100000 characters .*call_tool_write/)
    // Through every door of a gateway a tool that only reads runs unasked, so no other door asks a person.
    expect(refusal({ ...silent, ...readOnly }, long)).toMatch(/at most 100000 .* let the operator rate the tool$/)
  })

  test('because a text may be JSON that acts is told that, and not that the argument does not exist', () => {
    expect(refusal(search, { query: 'a', options: json({ action: 'delete' }) })).toMatch(/^text that is not JSON/)
    expect(refusal(search, { query: 'a', sql: 'DELETE' })).toMatch(/^nothing: the tool does not declare it/)
  })

  test('is told once what to do instead', () => {
    expect(advice(search, { query: 'a', sql: 'DELETE' })).toEqual([
      'Leave out /sql; the tool does not declare it, and its server does not say that it only reads. Otherwise make the same call with call_tool_write, where a person is asked.',
    ])
    expect(advice(tool('get_item', { id: { type: 'string', minLength: [] } }), { id: 'a' })).toEqual([
      expect.stringMatching(
        /^Make the same call with call_tool_write, where a person is asked: the schema of the tool cannot be used \(.*\), so nobody checked the arguments\.$/,
      ),
    ])
  })
})
