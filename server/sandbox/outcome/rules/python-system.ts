// What CPython 3.12 says of files, of the system that the sandbox does not have, and of ends that a program chose itself.
import { rulesOf, type Rule } from './rule.ts'

const anything = /^/
const absentModules =
  /^No module named '?(?<name>_?(?:ssl|socket|ctypes|multiprocessing|posixsubprocess|curses|tkinter|lzma|dbm|readline|termios|fcntl|pwd|grp|resource|mmap|syslog|winreg|msvcrt|crypt|posixshmem|multiarray)[\w.]{0,100})/

/** Rules for files, the absent system, and a program's own ending. */
export const pythonSystemRules: readonly Rule[] = rulesOf('python', [
  {
    id: 'py.absent_system_module',
    type: 'system_unavailable',
    raised: ['ModuleNotFoundError', 'ImportError'],
    pattern: absentModules,
    cause:
      '`{name}` needs an operating system, and the sandbox has none: no network, no processes, no native libraries.',
    steps: ['Do without it; data comes in by `files` and goes out by the workspace.'],
    matches: ["ModuleNotFoundError: No module named '_ssl'", "ModuleNotFoundError: No module named '_ctypes'"],
    others: ["ModuleNotFoundError: No module named 'numpy'"],
  },
  {
    id: 'py.path_outside',
    type: 'path_outside_workspace',
    raised: ['FileNotFoundError', 'PermissionError', 'OSError', 'NotADirectoryError'],
    pattern:
      /(?:^\[Errno \d{1,3}\] .{1,100}: '(?<path>(?!\/app(?:\/|'))(?:\/|\.\.\/|~|[A-Za-z]:)[^'\n]{0,300})'|^\[Errno 76\]|Capabilities insufficient)/,
    cause: 'Programs see their own workspace and nothing else; {path} lies outside of it.',
    steps: [
      'Use a relative path: open("data.csv").',
      'Hand files in with the argument `files`; get_workspace_info lists what is there.',
    ],
    example: ["open('/tmp/out.txt', 'w')", "open('out.txt', 'w')"],
    edit: 'python-path',
    matches: [
      "FileNotFoundError: [Errno 44] No such file or directory: '/etc/passwd'",
      "PermissionError: [Errno 76] Capabilities insufficient: '../x'",
    ],
    others: ["FileNotFoundError: [Errno 44] No such file or directory: 'data.csv'"],
  },
  {
    id: 'py.workspace_full',
    type: 'workspace_full',
    raised: ['OSError'],
    pattern:
      /(?:No space left|Disk quota exceeded|Quota exceeded|File too large|Too many open files|No file descriptors available)/,
    cause: 'The workspace takes no more: its size, its number of files, or the number of open files is used up.',
    steps: ['Write less, close files with `with open(…)`, delete what is no longer needed, or call reset_workspace.'],
    matches: ['OSError: [Errno 51] No space left on device', 'OSError: [Errno 19] Disk quota exceeded'],
    others: ["FileNotFoundError: [Errno 44] No such file or directory: 'x'"],
  },
  {
    id: 'py.file_not_found',
    type: 'file_not_found',
    raised: ['FileNotFoundError'],
    pattern: /(?:No such file or directory: '(?<path>[^'\n]{0,300})')?/,
    cause: 'There is no file {path} in the workspace.',
    steps: [
      'get_workspace_info lists the files; hand in what is missing with the argument `files`.',
      'A call without `session_id` begins with an empty workspace.',
    ],
    edit: 'python-file-name',
    matches: ["FileNotFoundError: [Errno 44] No such file or directory: 'data.csv'"],
    others: ["IsADirectoryError: [Errno 31] Is a directory: 'x'"],
  },
  {
    id: 'py.is_directory',
    type: 'is_a_directory',
    raised: ['IsADirectoryError'],
    pattern: anything,
    cause: 'The path names a folder, and a file was asked for.',
    steps: ['Name a file in it; os.listdir(path) shows which there are.'],
    matches: ["IsADirectoryError: [Errno 31] Is a directory: 'out'"],
    others: ["NotADirectoryError: [Errno 54] Not a directory: 'a/b'"],
  },
  {
    id: 'py.not_directory',
    type: 'not_a_directory',
    raised: ['NotADirectoryError'],
    pattern: anything,
    cause: 'A part of the path is a file, and a folder was asked for.',
    steps: ['Use another name for the folder, or make it with os.makedirs(path, exist_ok=True).'],
    matches: ["NotADirectoryError: [Errno 54] Not a directory: 'a/b'"],
    others: ["IsADirectoryError: [Errno 31] Is a directory: 'out'"],
  },
  {
    id: 'py.file_exists',
    type: 'file_exists',
    raised: ['FileExistsError'],
    pattern: /(?:File exists: '(?<path>[^'\n]{0,300})')?/,
    cause: '{path} is there already.',
    steps: ['Pass exist_ok=True to os.makedirs, open with "w" instead of "x", or use another name.'],
    example: ["os.mkdir('out')", "os.makedirs('out', exist_ok=True)"],
    edit: 'python-exist-ok',
    matches: ["FileExistsError: [Errno 20] File exists: 'out'"],
    others: ["FileNotFoundError: [Errno 44] No such file or directory: 'x'"],
  },
  {
    id: 'py.permission',
    type: 'permission_denied_in_workspace',
    raised: ['PermissionError'],
    pattern: anything,
    cause: 'The program may not do that with this file: packages and the standard library are read-only.',
    steps: ['Write into the workspace, under a relative path.'],
    matches: ["PermissionError: [Errno 2] Permission denied: 'x'"],
    others: ["FileNotFoundError: [Errno 44] No such file or directory: 'x'"],
  },
  {
    id: 'py.closed_file',
    type: 'closed_file',
    raised: ['ValueError', 'UnsupportedOperation'],
    pattern:
      /^(?:I\/O operation on closed file|not (?:readable|writable)|read of closed file|write to closed file|underlying .{1,60} has been detached)/,
    cause: 'The file is closed, or was opened for the other direction.',
    steps: ['Do the work inside the `with` block; open with "r" to read, "w" to write, "r+" for both.'],
    edit: 'python-file-mode',
    matches: ['ValueError: I/O operation on closed file.', 'io.UnsupportedOperation: not writable'],
    others: ['ValueError: substring not found'],
  },
  {
    id: 'py.bytes_or_text',
    type: 'bytes_or_text',
    raised: ['TypeError'],
    pattern:
      /(?:a bytes-like object is required, not 'str'|write\(\) argument must be str, not bytes|must be str, not bytes|expected str, bytes or os\.PathLike object|can't concat str to bytes|cannot use a (?:string|bytes) pattern on|string argument without an encoding|the JSON object must be str, bytes or bytearray)/,
    cause: 'Text and bytes are different things, and the one stands where the other is needed.',
    steps: ['text.encode() makes bytes, data.decode() makes text; open with "wb" for bytes and "w" for text.'],
    edit: 'python-bytes',
    matches: [
      "TypeError: a bytes-like object is required, not 'str'",
      'TypeError: write() argument must be str, not bytes',
    ],
    others: ["TypeError: 'int' object is not iterable"],
  },
  {
    id: 'py.no_input',
    type: 'no_input',
    raised: ['EOFError'],
    pattern: anything,
    cause: 'Nobody types into a program here: input() finds the end at once.',
    steps: ['Put the value into the program as a variable, or hand in a file with `files`.'],
    example: ['name = input()', "name = 'Ada'"],
    matches: ['EOFError: EOF when reading a line', 'EOFError'],
    others: ['KeyboardInterrupt'],
  },
  {
    id: 'py.no_threads',
    type: 'threads_unavailable',
    raised: ['RuntimeError'],
    pattern: /^can't (?:start|create) new thread/,
    cause: 'The sandbox has one thread.',
    steps: ['Do the work in a loop, or with asyncio; nothing runs at the same time here.'],
    matches: ["RuntimeError: can't start new thread"],
    others: ['RuntimeError: dictionary changed size during iteration'],
  },
  {
    id: 'py.no_system',
    type: 'system_unavailable',
    raised: [
      'OSError',
      'NotImplementedError',
      'AttributeError',
      'NameError',
      'ConnectionError',
      'gaierror',
      'URLError',
      'RuntimeError',
    ],
    pattern:
      /(?:does not support processes|\[Errno (?:52|58)\]|not supported on (?:this platform|emscripten|wasi|WASI)|(?:wasi|wasm|WASI) does(?:n't| not)|unknown url type: https|module 'os' has no attribute '(?:fork|system|popen|kill|exec\w{0,4}|spawn\w{0,4}|wait\w{0,4}|getuid|pipe)'|module '_?socket' has no attribute|module 'signal' has no attribute|Temporary failure in name resolution|Function not implemented|Not supported)/,
    cause: 'The program asks for the network, a process or a signal, and the sandbox has none of them.',
    steps: [
      'Fetch data with another tool and hand it in with the argument `files`.',
      'Do in Python what the command would do; no other program can be started.',
    ],
    matches: [
      'OSError: [Errno 58] wasi does not support processes.',
      'urllib.error.URLError: <urlopen error unknown url type: https>',
      "AttributeError: module 'os' has no attribute 'system'",
      "AttributeError: module '_socket' has no attribute 'getaddrinfo'",
    ],
    others: ["AttributeError: module 'os' has no attribute 'lsitdir'"],
  },
])
