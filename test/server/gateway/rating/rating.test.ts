// How tools that nobody here has written are rated: tables of what runs unasked and what never does, and the promise that
// nothing dangerous that is added to a definition makes anybody less careful.
import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { variants, type Hints } from '../../../../server/gateway/call-tools/call-with.ts'
import type { RatedTool } from '../../../../server/gateway/rating/evidence.ts'
import { assess, possibleAssessments, unvouched, type RiskQuestion } from '../../../../server/gateway/rating/assess.ts'
import type { ToolOverride } from '../../../../server/gateway/upstream/settings/upstream-config.ts'
import { riskRank } from '../../../../server/tools/define-tool.ts'
import type { Risk } from '../../../../server/model/risk.ts'

const text = { type: 'string' }
const oneOf = (...values: readonly string[]) => ({ type: 'string', enum: values })
const takes = (properties: Readonly<Record<string, unknown>>, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
})
const readOnly: Hints = { readOnlyHint: true }
const neither: Hints = { readOnlyHint: false, destructiveHint: false }

const tool = (
  name: string,
  inputSchema: Readonly<Record<string, unknown>> = takes({}),
  annotations?: Hints,
  description?: string,
): RatedTool => ({ name, inputSchema, annotations, description })

const ask = (of: RatedTool, variant: (typeof variants)[number] = 'call_tool_read'): RiskQuestion => ({
  tool: of,
  variant,
  server: { tools: {} },
})
const riskOf = (of: RatedTool, args: unknown = {}): Risk => assess(ask(of), args).risk

