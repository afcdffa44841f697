// What runtimes say of the network, of files and of other programs: Node, Python, Go, Java and the system's own words.
import { answerRules } from './answer-rule.ts'

const node = 'https://nodejs.org/api/errors.html#common-system-errors'
const python = 'https://docs.python.org/3/library/exceptions.html#os-exceptions'
const go = 'https://pkg.go.dev/net'
const java = 'https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/net/package-summary.html'

/** Rules about networks. */
export const networkRules = answerRules([
  {
    id: 'net.daemon_away',
    type: 'upstream_daemon_away',
    words: ['docker', 'daemon', 'kube', 'server', 'localhost', 'cluster'],
    pattern:
      /\b(?:Cannot connect to the Docker daemon|Is the docker daemon running|The connection to the server \S{1,100} was refused|connect ENOENT \/var\/run\/docker\.sock)/i,
    matches: [
      'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
      'The connection to the server localhost:8080 was refused - did you specify the right host or port?',
    ],
    from: [
      'https://docs.docker.com/engine/daemon/troubleshoot/',
      'https://kubernetes.io/docs/tasks/debug/debug-cluster/',
    ],
  },
  {
    id: 'net.name',
    type: 'upstream_name_unknown',
    words: [
      'enotfound',
      'eai_again',
      'resolve',
      'host',
      'err_name_not_resolved',
      'unknownhostexception',
      'nodename',
      'name',
    ],
    pattern:
      /(?:\bgetaddrinfo (?:ENOTFOUND|EAI_AGAIN)\b|\b(?:ENOTFOUND|EAI_AGAIN)\b|\bCould not resolve host\b|\bno such host\b|\bName or service not known\b|\bTemporary failure in name resolution\b|\bERR_NAME_NOT_RESOLVED\b|\bUnknownHostException\b|\bnodename nor servname provided\b)/i,
    matches: [
      'getaddrinfo ENOTFOUND api.example.com',
      "fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com",
      'dial tcp: lookup api.example.com: no such host',
      'socket.gaierror: [Errno -2] Name or service not known',
      'java.net.UnknownHostException: api.example.com',
      'net::ERR_NAME_NOT_RESOLVED at http://no.such.host.invalid/',
    ],
    others: ['connect ECONNREFUSED 127.0.0.1:9'],
    from: [node, 'git-cyanheads', go, python, java, 'playwright'],
  },
  {
    id: 'net.certificate',
    type: 'upstream_certificate',
    words: [
      'certificate',
      'cert',
      'ssl',
      'tls',
      'cert_has_expired',
      'self_signed_cert_in_chain',
      'depth_zero_self_signed_cert',
      'unable_to_verify_leaf_signature',
      'err_cert_authority_invalid',
      'err_tls_cert_altname_invalid',
      'x509',
      'sslhandshakeexception',
    ],
    pattern:
      /\b(?:CERT_HAS_EXPIRED|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT(?:_IN_CHAIN)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE|ERR_TLS_CERT_ALTNAME_INVALID|ERR_CERT_[A-Z_]{3,40}|self[- ]signed certificate|certificate (?:has expired|verify failed|is not trusted|signed by unknown authority)|unable to verify the first certificate|x509: |SSLHandshakeException)/i,
    matches: [
      'certificate has expired',
      'request failed, reason: self-signed certificate in certificate chain',
      'x509: certificate signed by unknown authority',
      'ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed',
    ],
    from: [
      'https://nodejs.org/api/tls.html#x509-certificate-error-codes',
      'https://pkg.go.dev/crypto/x509',
      'https://docs.python.org/3/library/ssl.html',
    ],
  },
  {
    id: 'net.unreachable',
    type: 'upstream_unreachable',
    words: [
      'econnrefused',
      'econnreset',
      'ehostunreach',
      'enetunreach',
      'epipe',
      'refused',
      'reset',
      'fetch',
      'connectexception',
      'socket',
      'connection',
      'connect',
      'unreachable',
    ],
    pattern:
      /(?:\b(?:ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|EPIPE|ConnectException)\b|\bconnection (?:was )?(?:refused|reset)\b|\bsocket hang up\b|\bfetch failed\b|\bno route to host\b|\b[Ff]ailed to connect to\b|\b[Cc]ould not connect to\b|\bConnection error\b|\bNetwork (?:is )?unreachable\b|\bERR_CONNECTION_[A-Z]{3,20}\b|\bERR_INTERNET_DISCONNECTED\b)/i,
    matches: [
      'Error: Failed to fetch URL: request to http://127.0.0.1:9/x failed, reason: connect ECONNREFUSED 127.0.0.1:9',
      'fetch failed',
      'dial tcp 127.0.0.1:9: connect: connection refused',
      'socket hang up',
    ],
    from: ['desktop-commander', 'everything', go, node],
  },
  {
    id: 'net.timed_out',
    type: 'upstream_timed_out',
    words: [
      'etimedout',
      'esockettimedout',
      'und_err_connect_timeout',
      'sockettimeoutexception',
      'err_connection_timed_out',
      'err_timed_out',
    ],
    pattern:
      /\b(?:ETIMEDOUT|ESOCKETTIMEDOUT|UND_ERR_\w{1,20}_TIMEOUT|SocketTimeoutException|ERR_(?:CONNECTION_)?TIMED_OUT)\b/i,
    matches: ['connect ETIMEDOUT 10.0.0.1:443', 'java.net.SocketTimeoutException: Read timed out'],
    from: [node, java],
  },
])

