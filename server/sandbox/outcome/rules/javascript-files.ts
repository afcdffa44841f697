// What the functions on files of the workspace say where they fail. The words are ours (`javascript/workspace-functions.ts`).
import { rulesOf, type Rule } from './rule.ts'

/** Rules for files in JavaScript. */
export const javascriptFileRules: readonly Rule[] = rulesOf('javascript', [
  {
    id: 'js.files',
    type: 'file_not_found',
    raised: ['Error', 'TypeError', 'ReferenceError'],
    pattern: /^no such file in the workspace: '(?<path>[^'\n]{0,300})'/,
    cause: 'There is no file {path} in the workspace.',
    steps: [
      'listFiles() shows what is there; hand in what is missing with the argument `files`.',
      'A call without `session_id` begins with an empty workspace.',
    ],
    edit: 'javascript-file-name',
    matches: ["Error: no such file in the workspace: 'data.txt'"],
    others: ['Error: hi'],
  },
  {
    id: 'js.path_outside',
    type: 'path_outside_workspace',
    raised: ['Error', 'TypeError', 'RangeError'],
    pattern: /^'(?<path>[^'\n]{0,300})' lies outside of the workspace/,
    cause: 'Programs see their own workspace and nothing else.',
    steps: ["Use a relative path: readFile('data.csv')."],
    example: ["writeFile('/tmp/out.txt', text)", "writeFile('out.txt', text)"],
    edit: 'javascript-path',
    matches: ["Error: '/etc/passwd' lies outside of the workspace"],
    others: ["Error: no such file in the workspace: 'data.txt'"],
  },
  {
    id: 'js.workspace_full',
    type: 'workspace_full',
    raised: ['Error', 'RangeError'],
    pattern: /^the workspace is full/,
    cause: 'The workspace takes no more.',
    steps: ['Write less, or call reset_workspace.'],
    matches: ['Error: the workspace is full'],
    others: ["Error: no such file in the workspace: 'data.txt'"],
  },
  {
    id: 'js.is_folder',
    type: 'is_a_directory',
    raised: ['Error'],
    pattern: /^.{1,300} is a folder$/,
    cause: 'The path names a folder, and a file was asked for.',
    steps: ['Name a file in it; listFiles() shows which there are.'],
    matches: ['Error: out is a folder'],
    others: ["Error: no such file in the workspace: 'data.txt'"],
  },
  {
    id: 'js.name_too_long',
    type: 'name_too_long',
    raised: ['Error'],
    pattern: /^'[^'\n]{0,300}' is too long\. A name has at most/,
    cause: 'A name of a file has at most 255 bytes, a path at most 500 characters and 32 names.',
    steps: ['Shorten it: keep what the name carries in the file, or number the files.'],
    matches: ["Error: 'nnnn...' is too long. A name has at most 255 bytes, a path at most 500 characters and 32 names"],
    others: ["Error: '/etc/passwd' lies outside of the workspace"],
  },
])