test.each<[RatedTool, unknown?]>([
  [tool('sql', takes({ text }))],
  [tool('shell', takes({ line: text }))],
  [tool('python', takes({ code: text }))],
  [tool('process_payment', takes({ id: text }))],
  [tool('deleterepo', takes({ repo: text }))],
  [tool('deleterepo', takes({ repo: text }), readOnly)],
  [tool('browser_click', takes({ element: text }))],
  [tool('query', takes({ sql: text }), undefined, 'Run a read-only SQL query'), { sql: 'COMMIT; DELETE FROM a' }],
  [tool('query', takes({ sql: text }), readOnly, 'Run a read-only SQL query'), { sql: 'COMMIT; DELETE FROM orders' }],
  [tool('read_query', takes({ query: text }), undefined, 'Execute a SELECT query by SQL')],
  [tool('search', takes({ parameters: takes({ sql: text }) }))],
  [tool('list_things', takes({ items: { type: 'array', items: takes({ command: text }) } }))],
  [tool('search', { $ref: '#/$defs/a', $defs: { a: takes({ script: text }) } })],
  [tool('get_page', { anyOf: [takes({ id: text }), takes({ javascript: text })] }, readOnly)],
  [tool('get_page', takes({ function: text }), readOnly, 'Evaluates JavaScript in the page')],
  [tool('list_files', takes({}), undefined, 'Lists files and deletes the old ones')],
  [tool('list_files', takes({}), undefined, 'Lists files. Deletes those that are older than a day.')],
  [tool('get_report', takes({}), undefined, 'Gets the report. This will send it to its owner.')],
  [tool('get_report', takes({}), undefined, 'Gets the report. This cannot be undone.')],
  [tool('get_and_acknowledge', takes({}))],
  [tool('fetch_then_store', takes({}))],
  [tool('read_write_file', takes({}))],
  [tool('check_in', takes({}))],
  [tool('unknown_list', takes({}))],
  [tool('todo_list_clear', takes({}))],
  [tool('sync_get_users', takes({}))],
  [tool('search_feedback', takes({}), undefined, 'Records feedback on a search')],
  [tool('agent_feedback', takes({ text }), undefined, 'Report how the agent did')],
  [tool('queue_drain_info', takes({}), undefined, 'Returns what was in the queue')],
  [tool('issue_close', takes({ id: text }), undefined, 'Returns the issue after it is closed')],
  [tool('wiki_purge', takes({}), undefined, 'Shows the wiki without its cache')],
  [tool('list_files', takes({}), undefined, '[Beta] Deletes old files and lists the others')],
  [tool('weather_alerts', takes({}), undefined, 'Weather Alerts API sends alerts to subscribers')],
  [tool('mail_tool', takes({}), undefined, 'A small tool for sending mails')],
  [tool('convert_lead', takes({ id: text }))],
  [tool('resolve_thread', takes({ id: text }))],
  [tool('run_report_and_delete', takes({}))],
  [tool('run_report', takes({ script: text }))],
  [tool('read_query', takes({ query: text }))],
  [tool('download_attachment', takes({ id: text }), undefined, 'Downloads an attachment')],
  [tool('download_attachment', takes({ id: text, path: text }), undefined, 'Returns an attachment as base64')],
  [tool('take_screenshot', takes({ path: text }))],
  [tool('get_log', takes({ filename: { ...text, description: 'Saves the log there' } }), readOnly), { filename: 'a' }],
  [tool('get_log', takes({ dir: { ...text, description: 'Where to save it; default: here' } }), readOnly), {}],
  [tool('get_message', takes({ queue: text, visibility_timeout: { type: 'number' } }))],
  [tool('retrieve_metadata', takes({}), undefined, 'Retrieves metadata to your local project')],
  [tool('create_issue', takes({ title: text }), readOnly, 'Returns the new issue')],
  [tool('do_it', takes({}), { readOnlyHint: true, destructiveHint: true })],
  [tool('do_it', takes({}), { readOnlyHint: false, destructiveHint: true }, 'Returns it')],
  [tool('list_things', takes({}), { destructiveHint: true })],
  [tool('channels_list', takes({}), { readOnlyHint: true, destructiveHint: true }, 'Get list of channels')],
  [tool('compute', takes({ intent: text, command: text, parameters: { type: 'object' } })), {}],
  [tool('get_file', takes({ delete: { type: 'boolean' } })), { delete: true }],
  [tool('get_file', takes({ delete: { type: 'boolean', default: true } })), {}],
  [tool('fetch', takes({ url: text, method: text })), { url: 'https://a.example', method: 'POST' }],
  [tool('fetch', takes({ url: text, method: text })), { url: 'https://a.example' }],
  [tool('kubectl_context', takes({ operation: oneOf('list', 'get', 'set') }), readOnly), { operation: 'set' }],
  [tool('kubectl_context', takes({ operation: oneOf('list', 'get', 'set') }), readOnly), {}],
  [tool('kubectl_context', takes({ operation: oneOf('list', 'get', 'use') }), readOnly), { operation: 7 }],
  [tool('aggregate', takes({ pipeline: { type: 'array' } }), readOnly), { pipeline: [{ $out: 'other' }] }],
  [tool('query', takes({ query: text }))],
  [tool('query', takes({ query: text }), undefined, 'Query the database')],
  [tool('query_data', takes({ query: text }), undefined, 'Runs a PostgreSQL query')],
  [tool('query_data', takes({ q: text }), undefined, 'Run a read-only query against the database')],
  [tool('mysql_query', takes({ query: text }), undefined, 'Query')],
  [tool('query_database', takes({ query: text }))],
  [tool('query_database', takes({ query: text }), readOnly)],
  [tool('find_files', takes({ path: text, exec: text }))],
  [tool('fetch', takes({ url: text, options: takes({ method: text }) })), { url: 'a', options: { method: 'DELETE' } }],
  [tool('get_messages', takes({ auto_delete: { type: 'boolean' } })), { auto_delete: true }],
  [tool('get_messages', takes({ mark_as_read: { type: 'boolean' } })), { mark_as_read: true }],
  [tool('get_messages', takes({ mark_as_read: { type: 'boolean' } }), readOnly), { mark_as_read: true }],
  [tool('get_messages', takes({ purge_after: text })), { purge_after: 'now' }],
  [tool('get_messages', takes({ update: { type: 'object' } })), { update: { seen: true } }],
  [tool('get_messages', takes({ ids_to_delete: { type: 'array' } })), { ids_to_delete: ['1'] }],
  [tool('get_messages', takes({ delete: oneOf('yes', 'no') })), { delete: 'yes' }],
  [tool('get_messages', takes({ after: oneOf('keep', 'delete') })), { after: 'delete' }],
  [tool('settings_get_set', takes({ key: text, value: text }))],
  [tool('get_set_value', takes({ key: text, value: text }))],
  [tool('read_ack', takes({ id: text }))],
  [tool('get_messages', takes({ with_delete: { type: 'boolean' } })), { with_delete: true }],
  [
    tool('get_messages', takes({ notify_sender: { anyOf: [{ type: 'boolean' }, { type: 'null' }] } })),
    { notify_sender: true },
  ],
  [tool('get_messages', takes({ rm: { type: 'boolean' } })), { rm: true }],
  [tool('get_messages', takes({ then_run: text })), { then_run: 'report' }],
  [tool('get_messages', takes({ ops: { type: 'array', items: oneOf('get', 'delete') } })), { ops: ['get', 'delete'] }],
  [tool('search', takes({ q: text, email_to: text })), { q: 'a', email_to: 'eve@a.example' }],
  [tool('search', takes({ q: text, webhook_url: text })), { q: 'a', webhook_url: 'https://a.example' }],
  [tool('get_page', takes({ url: text, save_to: text })), { url: 'a', save_to: '/home/ada/.profile' }],
  [tool('get_page', takes({ url: text, outputFile: text })), { url: 'a', outputFile: '/home/ada/.profile' }],
  [tool('fetch', takes({ url: text, verb: text })), { url: 'https://a.example', verb: 'POST' }],
  [tool('fetch', takes({ url: text, body: text })), { url: 'https://a.example', body: '{"amount": 5}' }],
  [tool('fetch', takes({ url: text, options: { type: 'object' } })), { url: 'a', options: { method: 'DELETE' } }],
  [tool('search', takes({ options: takes({}) })), { options: { sql: 'DELETE FROM orders' } }],
  [tool('search', takes({ filter: { anyOf: [{ type: 'object' }, { type: 'null' }] } })), { filter: { sql: 'x' } }],
  [tool('search', takes({ steps: { type: 'array' } })), { steps: [{ method: 'DELETE' }] }],
  [tool('search', takes({ any: {} })), { any: { method: 'DELETE' } }],
  [tool('search', { type: 'object', additionalProperties: true }), { sql: 'DELETE FROM orders' }],
  [tool('search', { type: 'object', patternProperties: { '': text } }), { sql: 'DELETE FROM orders' }],
  [tool('search', takes({ operation: oneOf('get', 'set') })), { operation: 'get', sql: 'DELETE FROM orders' }],
  [tool('search', takes({ operation: oneOf('get', 'set') }), readOnly), { operation: 'get', sql: 'DELETE' }],
  [
    tool('storage', takes({ command: text, parameters: { type: 'object' } })),
    { command: 'storage_account_list', parameters: { script: 'rm -r /' } },
  ],
  // What begins with a dash is an option of the program that a tool is named after.
  [tool('git_diff', takes({ target: text }), readOnly), { target: '--output=/home/ada/.profile' }],
  [tool('mcp_git_show', takes({ object: text }), undefined, 'Shows an object'), { object: ' -O/bin/x' }],
  [tool('kubectl_get', takes({ names: { type: 'array', items: text } }), readOnly), { names: ['a', '--server=x'] }],
  // Reading a secret hands it out.
  [tool('get_secret_value', takes({ name: text }), readOnly)],
  [tool('get_connection_string', takes({ database: text }))],
  [tool('getKubeconfig', takes({}), readOnly)],
  [tool('vault_read_password', takes({ id: text }), undefined, 'Reads a password')],
  [tool('get_auth_token', takes({}))],
  [tool('account_token', takes({}), undefined, 'Get a new access token')],
  [tool('session_tokens', takes({}), undefined, 'Returns session tokens of a user')],
  [tool('get_webhook', takes({ id: text }), readOnly, 'Get a webhook by its id, including its signing secret.')],
  [tool('configuration_view', takes({}), readOnly, 'Get the settings as a kubeconfig YAML')],
  [tool('get_parameter', takes({}), readOnly, 'Gets a parameter. Returns decrypted values.')],
  // "Read-only" of what makes something ready, or opens a way in, is not what the rest says.
  [tool('visual_testing_agent', takes({ project: text }), readOnly, 'Integrate visual testing into a project')],
  [tool('expand_testing', takes({ project: text }), readOnly, 'Set up or expand visual testing')],
  [tool('quick_review', takes({}), readOnly, 'Runs commands of the Quick Review CLI to write a report')],
  [tool('cloud-connect-cluster', takes({ cluster: text }), readOnly, 'Connect to a cluster')],
  [tool('suite_run_test', takes({ id: text }), readOnly, 'Run a test')],
  // A weak verb in front is one, and so is what a description does beside reading.
  [tool('sync_users', takes({}), undefined, 'Gets users from the directory')],
  [tool('refresh_map', takes({}), undefined, 'Gets the map')],
  [tool('duplicates_consolidate', takes({}), undefined, 'Finds duplicates and consolidates them')],
  [tool('duplicates_lock', takes({}), undefined, 'Find, lock')],
  [tool('webhook_test', takes({}), undefined, 'Checks a webhook by sending an event')],
  [tool('item_branch', takes({ item: text }), undefined, 'Checks out the branch of an item')],
  [tool('browser_check', takes({ selector: text }), undefined, 'Check a checkbox or radio button')],
  [tool('browser_check', takes({ selector: text }), undefined, 'Check the given box')],
  [tool('check_checkbox', takes({ selector: text }))],
  [tool('get_item_branch', takes({ item: text }), undefined, 'Checks out the branch of an item')],
  [tool('domain_state', takes({}), undefined, 'Verifies a domain')],
  [tool('start_search', takes({ query: text }))],
  [tool('unknown_lists_list', takes({}), undefined, 'Enables the lists')],
  [tool('get_events', takes({}), undefined, 'Gets events. This enables the calendar.')],
  [tool('restaurant_table', takes({}), undefined, 'Finds a table and books it')],
  [tool('inbox_triage', takes({}), undefined, 'Reads mails and archive old ones')],
  [tool('get_mails', takes({}), undefined, 'Gets mails and archive old ones')],
  [tool('user_record', takes({}), undefined, 'Looks up a user, creating it if needed')],
  // Also behind other signs, in the third person, and where it is said of what was read.
  [tool('get_mails', takes({}), undefined, 'Gets mails; deletes them')],
  [tool('get_mails', takes({}), undefined, 'Gets mails; then archives old ones')],
  [tool('get_mails', takes({}), undefined, 'Gets mails & archives old ones')],
  [tool('get_mails', takes({}), undefined, 'Gets mails and deletes old ones')],
  [tool('get_mails', takes({}), undefined, 'Gets mails, deletes them')],
  [tool('get_tables', takes({}), undefined, 'Gets tables and books one')],
  [tool('get_mails', takes({}), undefined, 'Gets mails, marking them as read')],
  [tool('inbox', takes({}), undefined, 'Gets mails by marking a folder')],
  [tool('get_mails', takes({}), undefined, 'Gets mails. Returns at most ten, deleting them from the server.')],
  [tool('get_mails', takes({}), undefined, 'Gets mails. Returns the oldest; marks it as read.')],
  [tool('get_mails', takes({}), undefined, 'Gets mails, which are deleted afterwards')],
  [tool('get_mails', takes({}), undefined, 'Gets mails. Each is removed once read.')],
  [tool('download_log', takes({ target_path: text }), undefined, 'Downloads a log and returns its text')],
  // Whose tool it is stands before a reading that the description plainly says, and nowhere else.
  [tool('protect_get_branch', takes({}))],
  [tool('protect_get_branch', takes({}), readOnly, 'Protects a branch')],
  [tool('protect_branch_get', takes({}), undefined, 'Gets a branch')],
  [tool('delete_get_user', takes({}), undefined, 'Gets a user')],
  [tool('test_connections', takes({}), undefined, 'Tests a webhook')],
  [tool('get_passport', takes({ payment_tx: text }), readOnly), { payment_tx: '5f1e' }],
  // A noun of the answer excuses none that the tool does.
  [tool('order_pizza', takes({}), undefined, 'Gets a pizza for you')],
  [tool('order_pizza', takes({}), undefined, 'Gets an order and pays it')],
  [tool('email_templates', takes({}), undefined, 'Returns email templates after mailing them')],
  [tool('list_events', takes({ event: oneOf('show_event', 'delete_event') })), { event: 'delete_event' }],
  [tool('get_page', takes({ mode: oneOf('new', 'append') })), { mode: 'new' }],
  // What acts in other languages acts, and so may what they join to a reading.
  [tool('weather', takes({ city: text }), undefined, '查询指定城市的天气并发送')],
  [tool('seat', takes({ id: text }), undefined, '查询并锁定座位')],
  [tool('seat', takes({ id: text }), undefined, '座席を検索して押さえる')],
  [tool('seat', takes({ id: text }), undefined, '좌석을 조회하고 잡습니다')],
  [tool('sync_weather', takes({ city: text }), undefined, '查询指定城市的天气')],
  [tool('labels', takes({ query: text }), undefined, '根据查询条件批量打标')],
  [tool('wallet', takes({}), undefined, '查询余额，充值')],
  [tool('read_room_messages', takes({ id: text }), undefined, 'チャットのメッセージを既読にします。')],
  [tool('get_user', takes({ id: text }), undefined, '删除用户的缓存。')],
  [tool('list', takes({ search: text }), undefined, 'List items from your vault or organization')],
  // Readings among others, and readings of what may do more than its argument says.
  [tool('manage_board', takes({ operation: oneOf('list', 'get', 'set') }, ['operation'])), {}],
  [tool('manage_board', takes({ operation: oneOf('list', 'get') }))],
  [tool('sync_board', takes({ operation: oneOf('list', 'get') }, ['operation'])), { operation: 'list' }],
  [tool('analyze_query_indexes', takes({ queries: { type: 'array', items: text } }), readOnly)],
  [tool('import_list', takes({}), undefined, 'Read a list from a file into the project.')],
  [tool('clear_search', takes({}), undefined, 'Find the search field for a fresh start.')],
])('is never low: %j with %j', (of, args) => {
  for (const variant of variants) expect(assess(ask(of, variant), args).risk).not.toBe('low')
})