/** Rules about files. */
export const fileRules = answerRules([
  {
    id: 'file.outside',
    type: 'upstream_path_not_allowed',
    words: ['outside', 'allowed', 'traversal', 'escapes'],
    pattern:
      /\b(?:path outside allowed director|(?:Path|path|file|File).{0,120} (?:is |not |lies )?outside (?:of )?(?:the )?(?:allowed|working|base|root|vault|permitted|sandbox|workspace)|outside (?:of )?(?:the )?allowed (?:director|root|path|folder)|not (?:in|within) (?:the |an )?allowed director|Path not allowed|[Pp]ath traversal|path escapes)/,
    matches: ['Access denied - path outside allowed directories: /etc/passwd not in /data'],
    others: ["EACCES: permission denied, open '/srv/x'"],
    from: ['filesystem'],
  },
  {
    id: 'file.program_missing',
    version: 2,
    type: 'upstream_program_missing',
    words: ['spawn', 'command', 'executable', 'enoent', 'recognized', 'sh'],
    pattern:
      /(?:\bspawn (?<name>[\w./-]{1,80}) ENOENT\b|\bcommand not found\b|\bsh: \d{1,6}: [^:\n]{1,80}: not found\b|\bexecutable file not found in \$?PATH\b|\bis not recognized as an internal or external command\b|\bChromium distribution '?\w{0,20}'? is not found\b|\bBrowser "?\w{0,20}"? is not installed\b|\bExecutable doesn't exist at\b)/i,
    matches: [
      'spawn kubectl ENOENT',
      'exec: "kubectl": executable file not found in $PATH',
      'bash: nosuchcommand_x: command not found',
      '/bin/sh: 1: no_such_program_here: not found',
      "browserType.launch: Executable doesn't exist at /home/me/chrome",
    ],
    others: ["ENOENT: no such file or directory, open '/data/none.txt'"],
    from: [
      'https://nodejs.org/api/child_process.html#event-error',
      'https://pkg.go.dev/os/exec',
      'https://www.gnu.org/software/bash/manual/html_node/Exit-Status.html',
      'https://playwright.dev/docs/browsers',
      'commands',
    ],
  },
  {
    id: 'file.not_found',
    type: 'upstream_path_not_found',
    words: ['enoent', 'file', 'directory', 'path', 'errno', 'folder', 'filenotfoundexception', 'nosuchfileexception'],
    pattern:
      /(?:\bENOENT\b|\bNo such file or directory\b|\b(?:[Ff]ile|[Dd]irectory|[Ff]older|[Pp]ath)(?: \S{1,200})? (?:was )?(?:not found|does not exist|doesn't exist)\b|\b(?:[Ff]ile|[Dd]irectory|[Ff]older|[Pp]ath) (?:not found|does not exist)|\bFileNotFound(?:Error|Exception)\b|\bNoSuchFileException\b|\bcannot find the (?:file|path) specified\b)/i,
    matches: [
      "ENOENT: no such file or directory, open '/data/none.txt'",
      'Error: Working directory does not exist: /data/none',
      'Error: File not found: none.txt',
      "FileNotFoundError: [Errno 2] No such file or directory: 'x'",
    ],
    others: ['spawn kubectl ENOENT', 'Tool read_file not found'],
    from: ['filesystem', 'git-cyanheads', 'desktop-commander', python],
  },
  {
    id: 'file.denied',
    version: 2,
    type: 'upstream_path_denied',
    words: ['denied', 'eacces', 'eperm', 'permission', 'accessdeniedexception', 'erofs', 'permissionerror'],
    pattern:
      /(?:\b(?:EACCES|EPERM|EROFS)\b|\b[Pp]ermission denied\b(?! for (?:table|schema|relation|database))|\b[Aa]ccess denied to (?:path|file|directory|folder)\b|\b[Oo]peration not permitted\b|\bAccessDeniedException\b|\b[Rr]ead-only file system\b)/,
    matches: [
      "EACCES: permission denied, open '/srv/x'",
      "PermissionError: [Errno 13] Permission denied: '/srv/x'",
      "EROFS: read-only file system, open '/x'",
      'Access denied to path: /etc/passwd',
    ],
    others: ['permission denied for table t'],
    from: [node, python, 'fast-filesystem'],
  },
  {
    id: 'file.wrong_kind',
    type: 'upstream_path_wrong_kind',
    words: ['eisdir', 'enotdir', 'directory', 'isadirectoryerror', 'notadirectoryerror', 'file'],
    pattern:
      /(?:\b(?:EISDIR|ENOTDIR)\b|\b(?:Is|is) a directory\b|\b(?:Not|not) a directory\b|\bis not a (?:file|directory|folder)\b|\bNot a (?:file|folder)\b)/,
    matches: [
      'EISDIR: illegal operation on a directory, read',
      "ENOTDIR: not a directory, scandir '/data/a.txt'",
      "NotADirectoryError: [Errno 20] Not a directory: 'x'",
    ],
    others: ['fatal: not a git repository (or any of the parent directories): .git'],
    from: ['filesystem', python],
  },
  {
    id: 'file.exists',
    type: 'upstream_already_exists',
    words: ['eexist', 'fileexistserror', 'filealreadyexistsexception'],
    pattern: /\b(?:EEXIST|FileExistsError|FileAlreadyExistsException)\b/,
    matches: ["EEXIST: file already exists, mkdir '/data/dir'"],
    from: [node],
  },
  {
    id: 'file.not_empty',
    type: 'upstream_folder_not_empty',
    words: ['enotempty', 'empty'],
    pattern: /(?:\bENOTEMPTY\b|\b[Dd]irectory (?:is )?not empty\b)/,
    matches: ["ENOTEMPTY: directory not empty, rmdir '/data/dir'"],
    from: [node],
  },
  {
    id: 'file.no_space',
    type: 'upstream_no_space',
    words: ['enospc', 'emfile', 'enfile', 'edquot', 'space', 'files'],
    pattern:
      /(?:\b(?:ENOSPC|EMFILE|ENFILE|EDQUOT)\b|\b[Nn]o space left on device\b|\b[Tt]oo many open files\b|\bDisk quota exceeded\b)/,
    matches: ['ENOSPC: no space left on device, write', "EMFILE: too many open files, open 'x'"],
    from: [node],
  },
  {
    id: 'file.text_not_unique',
    type: 'upstream_text_not_unique',
    words: ['occurrences', 'matches', 'unique', 'times'],
    pattern:
      /\b(?:[Ee]xpected \d{1,6} occurrences? but found \d{1,6}|found (?:\d{1,6}|multiple) (?:matches|occurrences)|(?:is|was) not unique|appears (?:\d{1,6} times|multiple times))\b/,
    matches: ['Expected 1 occurrences but found 3 in /data/a.txt.'],
    from: ['https://github.com/wonderwhy-er/DesktopCommanderMCP/blob/main/src/tools/edit.ts'],
  },
  {
    id: 'file.text_not_found',
    type: 'upstream_text_not_found',
    words: ['match', 'text', 'string', 'find'],
    pattern:
      /\b(?:[Cc]ould not find (?:an )?exact match|[Nn]o (?:exact )?match(?:es)? (?:was |were )?found for|(?:[Ss]earch |[Oo]ld |[Oo]ld_)(?:text|string|content|str) (?:was )?not found|Exact match not found)/,
    matches: ['Could not find exact match for edit:\nnot there'],
    from: ['filesystem'],
  },
])
