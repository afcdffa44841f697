// What servers say of a call that they do not take: its tool, its arguments, their own settings.
import { answerRules } from './answer-rule.ts'

const sdk = 'https://github.com/modelcontextprotocol/typescript-sdk/blob/main/src/server/mcp.ts'

/** Rules about calls as such. */
export const argumentRules = answerRules([
  {
    id: 'call.unknown_tool',
    version: 2,
    type: 'upstream_unknown_tool',
    words: ['tool', 'method'],
    pattern:
      /\b(?:Tool "?(?<name>[\w.:/-]{1,80})"? (?:(?:was )?not found|does not exist)\b|Unknown tool:? ?"?(?<other>[\w.:/-]{0,80})|Method (?<method>[\w.:/-]{1,80}) not found|Method not found|Tool not (?:found|implemented)\b)/i,
    matches: [
      'MCP error -32602: Tool nope not found',
      'Error: Unknown tool: nope',
      '### Error\nTool "nope" not found',
      'Method no_such_tool not found',
      'Tool not found: fetch_nothing',
      'Tool not implemented: fast_nothing',
      'Error occurred: Tool nothing does not exist',
    ],
    others: ['Entity with name nobody not found', 'Session not found'],
    from: ['everything', 'desktop-commander', 'playwright', 'notion', 'fetch', 'fast-filesystem', 'task-plans', sdk],
  },
  {
    id: 'call.tool_disabled',
    type: 'upstream_unknown_tool',
    words: ['disabled'],
    pattern: /\bTool [\w.:/-]{1,80} (?:is )?disabled\b/,
    matches: ['MCP error -32602: Tool write_file disabled'],
    from: [sdk],
  },
  {
    id: 'call.invalid_arguments',
    version: 2,
    type: 'upstream_invalid_arguments',
    words: ['32602', 'arguments', 'validation', 'parameter', 'parameters', 'argument', 'params', 'fields'],
    pattern:
      /\b(?:Input validation error|Invalid (?:arguments|params|parameters|argument|parameter)\b|(?:argument|parameter|request|schema|input)s? validation (?:error|failed)|validation errors? for \w|(?:Missing|missing) (?:a )?required (?:argument|parameter|field|property|properties)s?\b|(?:required|unexpected|unrecognized) (?:argument|parameter|keyword argument)|Bad parameters?\b)/i,
    matches: [
      'MCP error -32602: Input validation error: Invalid arguments for tool echo: Invalid input: expected string, received undefined at message',
      'Invalid arguments for tool "browser_navigate":\n✖ Invalid input: expected string, received undefined\n  → at url',
      'Failed to create company: Missing required fields.',
    ],
    others: ['MCP error -32602: Tool nope not found'],
    from: ['everything', 'playwright', 'memory', 'attio'],
  },
  {
    id: 'call.not_possible_now',
    type: 'upstream_wrong_state',
    words: ['can', 'cannot', 'first', 'confirmation'],
    pattern:
      /\b(?:can only be used when\b|No session working directory set|without explicit confirmation|[Mm]ust (?:first )?be \w{2,20} first\b)/,
    matches: [
      'Error: The tool "browser_handle_dialog" can only be used when there is related modal state present.',
      "Error: No session working directory set. Please specify a 'path' or use 'git_set_working_dir' first.",
      "Error: Cannot perform 'reset --hard' on protected branch 'main' without explicit confirmation.",
    ],
    from: ['playwright', 'git-cyanheads'],
  },
  {
    id: 'call.together',
    type: 'upstream_invalid_arguments',
    words: ['simultaneously', 'exclusive', 'together', 'either'],
    pattern:
      /\b(?:Cannot (?:specify|use) both\b|mutually exclusive|cannot be used together)|\beither [\w, ]{1,100} must be (?:provided|given|specified|set)\b/i,
    matches: [
      'Cannot specify both head and tail parameters simultaneously',
      'MCP error -32600: Either resourceType, manifest, or filename must be provided',
    ],
    from: ['filesystem', 'kubernetes'],
  },
  {
    id: 'call.not_configured',
    type: 'upstream_not_configured',
    words: ['environment', 'env', 'configured', 'api_key', 'key', 'token', 'set'],
    pattern:
      /\b(?:[A-Z][A-Z\d_]{2,60} (?:environment variable )?(?:is |must be |was )?(?:not set|required|missing|not configured)\b|(?:[Mm]issing|[Ss]et|[Pp]rovide|[Nn]o) (?:the |an? )?(?:(?:required )?environment variables?|API[ _-]?key|api[ _-]?key|access token)|(?:API key|api key|token|credentials) (?:is |are )?(?:not (?:set|configured|provided)|missing))/,
    matches: ['Error: BRAVE_API_KEY environment variable is required'],
    others: ['Error: query is required'],
    from: ['https://github.com/modelcontextprotocol/servers-archived/blob/main/src/brave-search/index.ts'],
  },
  {
    id: 'call.value',
    type: 'upstream_invalid_arguments',
    words: ['must', 'invalid', 'required', 'expected', 'unsupported'],
    pattern:
      /\b(?:Invalid [\w ]{1,40}: .{1,120}[Mm]ust\b|Invalid option: expected\b|(?:Expected|expected) [\w |"]{1,60}, received\b|[`"']?\w{1,60}[`"']? (?:is|are) required\b|(?:value|argument|parameter|field) [`"']?\w{0,60}[`"']? ?must be\b)/,
    matches: ['Invalid resourceId: -1. Must be a finite positive integer.', 'Error: query is required'],
    from: [
      'everything',
      'https://github.com/modelcontextprotocol/servers-archived/blob/main/src/brave-search/index.ts',
    ],
  },
  {
    id: 'call.task_only',
    type: 'upstream_unsupported',
    words: ['augmentation'],
    pattern: /\brequires task augmentation\b/,
    matches: ["MCP error -32601: Tool simulate-research-query requires task augmentation (taskSupport: 'required')"],
    from: ['everything'],
  },
])

/** A value that is refused in words that could stand before anything: tried last, and never for what a login or an answer is. */
export const valueRules = answerRules([
  {
    id: 'call.bad_value',
    type: 'upstream_invalid_arguments',
    words: ['invalid', 'valid', 'parse', 'supported', 'validation', 'missing', 'disallowed', 'empty'],
    pattern:
      /\b(?:[Ii]nvalid (?!(?:\w{1,20} ){0,3}(?:tokens?|credentials?|keys?|signature|session|certificate|grant|client|login|password|username|connection|config|configuration|response|state|JSON)\b)[A-Za-z][\w-]{0,30}(?: [\w-]{1,30}){0,3}: \S|is not a valid (?!(?:\w{1,20} )?(?:token|key|session|response)\b)\w|Cannot parse (?!(?:the )?(?:response|answer|reply)\b)\S|Unknown \w{1,30} ['"][^'"\n]{1,60}['"][^.\n]{0,60}\. (?:Supported|Valid|Allowed|Available|Known)\b|[Vv]alidation error: [\w.[\]]{1,80}: \S|missing ['"`](?!\w{0,30}(?:[Kk]ey|[Tt]oken|[Ss]ecret|[Pp]assword|[Aa]uthorization)\b)\w{1,40}['"`]|disallowed (?:protocol|scheme)\b|(?<!\b[A-Z][A-Z0-9_]{3,40} )(?:cannot|must not|can't) be empty\b)/,
    matches: [
      'Error: Invalid JWT: expected 3 parts, got 1',
      'Error: Invalid regular expression: /(/: Unterminated group',
      "Git command failed: fatal: 'bad name~' is not a valid branch name",
      'Error: Cannot parse "zz" as base 10',
      "Error: Unknown unit 'apple' in length. Supported units: m, km, cm, mm, in, ft, yd, mi, nmi, um",
      'Validation error: sources: Expected array',
      "Reason: Source unknown source missing 'path' or 'url'.",
      'Fetcher blocked URL with disallowed protocol "ftp:". Only HTTP and HTTPS are allowed.',
      'PATH_REJECTED: Path cannot be empty or contain dot segments.',
    ],
    others: [
      'Invalid token: expired',
      'Invalid API key: check your settings',
      'Invalid response: 500',
      'is not a valid session',
      'Error: Command failed',
      "Request failed: missing 'Authorization' header",
      'GITHUB_TOKEN cannot be empty',
      'Environment variable API_KEY must not be empty',
      "Config error: missing 'apiKey'",
      'Invalid OAuth2 access token: expired',
      'Invalid username or password: try again',
      'Invalid database connection string: no host',
    ],
    from: ['calc', 'git-mcp', 'pdf-reader', 'fetch', 'obsidian'],
  },
])