test.each<[RatedTool, unknown?]>([
  [tool('list_repos', takes({ limit: { type: 'number' } }))],
  [tool('getUser', takes({ id: text }))],
  [tool('slack_list_channels', takes({}), undefined, 'List public or pre-defined channels')],
  [tool('brave_web_search', takes({ query: text }), undefined, 'Performs web searches using the Brave Search API')],
  [tool('get_post', takes({ id: text }))],
  [tool('list_deleted_files', takes({}))],
  // The description says so, where the name is that of a thing.
  [tool('pg_info', takes({ app: text }), undefined, 'View the state of the database')],
  [tool('current_time', takes({}), undefined, 'Returns the current time')],
  [tool('repo_branch', takes({ repo: text }), undefined, 'Retrieve branch data of a repository')],
  [tool('weather_alerts', takes({}), undefined, 'Weather Alerts API returns alerts of a place')],
  [tool('crm_properties', takes({}), undefined, '🎯 Purpose: 1. Retrieves the properties of an object.')],
  [tool('page_text', takes({}), undefined, '[Deprecated] Shows the text of a page')],
  [tool('web_extract', takes({ url: text }), undefined, 'A powerful tool that extracts content from a page')],
  [tool('doc_finder', takes({ q: text }), undefined, 'A tool for searching documents')],
  // A weak verb of a name is a noun where the description plainly reads.
  [tool('map_weather', takes({ city: text }), undefined, 'Get the weather of a city')],
  [tool('site_map', takes({ url: text }), undefined, 'Enumerate URLs of a website')],
  [tool('monitor_checks', takes({ id: text }), undefined, 'List checks of a monitor')],
  [tool('browser_is_checked', takes({ selector: text }), undefined, 'Check if a checkbox is checked')],
  [tool('health_check', takes({}), undefined, 'Verify that the server responds')],
  [tool('get_events', takes({}), undefined, 'Gets events. This allows you to keep a copy.')],
  [tool('weather', takes({ city: text }), undefined, '查询指定城市的天气')],
  [tool('map_ip_location', takes({ ip: text }), undefined, '通过IP地址获取位置信息')],
  [tool('map_search_places', takes({ query: text }), undefined, '地点检索服务')],
  [tool('module_reference', takes({ name: text }), undefined, 'Returns a reference of modules')],
  [tool('protect_get_camera', takes({ id: text }), undefined, 'Get the details of a camera')],
  [tool('protect_list_cameras', takes({}), readOnly, 'List all cameras that Protect manages')],
  [tool('test_connection', takes({}), undefined, 'Test connectivity to a database')],
  [tool('get_payment', takes({ payment_id: text })), { payment_id: '5f1e' }],
  [tool('order_history', takes({}), undefined, 'Get the order history of a customer')],
  [tool('email_templates', takes({}), undefined, 'List email templates')],
  [tool('inbox', takes({}), undefined, 'See your unread messages')],
  // What happened to what is read, what else there is, and what the caller may do, is none of its own.
  [tool('inbox', takes({}), undefined, 'Gets mails that were deleted afterwards by somebody')],
  [tool('inbox', takes({}), undefined, 'Gets mails; use delete_mail to delete them')],
  [tool('inbox', takes({}), undefined, 'Gets news & updates of a project')],
  [tool('inbox', takes({}), undefined, 'Gets mails. Returns ten; set full=true for all, allowing it to take longer.')],
  [tool('inbox', takes({}), undefined, 'Gets mails without marking them as read')],
  [tool('download_log', takes({ remotePath: text }), undefined, 'Downloads a log and returns its text')],
  [tool('required_fields', takes({}), undefined, 'Get the fields that are required when creating a case')],
  [tool('get_rank', takes({ market: oneOf('g_de', 'g_dm', 'g_is') })), { market: 'g_dm' }],
  [tool('get_issues', takes({ mode: oneOf('all', 'new', 'solved') })), { mode: 'new' }],
  [tool('maps_route', takes({ to: text }), undefined, '路径规划 API 可以根据坐标规划步行方案，并且返回方案的数据')],
  // The name says so, behind whose tool it is.
  [tool('acme_search', takes({ query: text }), undefined, 'Good results. Runs full search underneath.')],
  [tool('workers_list', takes({}))],
  [tool('jira_get_issue', takes({ key: text }))],
  [tool('tracker_list_projects', takes({}))],
  [tool('docs_web_screenshot', takes({ url: text }), undefined, 'Take a full-page screenshot')],
  [tool('run_report', takes({ dimensions: text, currency_code: text }))],
  [tool('runReport', takes({}), undefined, 'Run a report to get analytics data')],
  [tool('convert_time', takes({ time: text }))],
  [tool('resolve-library-id', takes({ name: text }))],
  [tool('download_attachment', takes({ id: text }), undefined, 'Downloads an attachment. Returns base64 data.')],
  [tool('get_log', takes({ filename: { ...text, description: 'Saves the log there' } }), readOnly), {}],
  [tool('get_log', takes({ path: { ...text, description: 'Path of the log' } }), readOnly), { path: 'a' }],
  [tool('create_widget_guide', takes({}), readOnly, 'Provides documentation of widgets')],
  [tool('get_page', takes({}), undefined, 'Get a page. Use delete_page to delete it, or update_page to change it.')],
  [tool('list_tables', takes({}), undefined, 'Lists all tables. Set verbose to true to include columns.')],
  [tool('get_news', takes({ query: text }), undefined, 'Searches for news and updates')],
  [tool('search', takes({ query: text }), undefined, 'Searches the documentation of PostgreSQL')],
  [tool('get_airport', takes({ code: text }))],
  [tool('list_events', takes({ action: oneOf('create', 'delete') })), {}],
  [tool('take_snapshot', takes({}), readOnly)],
  [tool('anything', takes({ mode: oneOf('fast', 'full') }), readOnly), { mode: 'fast' }],
  [tool('fetch', takes({ url: text, method: text })), { url: 'https://a.example', method: 'GET' }],
  [tool('kubectl_context', takes({ operation: oneOf('list', 'get', 'set') }), readOnly), { operation: 'get' }],
  [tool('kubectl_context', takes({ operation: oneOf('list', 'get', 'set') })), { operation: 'get' }],
  [tool('storage', takes({ command: text, parameters: { type: 'object' } })), { command: 'storage_account_list' }],
  [tool('aggregate', takes({ pipeline: { type: 'array' } }), readOnly), { pipeline: [{ $match: { a: 1 } }] }],
  [tool('search_docs', takes({ query: text }), undefined, 'Searches the database of documents by a query')],
  [tool('query-docs', takes({ query: text }), undefined, 'Queries the documentation of a library')],
  [tool('list_databases', takes({ query: text }), undefined, 'List the databases whose name fits a query')],
  [tool('fetch', takes({ url: text, options: takes({ method: text }) })), { url: 'a', options: { method: 'GET' } }],
  [tool('get_messages', takes({ mark_as_read: { type: 'boolean' } })), { mark_as_read: false }],
  [tool('get_messages', takes({ delete: oneOf('yes', 'no') })), { delete: 'no' }],
  [tool('get_file', takes({ commit: text, update_time: text })), { commit: '1f3a', update_time: '2026-01-01' }],
  [tool('search', takes({ options: { type: 'object' } })), { options: {} }],
  [tool('search_users', takes({ email: text, order: text, output_format: text })), { email: 'a@b', order: 'asc' }],
  [tool('list_jobs', takes({ message_to_find: text, target: text })), { message_to_find: 'a', target: 'b' }],
  [tool('search', takes({ options: takes({ deep: takes({ a: text }) }) })), { options: { deep: { a: 'x' } } }],
  [tool('search', takes({ steps: { type: 'array', items: takes({ a: text }) } })), { steps: [{ a: 'x' }] }],
  [tool('search', takes({ where: { type: 'object' } }), readOnly), { where: { status: 'open' } }],
  [
    tool('storage', takes({ command: text, parameters: { type: 'object' } })),
    { command: 'storage_account_list', parameters: { subscription: 'main' } },
  ],
  [tool('git_diff', takes({ target: text }), readOnly), { target: 'main..next' }],
  [tool('get_git_repository', takes({ name: text }), readOnly), { name: '-a' }],
  [tool('list_secrets', takes({}), readOnly)],
  [tool('get_secret_scanning_alert', takes({ id: text }), readOnly)],
  [tool('get_design_tokens', takes({ file: text }), readOnly)],
  [tool('get_account', takes({}), undefined, 'Gets an account. Its passwords are redacted.')],
  [tool('get_account', takes({}), undefined, 'Gets an account without returning passwords.')],
  [tool('aggregate', takes({ stages: text }), readOnly, 'Run an aggregation against a collection')],
  [tool('manage_board', takes({ operation: oneOf('list', 'get') }, ['operation'])), { operation: 'list' }],
  [tool('list_rooms', takes({}), undefined, 'チャット一覧を取得します。')],
  [tool('get_news', takes({}), undefined, '获取最近更新的新闻')],
  [tool('recipe_history', takes({}), undefined, '🔒 Plus — View your cook history.')],
  [tool('run_query', takes({ id: text }), readOnly, 'Run a saved query')],
  [tool('union', takes({ polygons: text }), readOnly, 'Merge two polygons into one')],
  [tool('search_places', takes({}), undefined, 'Searches for places. Enables forecasts by name.')],
  [tool('get_styles', takes({}), undefined, 'Gets styles. Accepts a list of names.')],
  [tool('list_sessions', takes({ javascriptErrors: { type: 'array', items: text } }), readOnly)],
  [tool('list_projects', takes({}), undefined, 'Lists projects. Do not automatically run other tools.')],
  [tool('maps_geocode', takes({ address: text }), undefined, 'Convert an address into coordinates')],
  [tool('search_messages', takes({ query: text }), undefined, 'Searches messages. Takes KQL queries.')],
  [tool('acme_search_items', takes({}), undefined, 'Primary tool to list items of an organisation')],
  [tool('list_objects', takes({ include_delete_markers: { type: 'boolean' } })), { include_delete_markers: true }],
])('only reads: %j with %j', (of, args) => {
  expect(assess(ask(of), args)).toMatchObject({ risk: 'low', operation: 'read' })
})

