// What errors of other servers are called here, and what is said of each: one template for every form in which a server may say
// it, be it a problem document, a code of its own or a sentence. The sentences are ours alone; nothing that a server wrote
// becomes a part of them.

/** What is said of one type of error of another server. */
export interface Template {
  /** What happened, as one sentence. */
  readonly cause: string
  /** What to do before the call is made again; empty where nothing of the call helps. */
  readonly steps: readonly string[]
  /** Whether the same call may be sent again. */
  readonly retryable: 'no' | 'after_change' | 'after_wait'
  /** What only a person can answer. */
  readonly question?: string
}

const change = (cause: string, ...steps: readonly string[]): Template => ({ cause, steps, retryable: 'after_change' })
const wait = (cause: string, ...steps: readonly string[]): Template => ({ cause, steps, retryable: 'after_wait' })
const ask = (cause: string, question: string, ...steps: readonly string[]): Template => ({
  cause,
  steps,
  retryable: 'no',
  question,
})

const askWhoRuns = 'Tell the person: whoever runs that server has to do something first. No other arguments will help.'

/** Everything that is told of an error of another server, by `error_type`. */
export const templates = {
  // Arguments.
  upstream_invalid_arguments: change(
    'The server does not take these arguments.',
    'Compare the arguments with the input schema of the tool, and change those that the server names.',
  ),
  upstream_unknown_tool: change(
    'The server has no tool of this name, or does not offer it now.',
    'List the tools anew and take a name from there.',
  ),
  upstream_wrong_state: change(
    'The server cannot do this in the state that it is in now.',
    'Look at the state with a read tool, and take the step that has to come first.',
  ),
  upstream_unsupported: change(
    'The server does not do this: it is not built in, or not for this object.',
    'Take another tool or another way; the same call will fail again.',
  ),
  upstream_too_large: change(
    'This is more than the server takes or gives at once.',
    'Ask for less, or send it in parts: a smaller range, fewer items, a shorter text.',
  ),
  upstream_use_other_tool: change(
    'The server keeps this kind of request for another of its tools.',
    'Find the tool for it among the tools of this server.',
  ),
  // What is there, and what is not.
  upstream_not_found: change(
    'The server does not find what the call names, or does not show it to this account.',
    'List or search for it with a read tool, and use the exact name or id from there.',
  ),
  upstream_already_exists: change(
    'There is one of this name already.',
    'Look at the one that is there; then use it, or take another name.',
  ),
  upstream_conflict: change(
    'It was changed meanwhile, or another piece of work holds it.',
    'Read its present state, and make the call from that.',
  ),
  upstream_still_in_use: change(
    'Something else still refers to it or depends on it.',
    'Find what depends on it with a read tool, and tell the person before anything of that is removed.',
  ),
  // Who may.
  upstream_not_signed_in: ask(
    'The server takes no request with the credentials that it has: they are missing, wrong or no longer valid.',
    'The server asks for valid credentials. Can you renew them where this server is configured?',
    'Ask the person to renew the credentials of that server. Ask for no password and no token, and put none into arguments.',
  ),
  upstream_not_permitted: ask(
    'The account of the server is known, and may not do this.',
    'This account lacks a permission at that server. May it be given, or is another account meant?',
    'Tell the person which permission is missing; do not look for a way round it.',
  ),
  upstream_not_configured: ask(
    'The server lacks a setting: a key, an address or a variable that it is started with.',
    'That server is not completely configured. Can you add what it names to its settings?',
    askWhoRuns,
  ),
  // How much.
  upstream_rate_limited: wait(
    'The server was asked too often in a short time.',
    'Make fewer calls, and let some time pass before the next one.',
  ),
  upstream_quota_used_up: ask(
    'What this account may use is used up: a quota, a budget, credits or space.',
    'The quota of that account is used up. Should it be raised, or is there another way?',
    'Tell the person; trying again does not help before there is more of it.',
  ),
  upstream_payment_declined: ask(
    'The payment was declined, or the account has to be paid for first.',
    'The payment was declined. Should another means of payment be used?',
    'Tell the person what the server says of it. Do not try other cards or amounts by yourself.',
  ),
  // The way there.
  upstream_unreachable: wait(
    'The server could not reach the system that it works with.',
    'Check the address, if the call names one; else tell the person that the system behind that server is not reachable.',
  ),
  upstream_name_unknown: change(
    'The name of a host in the request is not known to the network.',
    'Check how the host is written; where it is not in the arguments, tell the person.',
  ),
  upstream_certificate: ask(
    'The secure connection failed: the certificate is not accepted.',
    'The certificate of a system behind that server is not accepted. Can you look at it?',
    'Do not switch off the check of certificates. Tell the person.',
  ),
  upstream_timed_out: change(
    'It took longer than the server waits.',
    'Ask for less at once, or wait for what has to be there first.',
  ),
  upstream_unavailable: wait('The service behind the server is down or overloaded.', 'Let some time pass.'),
  upstream_fault: change(
    'Something failed inside the server or the service behind it; the arguments need not be wrong.',
    'If it happens again, tell the person and take another way.',
  ),
  // Files.
  upstream_path_not_found: change(
    'There is no file or folder at this path.',
    'List the folder above it and take the exact path from there; folders on the way must exist before a file is written.',
  ),
  upstream_path_not_allowed: change(
    'The path lies outside the folders that the server may use.',
    'Take a path below a folder that the server allows; only the person can allow another one.',
  ),
  upstream_path_denied: ask(
    'The system does not let the server read or write this file.',
    'The server may not touch this file. Should its permissions be changed?',
    'Tell the person; do not change permissions by yourself.',
  ),
  upstream_path_wrong_kind: change(
    'There is a folder where a file is expected, or a file where a folder is.',
    'Look at what is at the path, and use the tool for that kind.',
  ),
  upstream_folder_not_empty: change(
    'The folder is not empty.',
    'List what is in it, and tell the person before anything of that is deleted.',
  ),
  upstream_no_space: ask(
    'There is no space left, or no more files may be opened.',
    'The disk of that server is full. What may be removed?',
    'Tell the person; delete nothing by yourself to make room.',
  ),
  upstream_text_not_found: change(
    'The text that is to be replaced does not stand there as it was given.',
    'Read the file again and copy the text exactly, blanks and line ends included.',
  ),
  upstream_text_not_unique: change(
    'The text that is to be replaced stands there more than once.',
    'Give more of the lines around it, or say how many places are meant.',
  ),
  // Databases.
  upstream_sql_no_table: change(
    'The database has no such table or view.',
    'List the tables and take the exact name, with its schema where there are several.',
  ),
  upstream_sql_no_column: change('The table has no such column.', 'Look at the columns of the table, and use those.'),
  upstream_sql_no_function: change(
    'The database has no such function for these types.',
    'Use a function of this database, or convert the arguments to types that it takes.',
  ),
  upstream_sql_syntax: change(
    'The database cannot read the statement.',
    'Correct the statement where the database points, in the dialect of this database.',
  ),
  upstream_sql_type: change(
    'A value does not fit the type of its column, or the two sides of an operation do not fit.',
    'Look at the types of the columns, and convert or correct the value.',
  ),
  upstream_sql_duplicate: change(
    'A row with this value in a column that must be unique is there already.',
    'Look for that row; then update it, or take another value.',
  ),
  upstream_sql_missing_value: change(
    'A column that must have a value was given none.',
    'Look at the columns of the table, and give a value for each that needs one.',
  ),
  upstream_sql_constraint: change(
    'A rule of the table does not allow this value: what it refers to is missing, or a check fails.',
    'Look at the rules of the table and at the rows that it refers to.',
  ),
  upstream_sql_read_only: change(
    'This connection to the database may only read.',
    'Use a tool that writes, where the server has one; else tell the person that this server only reads.',
  ),
  upstream_sql_busy: wait('Another transaction holds what this one needs.', 'Let the other one end first.'),
  // Git.
  upstream_no_repository: change(
    'There is no git repository at this path.',
    'Name the folder of a repository, or let the person decide whether one is to be made there.',
  ),
  upstream_nothing_to_commit: change(
    'There is nothing to commit: nothing has changed, or nothing is staged.',
    'Look at the status; stage what is meant, or leave the commit out.',
  ),
  upstream_unknown_revision: change(
    'The repository has no such branch, tag, commit or path.',
    'List branches, tags or the log, fetch if it is only at the remote, and take the exact name.',
  ),
  upstream_merge_conflict: change(
    'The same lines were changed on both sides, or local changes are in the way.',
    'Look at the status and the files in conflict, and let the person decide what stays.',
  ),
  upstream_push_rejected: change(
    'The remote has commits that are not here.',
    'Fetch and merge or rebase first. Do not force the push unless the person asks for it.',
  ),
  // Containers, programs, browsers.
  upstream_daemon_away: ask(
    'The daemon or cluster that the server works with is not running or not reachable.',
    'The daemon or cluster behind that server does not answer. Can you start it?',
    askWhoRuns,
  ),
  upstream_program_missing: ask(
    'A program that the server needs is not installed where it runs.',
    'A program that the server needs is missing. Can you install it?',
    askWhoRuns,
  ),
  upstream_program_failed: change(
    'A program that the server ran ended with an error.',
    'Read what the program printed, and change its arguments.',
  ),
  upstream_no_element: change(
    'The page has no such element now, or its reference is from an older snapshot.',
    'Take a new snapshot of the page, and use a reference from there.',
  ),
  upstream_many_elements: change(
    'Several elements of the page fit.',
    'Take a reference from a new snapshot, or a selector that fits one element.',
  ),
  upstream_page_waited: change(
    'The page did not come to the awaited state in time: an element is missing, hidden, covered or disabled.',
    'Take a snapshot and look at what the page shows; do what has to come first.',
  ),
  upstream_page_not_loaded: change(
    'The browser could not load the address.',
    'Check the address; where it is right, tell the person that the site cannot be reached from there.',
  ),
  upstream_script_failed: change(
    'The script that was given raised an error of its own.',
    'Correct the script where its message points.',
  ),
} as const satisfies Readonly<Record<string, Template>>

/** `error_type` of an error that a rule about other servers explains. */
export type UpstreamErrorType = keyof typeof templates

/** What is said of an error of this kind. */
export const templateOf = (type: UpstreamErrorType): Template => templates[type]

/** Kinds that say no more than whose side it is on: a nearer word goes before them. */
export const isGeneral = (type: UpstreamErrorType): boolean =>
  type === 'upstream_fault' || type === 'upstream_invalid_arguments' || type === 'upstream_program_failed'
