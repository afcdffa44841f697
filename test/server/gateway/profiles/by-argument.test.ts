// Tools of which the arguments decide: what only reads runs unasked, so each rule that lets one through is held to calls
// that look like it.
import { beforeAll, expect, test } from 'vitest'
import { shippedProfile } from '../../../../server/compose/profiles/profiles.ts'
import { loadPostgresParser } from '../../../../server/gateway/programs/sql/postgres-parser.ts'
import { ratedByProfile, wordsOf } from '../../../../server/gateway/profiles/tool-profile.ts'

beforeAll(() => loadPostgresParser())

/** Profile, tool, arguments of calls that only read, and arguments of calls of which a person is asked, with their risk. */
const tables: readonly (readonly [
  profile: string,
  tool: string,
  reads: readonly object[],
  asks: readonly (readonly [object, 'medium' | 'high' | 'critical'])[],
])[] = [
  [
    'aws-api',
    'call_aws',
    [
      { cli_command: 'aws sts get-caller-identity' },
      { cli_command: 'aws --region eu-west-1 ec2 describe-instances --instance-ids i-1 i-2' },
      { cli_command: 'aws s3 ls' },
      { cli_command: 'aws cognito-identity get-identity-pool-roles --identity-pool-id x' },
      { cli_command: 'aws elbv2 describe-target-groups' },
      { cli_command: ['aws ec2 describe-vpcs', 'aws s3api list-buckets'] },
    ],
    [
      [{ cli_command: 'aws secretsmanager get-secret-value --secret-id x' }, 'high'],
      [{ cli_command: 'aws ssm get-parameter --name x --with-decryption' }, 'high'],
      [{ cli_command: 'aws ssm get-parameter --name x --with-d' }, 'high'],
      [{ cli_command: 'aws s3api get-object --bucket b --key k /etc/hosts' }, 'high'],
      [{ cli_command: 'aws s3 cp a s3://b' }, 'high'],
      [{ cli_command: 'aws ec2 describe-instances --endpoint-url http://example.com' }, 'critical'],
      [{ cli_command: 'aws configure get aws_secret_access_key' }, 'critical'],
      [{ cli_command: 'aws ec2 terminate-instances --instance-ids describe-x' }, 'critical'],
      [{ cli_command: 'aws ec2 terminate-instances --x get-token y' }, 'critical'],
      [{ cli_command: ['aws ec2 describe-vpcs', 'aws ec2 delete-vpc --vpc-id x'] }, 'critical'],
      [{ cli_command: ['aws sts get-session-token', 'aws ec2 describe-vpcs'] }, 'critical'],
      // Called like reads, these make an identity, take a task, send a code.
      [{ cli_command: 'aws cognito-identity get-id --identity-pool-id x' }, 'critical'],
      [{ cli_command: ['aws ec2 describe-vpcs', 'aws cognito-identity get-id'] }, 'critical'],
      [{ cli_command: 'aws stepfunctions get-activity-task --activity-arn x' }, 'critical'],
      [{ cli_command: 'aws cognito-idp get-user-attribute-verification-code --x' }, 'critical'],
      // And these hand out what signs somebody in.
      ...[
        'sts get-session-token',
        'ecr get-login-password',
        'codeartifact get-authorization-token --domain x',
        'ec2 get-password-data --instance-id x',
        'cognito-idp describe-user-pool-client --client-id x',
        'gamelift get-compute-access --fleet-id x',
        'glue get-connection --name x',
        'emr get-on-cluster-app-ui-presigned-url --x',
      ].map((command) => [{ cli_command: `aws ${command}` }, 'high'] as const),
      [{ cli_command: 'aws ec2 describe-vpcs --debug' }, 'critical'],
      ...['sts assume-role --role-arn x', 's3 presign s3://b/k'].map(
        (command) => [{ cli_command: `aws ${command}` }, 'critical'] as const,
      ),
      [{ cli_command: 'aws lambda invoke --function-name x /dev/stdout' }, 'critical'],
      [{}, 'critical'],
    ],
  ],
  [
    'azure',
    'storage',
    [{ intent: 'list', command: 'storage_account_get' }],
    [
      [{ intent: 'list', command: 'storage_blob_upload' }, 'high'],
      // A model behind the client may choose the command.
      [{ intent: 'list', learn: true }, 'critical'],
      [{ intent: 'list', command: 'storage_account_get_all' }, 'critical'],
    ],
  ],
  [
    'azure',
    'acr',
    [{ intent: 'list', learn: true }],
    [[{ intent: 'list', command: 'acr_registry_delete' }, 'critical']],
  ],
  [
    'azure',
    'kusto',
    [{ intent: 'x', command: 'kusto_query', parameters: { query: 'orders | where total > .5 | count' } }],
    [
      [{ intent: 'x', command: 'kusto_query', parameters: { query: '.drop table orders' } }, 'critical'],
      [
        { intent: 'x', command: 'kusto_query', parameters: { query: 'orders', Query: '.drop table orders' } },
        'critical',
      ],
      [{ intent: 'x', command: 'kusto_query', parameters: { '--query': '.drop table orders' } }, 'critical'],
      [
        { intent: 'x', command: 'kusto_query', parameters: {}, Parameters: { query: '.drop table orders' } },
        'critical',
      ],
      [{ intent: 'x', command: 'kusto_query', parameters: { query: 'print 1;\n .drop table a' } }, 'critical'],
    ],
  ],
  ...(['mysql', 'postgres'] as const).map((tool): (typeof tables)[number] => {
    const asks = (parameters: object, command = `${tool}_database_query`) => ({ intent: 'x', command, parameters })
    return [
      'azure',
      tool,
      [asks({ query: 'SELECT id FROM orders WHERE total > 5' })],
      [
        [asks({ query: 'DROP TABLE orders' }), 'critical'],
        [asks({ query: 'frobnicate' }), 'high'],
        [asks({}), 'high'],
        // A name that the server may take for the same one.
        [asks({ query: 'SELECT 1', Query: 'DROP TABLE orders' }), 'high'],
        [asks({ query: 'SELECT 1', '--query': 'DROP TABLE orders' }), 'high'],
        // Only of this command the text is a program.
        [asks({ query: 'SELECT 1' }, `${tool}_server_param_set`), 'high'],
        [asks({ query: 'SELECT 1' }, `${tool}_database_drop`), 'critical'],
      ],
    ]
  }),
  ['azure', 'communication', [], [[{ intent: 'x', command: 'communication_email_send' }, 'critical']]],
  [
    'kubernetes',
    'kubectl_generic',
    [
      { command: 'get', resourceType: 'pods' },
      { command: 'rollout', subCommand: 'status' },
      { command: 'get', resourceType: 'pods', args: ['-o', 'wide', '--show-labels'], flags: { selector: 'app=shop' } },
    ],
    [
      [{ command: 'get', resourceType: 'Secrets' }, 'high'],
      [{ command: 'get', args: ['pods,secret', '-o', 'yaml'] }, 'high'],
      [{ command: 'get', flags: { raw: '/api/v1/secrets' } }, 'high'],
      [{ command: 'get', resourceType: 'pods', flags: { server: 'https://example.com' } }, 'critical'],
      [{ command: 'get', resourceType: 'pods', flags: { kubeconfig: '/tmp/x' } }, 'critical'],
      [{ command: 'get', args: ['pods', '--profile=cpu', '--profile-output=/etc/x'] }, 'critical'],
      [{ command: 'get', args: ['pods', '-Ashttps://example.com'] }, 'critical'],
      [{ command: 'get', resourceType: 'pods', name: '--server=https://example.com' }, 'critical'],
      [{ command: 'scale', resourceType: 'deployment' }, 'high'],
      [{ command: 'delete', resourceType: 'pod', name: 'x' }, 'critical'],
      [{ command: 'auth', subCommand: 'reconcile' }, 'critical'],
      [{ command: 'config', subCommand: 'view' }, 'critical'],
    ],
  ],
  [
    'kubernetes',
    'node_management',
    [{ operation: 'drain', nodeName: 'a', dryRun: true }],
    [
      [{ operation: 'cordon', nodeName: 'a', dryRun: true }, 'high'],
      [{ operation: 'drain', nodeName: 'a', confirmDrain: true }, 'critical'],
    ],
  ],
  [
    'heroku',
    'ps_scale',
    [{ app: 'shop' }],
    [
      [{ app: 'shop', dyno: 'web=0' }, 'high'],
      [{ app: 'shop -- web=0' }, 'high'],
    ],
  ],
  [
    'heroku',
    'get_app_info',
    [{ app: 'shop' }, { app: 'shop', json: true }],
    [
      [{ app: 'shop\napps:destroy --app shop --confirm shop' }, 'critical'],
      [{ app: 'shop --extended' }, 'critical'],
    ],
  ],
  ['heroku', 'pg_credentials', [{ app: 'shop', database: 'shop::DATABASE_URL' }], [[{ app: 'a b' }, 'critical']]],
  [
    'neon',
    'run_sql',
    [{ params: { sql: 'SELECT * FROM orders', projectId: 'x' } }],
    [
      [{ params: { sql: 'DELETE FROM orders WHERE id = 1', projectId: 'x' } }, 'high'],
      [{ params: { sql: 'SELECT 1; DROP TABLE orders', projectId: 'x' } }, 'critical'],
      [{ params: { projectId: 'x' } }, 'critical'],
    ],
  ],
  [
    'neon',
    'explain_sql_statement',
    [{ params: { sql: 'SELECT * FROM orders', projectId: 'x', analyze: true } }],
    [[{ params: { sql: 'UPDATE orders SET total = 0', projectId: 'x', analyze: false } }, 'critical']],
  ],
  [
    'neon',
    'run_sql_transaction',
    [{ params: { sqlStatements: ['SELECT 1', 'SELECT 2'] } }],
    [[{ params: { sqlStatements: ['SELECT 1', 'TRUNCATE orders'] } }, 'critical']],
  ],
  ['neon', 'get_connection_string', [], [[{ params: { projectId: 'x' } }, 'high']]],
  ['notion', 'API-post-search', [{ query: 'plan' }], []],
  ['notion', 'API-patch-page', [], [[{ page_id: 'x', in_trash: true }, 'critical']]],
  ['azure', 'extension_azqr', [], [[{ subscription: 'x' }, 'high']]],
  [
    'netlify',
    'netlify-project-services-updater',
    [{ selectSchema: { operation: 'manage-form-submissions', params: { action: 'get-submissions' } } }],
    [
      [{ selectSchema: { operation: 'manage-env-vars', params: { getAllEnvVars: true } } }, 'high'],
      [
        { selectSchema: { operation: 'manage-env-vars', params: { getAllEnvVars: true, deleteEnvVar: true } } },
        'critical',
      ],
      [{ selectSchema: { operation: 'manage-form-submissions', params: {} } }, 'critical'],
    ],
  ],
  [
    'playwright',
    'browser_navigate',
    [{ url: 'https://example.com/' }],
    [
      [{ url: 'javascript:fetch("/order")' }, 'high'],
      [{ url: 'data:text/html,https://example.com' }, 'high'],
    ],
  ],
  ['playwright', 'browser_take_screenshot', [{ scale: 'css' }], [[{ scale: 'css', filename: 'package.json' }, 'high']]],
  ['git-cyanheads', 'git_diff', [{ target: 'HEAD~1' }], [[{ target: '--output=/etc/x' }, 'high']]],
  ['git-cyanheads', 'git_show', [{ object: 'HEAD' }], [[{ object: '--output=/etc/x' }, 'high']]],
  [
    'firecrawl',
    'firecrawl_scrape',
    [{ url: 'https://example.com' }],
    [[{ url: 'https://example.com', actions: [{ type: 'click', selector: 'button' }] }, 'high']],
  ],
]

test.each(tables)(
  '%s %s: of reads nobody is asked, of what resembles one a person is',
  async (name, tool, reads, asks) => {
    const profile = await shippedProfile(name)
    const profiled = profile.tools[tool]
    if (profiled === undefined) throw new Error(`${name} has no ${tool}`)
    const rate = (args: object) => ratedByProfile({ ...profiled, server: profile.title, lowers: true }, args)
    for (const args of reads) expect(rate(args), JSON.stringify(args)).toMatchObject({ operation: 'read', risk: 'low' })
    for (const [args, risk] of asks) {
      expect(rate(args).operation, JSON.stringify(args)).not.toBe('read')
      expect(rate(args).risk, JSON.stringify(args)).toBe(risk)
    }
  },
)

test('what a call acts on is left out where no argument says it', async () => {
  const profile = await shippedProfile('azure-devops')
  const profiled = profile.tools['wit_work_item_write']
  if (profiled === undefined) throw new Error('The profile has lost the tool.')
  const targetFor = (args: object) =>
    wordsOf({ ...profiled, server: profile.title, lowers: true }, { action: 'update', ...args }).target
  expect(targetFor({ id: 7 })).toBe('7')
  expect(targetFor({})).toBeUndefined()
})