test.each([
  ['storage_account_create', 'high'],
  ['storage_account_delete', 'critical'],
  ['sql_db_query', 'high'],
  ['rm -rf /', 'critical'],
  ['list; rm x', 'high'],
])('a sub-command is rated by its name: %s', (command, risk) => {
  const router = tool('storage', takes({ command: text, parameters: { type: 'object' } }))
  expect(riskRank(riskOf(router, { command }))).toBeGreaterThanOrEqual(riskRank(risk as Risk))
})

test.each<[string, string?, Record<string, unknown>?]>([
  ['create_refund'],
  ['finalize_invoice'],
  ['create_payment_link'],
  ['create_coupon'],
  ['atlas-create-db-user'],
  ['atlas-create-access-list'],
  ['add_role'],
  ['create_api_key'],
  ['create_webhook'],
  ['assign_permission'],
  ['import_credentials'],
  ['pause_project'],
  ['resume_service'],
  ['create_cluster'],
  ['create_instance'],
  ['create_branch', 'Creates a development branch.', { confirm_cost_id: text }],
  ['create_project', 'Creates a project. It is billed by the hour.'],
  ['add_thing', 'Adds a new database user to the cluster.'],
  ['create_thing', 'Creates things.', { amount: { type: 'number' } }],
  ['import', 'Imports things.', { operation: oneOf('add', 'delete') }],
  ['create_view', 'Creates a view.', { sql: text }],
])('is at least high though its server says that it destroys nothing: %s %s', (name, description, properties = {}) => {
  expect(riskRank(riskOf(tool(name, takes(properties), neither, description)))).toBeGreaterThanOrEqual(riskRank('high'))
})

