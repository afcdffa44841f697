// What servers say in words of who may do what, of how often, and of how much: the texts of HTTP APIs and their clients.
import { answerRules } from './answer-rule.ts'

const statuses = 'https://www.rfc-editor.org/rfc/rfc9110#section-15'
const axios = 'https://github.com/axios/axios/blob/v1.x/lib/core/settle.js'

/** Rules about sentences; a bare number is left to `statusRules`, which come after all others. */
export const accessRules = answerRules([
  {
    id: 'http.rate_limited',
    type: 'upstream_rate_limited',
    words: ['429', 'rate', 'many', 'throttled', 'throttling'],
    pattern:
      /\b(?:[Rr]ate[ -]?limit(?:ed| exceeded|ing| reached)?\b|Too Many Requests|too many requests|Request was throttled|ThrottlingException|(?:status(?: code)?|HTTP|error)[ :]{1,2}429\b)/i,
    matches: [
      'Error: Rate limit exceeded',
      'Brave API error: 429 Too Many Requests',
      'API rate limit exceeded for user ID 1. See https://docs.github.com/rest/overview/resources-in-the-rest-api#rate-limiting',
    ],
    others: ['no such table: rate'],
    from: [
      statuses,
      'https://github.com/modelcontextprotocol/servers-archived/blob/main/src/brave-search/index.ts',
      'https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api',
    ],
  },
  {
    id: 'http.quota',
    type: 'upstream_quota_used_up',
    words: ['quota', 'credits', 'insufficient_quota'],
    pattern:
      /\b(?:quota (?:has been )?exceeded|exceeded your (?:current )?quota|insufficient_quota|(?:out of|[Ii]nsufficient|not enough) credits)\b/i,
    matches: [
      'You exceeded your current quota, please check your plan and billing details.',
      'Insufficient credits to perform this request.',
    ],
    from: ['https://platform.openai.com/docs/guides/error-codes', 'https://docs.firecrawl.dev/api-reference/errors'],
  },
  {
    id: 'http.not_signed_in',
    type: 'upstream_not_signed_in',
    words: [
      '401',
      'unauthorized',
      'credentials',
      'token',
      'authentication',
      'authenticated',
      'api',
      'unauthenticated',
      'key',
      'login',
      'password',
    ],
    pattern:
      /\b(?:Bad credentials|(?:[Ii]nvalid|[Ee]xpired|[Rr]evoked) (?:API[ _-]?key|api[ _-]?key|access token|auth(?:entication)? token|token|credentials)\b|(?:API key|api key|token|session|credentials)(?: provided)? (?:is |are |has |have )?(?:invalid|expired|been revoked|revoked|not valid)\b|Incorrect API key|Unauthorized\b|[Nn]ot authenticated\b|[Aa]uthentication (?:failed|required)\b|[Aa]uthorization required\b|(?:must|need to|please) (?:be |first )?(?:log(?:ged)? in|sign(?:ed)? in|login|authenticate)\b|(?:status(?: code)?|HTTP|error)[ :]{1,2}401\b|password authentication failed|Access denied for user '|could not read (?:Username|Password) for)/i,
    matches: [
      'Authentication Failed: Bad credentials',
      'Request failed with status code 401',
      "remote: Invalid username or password.\nfatal: Authentication failed for 'https://github.com/o/r.git/'",
      'password authentication failed for user "app"',
    ],
    others: ['Error: no such table: token', 'BRAVE_API_KEY environment variable is required'],
    from: [
      'https://github.com/modelcontextprotocol/servers-archived/blob/main/src/github/common/errors.ts',
      axios,
      'https://docs.github.com/en/get-started/git-basics/about-remote-repositories',
      'https://www.postgresql.org/docs/current/client-authentication-problems.html',
    ],
  },
  {
    id: 'http.not_permitted',
    type: 'upstream_not_permitted',
    words: [
      '403',
      'forbidden',
      'permission',
      'permissions',
      'permitted',
      'authorized',
      'access',
      'scope',
      'scopes',
      'denied',
      'privileges',
    ],
    pattern:
      /\b(?:Permission denied for (?:table|schema|relation|database|sequence|function|view)|permission denied for (?:table|schema|relation|database|sequence|function|view)|Forbidden\b|(?:do(?:es)? not|don't|doesn't) have (?:the )?(?:required |necessary |sufficient |enough )?(?:permissions?|access|privileges|rights)|[Ii]nsufficient (?:permissions?|privileges|scopes?|access)|(?:[Rr]equires?|[Mm]issing) (?:the )?(?:[\w:.-]{1,60} )?(?:permission|scope)s?\b|not (?:authorized|permitted|allowed) to\b|Resource not accessible by|Permission to \S{1,100} denied|(?:status(?: code)?|HTTP|error)[ :]{1,2}403\b|cannot (?:get|list|watch|create|update|patch|delete) resource)/i,
    matches: [
      'Resource not accessible by personal access token',
      'Permission Denied: Resource not accessible by integration',
      'permission denied for table pg_authid',
      'remote: Permission to o/r.git denied to someone.',
      'Error from server (Forbidden): pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default"',
    ],
    others: [
      "EACCES: permission denied, open '/srv/x'",
      'Access denied - path outside allowed directories: /etc/passwd not in /data',
    ],
    from: [
      'https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api',
      'https://github.com/modelcontextprotocol/servers-archived/blob/main/src/github/common/errors.ts',
      'https://www.postgresql.org/docs/current/errcodes-appendix.html',
      'https://kubernetes.io/docs/reference/access-authn-authz/rbac/',
    ],
  },
  {
    id: 'http.declined',
    version: 2,
    type: 'upstream_payment_declined',
    words: ['declined', '402', 'payment', 'insufficient_funds'],
    pattern:
      /\b(?:(?:card|payment) (?:was|has been) declined\b(?! by (?!(?:the |your )?(?:card )?(?:bank|issuer)\b))|insufficient_funds|Payment Required|(?:status(?: code)?|HTTP|error)[ :]{1,2}402\b)/i,
    matches: ['Your card was declined.', 'Request failed with status code 402'],
    others: ['The card was declined by reviewer Bob'],
    from: ['https://docs.stripe.com/error-codes', axios],
  },
  {
    id: 'http.too_large',
    version: 3,
    type: 'upstream_too_large',
    words: ['413', 'large', 'exceeds', 'tokens', 'maximum', 'limit', 'big', 'payload'],
    pattern:
      /\b(?:(?:Payload|Content|Request|Request Entity|Entity|Response|File|Result)s? (?:is )?[Tt]oo [Ll]arge|PayloadTooLarge|exceeds (?:the )?(?:(?:maximum|max) (?:allowed |permitted )?(?:\w{1,20} )?(?:size|length|tokens|limit|number)\b|size limit\b|(?:maximum|max|limit) of \d{1,15} ?(?:bytes|characters|tokens|rows|items|[KMG]i?B)\b)|(?:size|length|payload|content|request|response|result|file|body|text|message|input|output|tokens|rows|characters|bytes) (?:\([^)]{1,60}\) )?exceeds (?:the )?(?:maximum|max|limit)\b|(?:status(?: code)?|HTTP|error)[ :]{1,2}413\b|Too big: expected (?:string|array|file)\b)/i,
    matches: [
      'Request failed with status code 413',
      'total size of jsonb array elements exceeds the maximum of 268435455 bytes',
    ],
    others: ['Temperature exceeds maximum', 'Too big: expected number to be <=255'],
    from: [axios, 'https://github.com/postgres/postgres/blob/master/src/backend/utils/adt/jsonb_util.c'],
  },
  {
    id: 'http.already_exists',
    type: 'upstream_already_exists',
    words: ['exists', 'exist', 'duplicate', 'taken'],
    pattern:
      /\b(?:(?:already|AlreadyExists).{0,40}\bexists?\b|already exists?\b|\(AlreadyExists\)|is already taken\b|name (?:is )?taken\b)/i,
    matches: [
      'Destination already exists: /data/dir',
      "Error: Git branch failed: Exit Code: 128\nStderr: fatal: a branch named 'other' already exists\n\nStdout: ",
      'Error: table t already exists',
      'Error from server (AlreadyExists): namespaces "x" already exists',
    ],
    others: ['Error: relation "missing" does not exist'],
    from: ['filesystem', 'git-cyanheads', 'sqlite', 'https://kubernetes.io/docs/reference/kubectl/'],
  },
  {
    id: 'http.not_found',
    type: 'upstream_not_found',
    words: ['404', 'not', 'found', 'no', 'unknown', 'exist', 'find', 'esrch'],
    pattern:
      /\b(?:(?:[Nn]ot|NOT)[ _-]?[Ff](?:ound|OUND)\b|(?:does|do|did) not exist\b|doesn't exist\b|[Cc](?:ould not|ouldn't|annot|an't) find\b|[Nn]o such (?:entity|object|container|image|volume|network|resource|user|session|key|page|record|index|document|collection|bucket|host key|service|process|tab|remote)\b|[Nn]o (?:\w{1,30} ){0,2}(?:was |were )?found (?:for|with|in|at|by)\b|[Uu]nknown (?:id|key|user|channel|project|resource|entity)\b|ESRCH\b|(?:status(?: code)?|HTTP|error)[ :]{1,2}404\b)/,
    matches: [
      'Entity with name nobody not found',
      'Error: Tab 9 not found',
      'Request failed with status code 404',
      'Error: No such container: nosuch',
      'Error from server (NotFound): pods "nope" not found',
      'No session found for PID 999999',
      'Error: Failed to kill process: kill ESRCH',
    ],
    others: ['command not found: foo', 'Tool "nope" not found'],
    from: [
      'memory',
      'playwright',
      axios,
      'desktop-commander',
      'https://docs.docker.com/reference/cli/docker/container/inspect/',
    ],
  },
  {
    id: 'http.conflict',
    type: 'upstream_conflict',
    words: ['conflict', 'modified', '409', 'stale', 'locked'],
    pattern:
      /\b(?:the object has been modified; please apply your changes|\(Conflict\)|409 Conflict|(?:status(?: code)?|HTTP|error)[ :]{1,2}409\b|(?:was|has been) (?:modified|changed) (?:since|by another)|version conflict)/i,
    matches: [
      'Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again',
      'Request failed with status code 409',
    ],
    from: ['https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions', axios],
  },
  {
    id: 'http.still_in_use',
    type: 'upstream_still_in_use',
    words: ['use', 'depend', 'depends', 'using'],
    pattern:
      /\b(?:is (?:still )?(?:being used by|in use by)|other objects depend on it|is using its referenced image|volume is in use)\b/i,
    matches: [
      'cannot drop table a because other objects depend on it',
      'conflict: unable to remove repository reference "alpine" (must force) - container 1 is using its referenced image 2',
    ],
    from: [
      'https://www.postgresql.org/docs/current/ddl-depend.html',
      'https://docs.docker.com/reference/cli/docker/image/rm/',
    ],
  },
])

/** A status of HTTP in a sentence, where nothing nearer was said. */
export const statusRules = answerRules([
  {
    id: 'http.invalid',
    type: 'upstream_invalid_arguments',
    words: ['400', '422', 'bad', 'unprocessable'],
    pattern:
      /\b(?:(?:status(?: code)?|HTTP|error)[ :]{1,2}(?:400|422)\b|(?:400|422):? (?:Bad Request|Unprocessable)|Bad Request\b|Unprocessable (?:Entity|Content))/i,
    matches: ['Request failed with status code 422', 'Brave API error: 400 Bad Request'],
    from: [axios, statuses],
  },
  {
    id: 'http.unsupported',
    version: 2,
    type: 'upstream_unsupported',
    words: ['405', '501', 'supported', 'implemented', 'support', 'unsupported', 'blocked', 'disallowed', 'refused'],
    pattern:
      /\b(?:(?:is |are )?(?:not|n't) (?:yet )?(?:supported|implemented)\b|does(?: not|n't) support\b|Unsupported (?:[\w-]{1,30} ){0,2}(?:format|type|version|encoding|language|operation)\b|(?:blocked|disallowed|refused) [^.\n]{0,60}\b(?:private|internal|loopback) (?:address|IP|network|host)|Method Not Allowed\b|(?:status(?: code)?|HTTP|error)[ :]{1,2}(?:405|501)\b)/i,
    matches: [
      'Request failed with status code 405',
      '501 Not Implemented',
      'Archive extraction failed: Unsupported archive format: .txt',
      'Fetcher blocked request to private address "127.0.0.1".',
    ],
    from: [axios, statuses, 'fast-filesystem', 'fetch'],
  },
  {
    id: 'http.unavailable',
    type: 'upstream_unavailable',
    words: ['502', '503', 'unavailable', 'overloaded', 'gateway', 'maintenance'],
    pattern:
      /\b(?:Service (?:is )?(?:temporarily |currently )?Unavailable|Bad Gateway|temporarily unavailable|overloaded\b|(?:status(?: code)?|HTTP|error)[ :]{1,2}(?:502|503|529)\b)/i,
    matches: ['Request failed with status code 503', '502 Bad Gateway'],
    from: [axios, statuses],
  },
  {
    id: 'http.timed_out',
    type: 'upstream_timed_out',
    words: ['408', '504', 'timeout', 'timed', 'deadline', 'aborterror', 'timeouterror'],
    pattern:
      /\b(?:Gateway Time-?out|(?:[Rr]equest|[Oo]peration|[Cc]onnection|[Qq]uery|[Cc]ommand|[Cc]all)s? (?:has )?timed out|timed out after\b|timeout (?:of \d{1,9} ?ms )?exceeded|deadline exceeded|(?:status(?: code)?|HTTP|error)[ :]{1,2}(?:408|504)\b|canceling statement due to (?:statement|lock) timeout|aborted due to timeout)/i,
    matches: [
      'timeout of 1000ms exceeded',
      'Request failed with status code 504',
      'canceling statement due to statement timeout',
      'The operation was aborted due to timeout',
    ],
    from: [
      'https://github.com/axios/axios/blob/v1.x/lib/adapters/xhr.js',
      axios,
      'https://www.postgresql.org/docs/current/runtime-config-client.html',
      'https://developer.mozilla.org/en-US/docs/Web/API/AbortSignal/timeout_static',
    ],
  },
  {
    id: 'http.fault',
    version: 2,
    type: 'upstream_fault',
    words: ['500', 'internal'],
    pattern: /\b(?:Internal [Ss]erver [Ee]rror|(?:status(?: code)?|HTTP|error)[ :]{1,2}500\b|500 Internal\b(?! \w))/i,
    matches: ['Request failed with status code 500', '500 Internal Server Error', 'Upstream: 500 Internal'],
    others: ['Build 500 internal notes are missing'],
    from: [axios, statuses],
  },
])
