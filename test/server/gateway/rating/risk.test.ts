// What a call of somebody else's tool is worth asking about: operator, annotations, door, and the verb on top.
import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { variants, type Hints, type Variant } from '../../../../server/gateway/call-tools/call-with.ts'
import type { ToolOverride } from '../../../../server/gateway/upstream/settings/upstream-config.ts'
import { assess, riskOfTool, type RiskQuestion } from '../../../../server/gateway/rating/assess.ts'
import { leadingVerb, readingVerb } from '../../../../server/gateway/rating/tool-name.ts'
import { riskAtMost, riskRank } from '../../../../server/tools/define-tool.ts'
import type { Risk } from '../../../../server/model/risk.ts'

const ask = (
  tool: string,
  hints: Hints | undefined,
  variant: Variant,
  tools: Record<string, ToolOverride> = {},
  default_risk?: Risk,
): RiskQuestion => ({ tool: { name: tool, annotations: hints }, variant, server: { tools, default_risk } })

const readOnly = { readOnlyHint: true }
const neither = { readOnlyHint: false, destructiveHint: false }
const destructive = { destructiveHint: true }

test.each([
  ['look_up', readOnly, 'call_tool_read', 'low', 'read'],
  ['look_up', readOnly, 'call_tool_write', 'low', 'read'],
  ['do_it', destructive, 'call_tool_destructive', 'high', 'destructive'],
  ['do_it', { readOnlyHint: true, destructiveHint: true }, 'call_tool_destructive', 'high', 'destructive'],
  ['do_it', neither, 'call_tool_write', 'medium', 'write'],
  ['do_it', neither, 'call_tool_destructive', 'medium', 'destructive'],
  ['do_it', { readOnlyHint: false }, 'call_tool_write', 'high', 'write'],
  ['list_repos', undefined, 'call_tool_read', 'low', 'read'],
  ['list_repos', { title: 'x' } as Hints, 'call_tool_read', 'low', 'read'],
  ['do_it', undefined, 'call_tool_write', 'high', 'write'],
  ['do_it', undefined, 'call_tool_destructive', 'high', 'destructive'],
  ['delete_repo', undefined, 'call_tool_read', 'critical', 'destructive'],
  ['delete_repo', readOnly, 'call_tool_read', 'critical', 'destructive'],
  ['send_mail', neither, 'call_tool_write', 'critical', 'write'],
  ['pay_invoice', undefined, 'call_tool_write', 'critical', 'write'],
  ['grant_access', neither, 'call_tool_write', 'critical', 'write'],
  ['update_page', neither, 'call_tool_write', 'high', 'destructive'],
  ['moveFile', neither, 'call_tool_write', 'high', 'destructive'],
  ['create_issue', readOnly, 'call_tool_read', 'high', 'write'],
  ['create_issue', undefined, 'call_tool_read', 'high', 'write'],
  ['create_issue', neither, 'call_tool_write', 'medium', 'write'],
  ['do_it', undefined, 'call_tool_read', 'high', 'write'],
  ['run_query', readOnly, 'call_tool_read', 'low', 'read'],
  ['execute_sql', undefined, 'call_tool_read', 'high', 'destructive'],
  ['slack_post_message', undefined, 'call_tool_read', 'critical', 'write'],
] as const)('%s, annotated %o, through %s is %s and a %s', (tool, hints, variant, risk, operation) => {
  expect(assess(ask(tool, hints, variant), {})).toMatchObject({ risk, operation })
})

test('every raise says its reason', () => {
  expect(assess(ask('delete_repo', readOnly, 'call_tool_read'), {}).reasons).toEqual([
    'The server marks it as read-only, and something contradicts that.',
    'Its name says "delete": it deletes, so it is critical.',
  ])
})

test('the operator is above the annotations: for a tool it is final, for a server the verb still raises', () => {
  const quiet = { delete_draft: { risk: 'low', operation: 'write' } } as const
  expect(assess(ask('delete_draft', destructive, 'call_tool_destructive', quiet), {})).toMatchObject({ risk: 'low' })
  expect(assess(ask('look_up', destructive, 'call_tool_destructive', {}, 'low'), {})).toMatchObject({ risk: 'low' })
  expect(assess(ask('delete_repo', undefined, 'call_tool_write', {}, 'low'), {})).toMatchObject({ risk: 'critical' })
  expect(assess(ask('look_up', readOnly, 'call_tool_read', {}, 'forbidden'), {})).toMatchObject({ risk: 'forbidden' })
})