test.each([
  ['create_issue', 'Creates an issue in a project.'],
  ['add_comment', 'Adds a comment for the user.'],
  ['create_user_story', 'Creates a user story.'],
])('what creates data in a narrow place stays medium: %s', (name, description) => {
  expect(riskOf(tool(name, takes({ title: text }), neither, description))).toBe('medium')
})

test('a schema that is too large to be read whole hides nothing', () => {
  const many = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`a${at}`, text]))
  expect(riskOf(tool('list_all', takes(many), readOnly))).toBe('high')
  const round: Record<string, unknown> = { type: 'object', properties: { id: text } }
  expect(
    riskOf(tool('list_all', { $ref: '#/$defs/a', $defs: { a: { ...takes({ b: { $ref: '#/$defs/a' } }) } } })),
  ).toBe('low')
  expect(riskOf(tool('list_all', round))).toBe('low')
})

const words = ['get', 'list', 'search', 'page', 'user', 'update', 'create', 'manage', 'order', 'run', 'web', 'status']
const name = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('_'))
const sentence = fc.constantFrom('Lists things.', 'Get a thing by its id', 'Does as it says.', 'Creates a thing.', '')
const property = fc.constantFrom<[string, unknown]>(
  ['id', text],
  ['query', text],
  ['operation', oneOf('get', 'set')],
  ['action', text],
  ['limit', { type: 'number' }],
  ['command', text],
  ['parameters', { type: 'object' }],
  ['mark_as_read', { type: 'boolean' }],
)
const schema = fc.array(property, { maxLength: 4 }).map((pairs) => takes(Object.fromEntries(pairs)))
const hint = fc.option(fc.boolean(), { nil: undefined })
const hints = fc.record({ readOnlyHint: hint, destructiveHint: hint })
const anyTool = fc
  .tuple(name, schema, fc.option(hints, { nil: undefined }), sentence)
  .map(([named, takesThese, annotated, says]) => tool(named, takesThese, annotated, says))
