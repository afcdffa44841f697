// What drivers of browsers say: Playwright and Puppeteer in their errors, Chromium in its codes.
import { answerRules } from './answer-rule.ts'

const playwright = 'https://playwright.dev/docs/actionability'
const puppeteer = 'https://pptr.dev/api/puppeteer.timeouterror'

/** Rules about pages in a browser. */
export const browserRules = answerRules([
  {
    id: 'browser.many_elements',
    type: 'upstream_many_elements',
    words: ['strict'],
    pattern: /\bstrict mode violation\b/,
    matches: ["Error: strict mode violation: locator('button') resolved to 2 elements:"],
    from: ['playwright'],
  },
  {
    id: 'browser.no_element',
    type: 'upstream_no_element',
    words: ['ref', 'snapshot', 'elements', 'element', 'selector', 'node'],
    pattern:
      /(?:\bRef \w{1,20} not found\b|\bdoes not match any elements\b|\b[Nn]o element(?:s)? (?:was |were )?found\b|\bElement not found\b|\b[Nn]o node found for selector\b|\bFailed to find element matching selector\b|\bNo such element\b)/i,
    matches: [
      'Error: Ref e99 not found in the current page snapshot. Try capturing new snapshot.',
      'Error: "#none" does not match any elements.',
      'Failed to find element matching selector "#none"',
    ],
    from: ['playwright', puppeteer],
  },
  {
    id: 'browser.not_loaded',
    type: 'upstream_page_not_loaded',
    words: [
      'err_aborted',
      'err_unsafe_port',
      'err_connection_refused',
      'err_failed',
      'err_empty_response',
      'err_http2_protocol_error',
      'err_too_many_redirects',
      'err_address_unreachable',
      'protocol',
      'err_invalid_url',
      'invalid',
    ],
    pattern:
      /(?:\bnet::ERR_(?!NAME_NOT|CERT_|TIMED)[A-Z\d_]{2,40}|\bAccess to "[a-z]{1,20}:" protocol is blocked|\bCannot navigate to invalid URL\b)/,
    matches: [
      'Error: browserBackend.callTool: net::ERR_UNSAFE_PORT at http://127.0.0.1:9/',
      'Error: Access to "file:" protocol is blocked. Attempted URL: "file:///etc/passwd"',
    ],
    others: ['net::ERR_NAME_NOT_RESOLVED at http://no.such.host.invalid/'],
    from: ['playwright'],
  },
  {
    id: 'browser.waited',
    type: 'upstream_page_waited',
    words: ['waiting', 'selector', 'navigation', 'locator'],
    pattern:
      /(?:\bTimeout \d{1,9}ms exceeded\b[\s\S]{0,400}\bwaiting for\b|\b[Ww]aiting for (?:selector|locator|element)\b[^\n]{0,200}\b(?:failed|timeout|exceeded)|\bNavigation timeout of \d{1,9} ms exceeded)/,
    matches: [
      "TimeoutError: Timeout 1500ms exceeded.\nCall log:\n  - waiting for locator('#i')",
      'Waiting for selector `#none` failed: Waiting failed: 30000ms exceeded',
    ],
    from: ['playwright', playwright, puppeteer],
  },
  {
    id: 'browser.key',
    type: 'upstream_invalid_arguments',
    words: ['key', 'selector'],
    pattern: /\b(?:Unknown key: "|while parsing css selector|is not a valid selector)/,
    matches: [
      'Error: Unknown key: "NoSuchKey"',
      'Error: Unexpected token "" while parsing css selector "". Did you mean to CSS.escape it?',
    ],
    from: ['playwright'],
  },
])

/** Errors of a script or a program that the call brought. */
export const programRules = answerRules([
  {
    id: 'program.script',
    type: 'upstream_script_failed',
    words: ['referenceerror', 'syntaxerror', 'typeerror', 'traceback', 'eval'],
    pattern:
      /(?:^|\n|: )(?:(?:Uncaught )?(?:Reference|Syntax|Type)Error: [^\n]{1,200}\n {1,8}at (?:eval|<anonymous>|UtilityScript)|Traceback \(most recent call last\):)/,
    matches: [
      '### Error\nReferenceError: nope is not defined\n    at eval (eval at <anonymous> (eval at evaluate (:368:30)), <anonymous>:1:13)',
    ],
    from: ['playwright'],
  },
  {
    id: 'program.failed',
    type: 'upstream_program_failed',
    words: ['exit', 'exited', 'command', 'status'],
    pattern:
      /\b(?:[Ee]xit(?:ed with)? (?:code|status):? (?:code )?[1-9]\d{0,4}\b|Command failed(?: with exit code \d{1,5})?:|returned non-zero exit status [1-9]|command terminated with exit code [1-9])/,
    matches: ['Error: Command failed: git nosuch', 'Exit code: 1'],
    others: ['Exit code: 0'],
    from: [
      'https://nodejs.org/api/child_process.html#child_processexeccommand-options-callback',
      'https://docs.python.org/3/library/subprocess.html#subprocess.CalledProcessError',
    ],
  },
])