test('the arguments decide where the operator says so; the first rule that holds wins', () => {
  const tools = {
    upsert: {
      risk: 'medium',
      when: [
        {
          if: { '/options/mode': { one_of: ['replace', 'purge'] }, dry: { present: false } },
          risk: 'critical',
          operation: 'destructive',
        },
        { if: { path: { matches: '^/etc/' } }, risk: 'forbidden' },
        { if: { count: { greater_than: 10, less_than: 100 } }, risk: 'high' },
      ],
    },
  } satisfies Record<string, ToolOverride>
  const question = ask('upsert', neither, 'call_tool_write', tools)
  const riskFor = (args: unknown): Risk => assess(question, args).risk
  expect(riskFor({})).toBe('medium')
  expect(riskFor({ options: { mode: 'replace' } })).toBe('critical')
  expect(riskFor({ options: { mode: 'replace' }, dry: true })).toBe('medium')
  expect(riskFor({ path: '/etc/passwd' })).toBe('forbidden')
  expect(riskFor({ count: 11 })).toBe('high')
  expect(riskFor({ count: 100 })).toBe('medium')
  expect(riskFor({ count: '50' })).toBe('medium')
  expect(riskOfTool(question)).toMatchObject({ atMost: 'critical' })
})

test('an argument that is absent matches no pattern', () => {
  const tools = {
    write: { risk: 'critical', when: [{ if: { path: { matches: '^([^e]*)$' } }, risk: 'low' }] },
  } satisfies Record<string, ToolOverride>
  const riskFor = (args: unknown): Risk => assess(ask('write', neither, 'call_tool_write', tools), args).risk
  expect(riskFor({ path: '/tmp/x' })).toBe('low')
  expect(riskFor({ path: '' })).toBe('low')
  expect(riskFor({})).toBe('critical')
})

test('a verb is found behind a prefix, and not behind a reading verb', () => {
  const risks = Object.fromEntries(
    [
      'github_delete_repo',
      'deleteRepo',
      'repo.delete',
      'Mail-SEND',
      'list_deleted_files',
      'get_or_create_user',
      'find_and_replace',
      'app_store_search',
      'git_checkout',
      'post_message',
      'get_post',
      'posts',
      'slack_post_message',
      'chat_postMessage',
      'tool_forward_email',
      'stripe_charge_customer',
      'wallet_checkout',
      'jira_share_issue',
      'notion_archive_page',
      'search_and_book_flight',
      'slack_post_search',
      'weather_user_post',
    ].map((name) => [name, leadingVerb(name)?.risk ?? 'none']),
  )
  expect(risks).toEqual({
    github_delete_repo: 'critical',
    deleteRepo: 'critical',
    'repo.delete': 'critical',
    'Mail-SEND': 'critical',
    list_deleted_files: 'none',
    get_or_create_user: 'medium',
    find_and_replace: 'high',
    app_store_search: 'none',
    git_checkout: 'none',
    post_message: 'critical',
    get_post: 'none',
    posts: 'none',
    slack_post_message: 'critical',
    chat_postMessage: 'critical',
    tool_forward_email: 'critical',
    stripe_charge_customer: 'critical',
    wallet_checkout: 'critical',
    jira_share_issue: 'critical',
    notion_archive_page: 'high',
    search_and_book_flight: 'medium',
    slack_post_search: 'none',
    weather_user_post: 'none',
  })
})

const name = fc
  .array(fc.constantFrom('delete', 'send', 'create', 'get', 'list', 'update', 'repo', 'mail', 'run'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join('_'))
const hint = fc.option(fc.boolean(), { nil: undefined })
const hints = fc.record({ readOnlyHint: hint, destructiveHint: hint })

test('a verb that acts never lowers, and what is above low is never a plain read', () => {
  fc.assert(
    fc.property(name, hints, fc.constantFrom(...variants), (tool, hint, variant) => {
      const plain = assess(ask('thing', hint, variant), {})
      const named = assess(ask(tool, hint, variant), {})
      // Where the server says nothing, a name that reads is what makes a read.
      if (readingVerb(tool) === undefined) expect(riskRank(named.risk)).toBeGreaterThanOrEqual(riskRank(plain.risk))
      if (named.risk !== 'low') expect(named.operation).not.toBe('read')
      expect(riskAtMost(riskOfTool(ask(tool, hint, variant)))).toBe(named.risk)
    }),
  )
})

test('a tool that its server marks destructive is never low without an operator', () => {
  fc.assert(
    fc.property(name, hints, fc.constantFrom(...variants), (tool, hint, variant) => {
      fc.pre(hint.readOnlyHint !== true)
      const assessed = assess(ask(tool, { ...hint, destructiveHint: true }, variant), {})
      expect(riskRank(assessed.risk)).toBeGreaterThanOrEqual(riskRank('high'))
      expect(assessed.operation).toBe('destructive')
    }),
  )
})