const anyArguments = fc.constantFrom(
  {},
  { operation: 'get' },
  { operation: 'set' },
  { action: 'delete' },
  { command: 'thing_list' },
  { command: 'thing_delete' },
  { mark_as_read: true },
  { parameters: { sql: 'DELETE FROM orders' } },
  { sql: 'DELETE FROM orders' },
)
const anyVariant = fc.constantFrom(...variants)

/** Whether no call of the second tool is rated below the same call of the first. */
function notLower(before: RatedTool, after: RatedTool, args: unknown, variant: (typeof variants)[number]): void {
  const [was, is] = [assess(ask(before, variant), args), assess(ask(after, variant), args)]
  expect(riskRank(is.risk)).toBeGreaterThanOrEqual(riskRank(was.risk))
}

const grave = fc.constantFrom('delete', 'send', 'pay', 'grant', 'refund')
const strong = fc.constantFrom('execute', 'overwrite', 'pause', 'confirm', 'move')

test('a grave word in front of a name lowers nothing, and a strong one leaves nothing below high', () => {
  fc.assert(
    fc.property(anyTool, grave, strong, anyArguments, anyVariant, (of, word, other, args, variant) => {
      notLower(of, { ...of, name: `${word}_${of.name}` }, args, variant)
      const strongly = { ...of, name: `${other}_${of.name}`, annotations: neither }
      expect(riskRank(assess(ask(strongly, variant), args).risk)).toBeGreaterThanOrEqual(riskRank('high'))
    }),
  )
})

