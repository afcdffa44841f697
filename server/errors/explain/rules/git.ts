// What git writes to stderr, and what the hosts of repositories answer through it.
import { answerRules } from './answer-rule.ts'

const git = 'https://github.com/git/git'

/** Rules about git. */
export const gitRules = answerRules([
  {
    id: 'git.no_repository',
    type: 'upstream_no_repository',
    words: ['git', 'repository'],
    pattern:
      /\b(?:not a git repository|repository '[^'\n]{1,200}' does not exist|does not appear to be a git repository|InvalidGitRepositoryError)\b/i,
    matches: [
      'Error: Git status failed: Exit Code: 128\nStderr: fatal: not a git repository (or any of the parent directories): .git\n\nStdout: ',
      "fatal: repository '/data/nothing.git' does not exist",
      "fatal: 'origin' does not appear to be a git repository",
    ],
    from: ['git-cyanheads', git],
  },
  {
    id: 'git.nothing_to_commit',
    type: 'upstream_nothing_to_commit',
    words: ['commit', 'stash', 'local'],
    pattern: /\b(?:nothing (?:added )?to commit|no changes added to commit|No local changes to save)\b/,
    matches: [
      'On branch main\nnothing to commit, working tree clean',
      'no changes added to commit (use "git add" and/or "git commit -a")',
    ],
    from: ['git-cyanheads', git],
  },
  {
    id: 'git.no_file',
    type: 'upstream_path_not_found',
    words: ['pathspec'],
    pattern: /\bpathspec '[^'\n]{1,200}' did not match any files\b/,
    matches: ["Git command failed: fatal: pathspec 'missing.txt' did not match any files\n"],
    others: ["error: pathspec 'nosuchbranch' did not match any file(s) known to git"],
    from: ['git-mcp'],
  },
  {
    id: 'git.no_stash',
    type: 'upstream_not_found',
    words: ['stash'],
    pattern: /\bNo stash entries found\b/,
    matches: ['Error: Git stash failed: Exit Code: 1\nStderr: No stash entries found.\n\nStdout: '],
    from: ['git-cyanheads', 'git-mcp'],
  },
  {
    id: 'git.unknown_revision',
    version: 2,
    type: 'upstream_unknown_revision',
    words: [
      'pathspec',
      'object',
      'revision',
      'merge',
      'upstream',
      'branch',
      'path',
      'tag',
      'ref',
      'remote',
      'reference',
      'refspec',
      'rev',
    ],
    pattern:
      /\b(?:pathspec '[^'\n]{1,200}' did not match any|[Nn]ot a valid (?:object name|ref)|bad revision '|not something we can merge|invalid (?:upstream|reference)\b:? ?'?|unknown revision or path|no such path '[^'\n]{1,200}' in|tag '[^'\n]{1,200}' not found|[Bb]ranch (?:'[^'\n]{1,200}' )?not found\b|src refspec \S{1,100} does not match any|couldn't find remote ref|No such remote\b|Ref '[^'\n]{1,200}' did not resolve|bad object )/,
    matches: [
      "error: pathspec 'nosuchbranch' did not match any file(s) known to git",
      'fatal: Not a valid object name deadbeef',
      'merge: nosuch - not something we can merge',
      "error: tag 'v9' not found.",
      "fatal: no such path 'none.txt' in HEAD",
      "error: No such remote: 'nosuch'",
      'Error: Branch not found: missing',
    ],
    from: ['git-cyanheads'],
  },
  {
    id: 'git.merge_conflict',
    type: 'upstream_merge_conflict',
    words: ['conflict', 'conflicts', 'overwritten', 'unmerged'],
    pattern:
      /(?:\bCONFLICT \(|\bAutomatic merge failed\b|\bfix conflicts\b|\bwould be overwritten by (?:merge|checkout|rebase|cherry-pick)\b|\byou have unmerged (?:files|paths)\b|\bunmerged files\b)/i,
    matches: [
      'CONFLICT (content): Merge conflict in f\nAutomatic merge failed; fix conflicts and then commit the result.',
      'error: Your local changes to the following files would be overwritten by merge:\n\tf',
    ],
    others: ['HTTP 409 Conflict'],
    from: [git],
  },
  {
    id: 'git.push_rejected',
    type: 'upstream_push_rejected',
    words: ['rejected', 'refs', 'forward'],
    pattern:
      /(?:\[rejected\]|\bfailed to push some refs\b|\bnon-fast-forward\b|\bUpdates were rejected because\b|\bNot possible to fast-forward\b)/,
    matches: [
      " ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to '../behind.git'",
      'fatal: Not possible to fast-forward, aborting.',
    ],
    from: ['git-cyanheads', git],
  },
  {
    id: 'git.not_merged',
    type: 'upstream_wrong_state',
    words: ['merged', 'merge', 'rebase', 'progress'],
    pattern:
      /\b(?:is not fully merged|no merge (?:to abort|in progress)|[Nn]o rebase in progress|There is no merge to abort|You have not concluded your merge|you need to resolve your current index first)\b/,
    matches: [
      "error: The branch 'other' is not fully merged.",
      'fatal: There is no merge to abort (MERGE_HEAD missing).',
    ],
    from: ['git-cyanheads', git],
  },
])