test('a dangerous word behind a name lowers nothing', () => {
  const makesAndLists = tool('create_get', takes({ id: text }), readOnly, 'Lists things.')
  fc.assert(
    fc.property(anyTool, fc.oneof(grave, strong), anyArguments, anyVariant, (of, word, args, variant) =>
      notLower(of, { ...of, name: `${of.name}_and_${word}` }, args, variant),
    ),
    { examples: [[makesAndLists, 'execute', {}, 'call_tool_read']] },
  )
})

test('a dangerous sentence lowers nothing', () => {
  const sentences = ['It deletes the file.', 'Deletes it.', 'Also sends a mail.', 'This cannot be undone.']
  fc.assert(
    fc.property(anyTool, fc.constantFrom(...sentences), anyArguments, anyVariant, (of, more, args, variant) =>
      notLower(of, { ...of, description: `${of.description ?? ''} ${more}` }, args, variant),
    ),
  )
})

test('an argument that is a program lowers nothing, and nothing with one is low', () => {
  fc.assert(
    fc.property(
      anyTool,
      fc.constantFrom('sql', 'script', 'shell_command', 'javascript'),
      anyArguments,
      anyVariant,
      (...row) => {
        const [of, program, args, variant] = row
        const properties = { ...(of.inputSchema?.['properties'] as object), [program]: text }
        const more = { ...of, inputSchema: { ...of.inputSchema, properties } }
        notLower(of, more, args, variant)
        expect(assess(ask(more, variant), args).risk).not.toBe('low')
      },
    ),
  )
})

test('what a server says in its favour lowers nothing when it is taken away', () => {
  fc.assert(
    fc.property(anyTool, anyArguments, anyVariant, (of, args, variant) => {
      const { readOnlyHint, destructiveHint } = of.annotations ?? {}
      const silent = {
        readOnlyHint: readOnlyHint === true ? undefined : readOnlyHint,
        destructiveHint: destructiveHint === false ? undefined : destructiveHint,
      }
      notLower(of, { ...of, annotations: silent }, args, variant)
      notLower({ ...of, annotations: undefined }, { ...of, annotations: { destructiveHint: true } }, args, variant)
    }),
  )
})

test('the door that an agent takes lowers nothing below what the reading door has', () => {
  fc.assert(
    fc.property(anyTool, anyArguments, anyVariant, (of, args, variant) => {
      const reading = assess(ask(of, 'call_tool_read'), args)
      expect(riskRank(assess(ask(of, variant), args).risk)).toBeGreaterThanOrEqual(riskRank(reading.risk))
    }),
  )
})

test('no call is rated above what its contract declares, and what is above low is no read', () => {
  fc.assert(
    fc.property(anyTool, anyArguments, anyVariant, (of, args, variant) => {
      const question = ask(of, variant)
      const worst = Math.max(...possibleAssessments(question).map(({ risk }) => riskRank(risk)))
      const { risk, operation } = assess(question, args)
      expect(riskRank(risk)).toBeLessThanOrEqual(worst)
      if (risk !== 'low') expect(operation).not.toBe('read')
    }),
  )
})

const anyRule = fc.record({
  if: fc.constantFrom({ id: { equals: 'secret' } }, { operation: { equals: 'list' } }, { sql: { equals: 'SELECT 1' } }),
  risk: fc.constantFrom<Risk>('low', 'high', 'critical', 'forbidden'),
})

test('a rule of the operator says nothing of calls that it does not hold for', () => {
  fc.assert(
    fc.property(anyTool, anyArguments, anyVariant, anyRule, (of, args, variant, rule) => {
      const [before, after] = [
        ask(of, variant),
        { ...ask(of, variant), server: { tools: { [of.name]: { when: [rule] } } } },
      ]
      expect(assess(after, args)).toEqual(assess(before, args))
      expect(unvouched(after, args)).toEqual(unvouched(before, args))
    }),
  )
})

test.each<[string, ToolOverride, boolean]>([
  ['a rating of the tool', { risk: 'low' }, true],
  ['a rule that rates such arguments', { when: [{ if: { q: { equals: 'a' } }, risk: 'low' }] }, true],
  ['a rule that rates others', { when: [{ if: { q: { equals: 'b' } }, risk: 'low' }] }, false],
  ['a rule that only says what they do', { when: [{ if: { q: { equals: 'a' } }, operation: 'write' }] }, false],
  ['what the tool does', { operation: 'write' }, false],
])('who vouches for what a tool does not declare: %s', (_, override, vouches) => {
  const question = { ...ask(tool('search', takes({ q: text }))), server: { tools: { search: override } } }
  expect(unvouched(question, { q: 'a', sql: 'DELETE' })).toEqual(vouches ? [] : [{ at: ['sql'], inText: false }])
})
