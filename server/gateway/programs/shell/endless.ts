// Reads that never end, or not in the time that anybody waits: they change nothing, and whoever calls them is left waiting.
import { bare, type Called } from './called.ts'
import { jqProgram } from './secret-variables.ts'
import type { ShellWord } from './words.ts'

interface Input {
  /** How many words that are no options are no files either. */
  readonly before: number
  /** Options that take the next word. */
  readonly valued?: RegExp
  /** Options with which it needs no input. */
  readonly without?: RegExp
}

const plain: Input = { before: 0 }
const searching: Input = {
  before: 1,
  valued: /^-[a-zA-Z]*[ABCmefdgtT]$/,
  without: /^-[a-zA-Z]*[rR]|^--(?:recursive|dereference-recursive|files)$/,
}

/** Commands that wait for input where they are given no file. */
const waiting: ReadonlyMap<string, Input> = new Map<string, Input>([
  ...'cat tac rev expand unexpand cksum md5sum sha1sum sha256sum sha512sum wc xargs'
    .split(' ')
    .map((name) => [name, plain] as const),
  ...['head', 'tail'].map((name) => [name, { before: 0, valued: /^-[nc]$/ }] as const),
  ...['grep', 'egrep', 'fgrep', 'rg'].map((name) => [name, searching] as const),
  ['tr', { before: Infinity }],
  ['cut', { before: 0, valued: /^-[bcdf]$/ }],
  ['paste', { before: 0, valued: /^-d$/ }],
  ['sort', { before: 0, valued: /^-[a-zA-Z]*[kt]$/ }],
  ['uniq', { before: 0, valued: /^-[fsw]$/ }],
  ['nl', { before: 0, valued: /^-[bdfhilnsvw]$/ }],
  ['od', { before: 0, valued: /^-[AjNtw]$/ }],
  ['hexdump', { before: 0, valued: /^-[efns]$/ }],
  ['strings', { before: 0, valued: /^-[ents]$/ }],
  ['fold', { before: 0, valued: /^-w$/ }],
  ['fmt', { before: 0, valued: /^-w$/ }],
  ['base64', { before: 0, valued: /^-w$/ }],
  ['sed', { before: 1 }],
  ['awk', { before: 1, valued: /^-F$/, without: /^BEGIN\s*\{[^}]*\}\s*$/ }],
  ['column', { before: 0, valued: /^-[cEHlNOoRsTW]$/ }],
  // They need more than one file, so only one that is their input keeps them waiting.
  ...['diff', 'cmp', 'comm', 'join'].map((name) => [name, { before: -1 }] as const),
  ['jq', { before: 1, without: /^(?:-[a-zA-Z]*n|--null-input)/ }],
])

/** Why a command never ends by itself, or takes very long; nothing where it ends. */
export function endlessOf(called: Called): string | undefined {
  const name = bare(called.name)
  const args =
    name === 'xargs' ? called.args.slice(called.args.findIndex((each) => each.exact === 'tail')) : called.args
  if (args.some(({ exact }) => /^--(?:help|version)$/.test(exact ?? ''))) return undefined
  if ((name === 'tail' || args[0]?.exact === 'tail') && args.some(({ exact }) => follows.test(exact ?? '')))
    return `Follows ${shown(args.findLast(({ operand }) => operand))} and never ends.`
  if (isEverywhere(name, called)) return 'Looks through everything on this machine, which may take very long.'
  if (name === 'seq' && args.some(({ exact }) => /^[-+]?(?:inf|0x|.*e\+?\d|\d{8})/i.test(exact ?? '')))
    return 'Counts on and on (seq), which may take very long.'
  if (name === 'jq' && goesOn.test(jqProgram(args)?.exact ?? ''))
    return 'Runs a program of jq that may go on and on, which may take very long.'
  if (name === 'free' && has(args, /^-[a-z]*s|^--sec/) && !has(args, /^-[a-z]*c|^--count/))
    return 'Shows memory again and again, and never ends.'
  const [seconds] = name === 'sleep' ? args.map(({ exact }) => Number.parseFloat(exact ?? '')) : []
  if (seconds !== undefined && seconds > longestSleep) return `Waits for ${seconds} seconds.`
  return waits(name, called) ? `Waits for input that nobody gives it (${name}).` : undefined
}

/** In seconds: as long as people wait for something to happen. */
const longestSleep = 60

/** What loops in a program of jq, and no field of that name. */
const goesOn = /(?<![.\w"$])(?:repeat|while|until|infinite)\b/

const has = (args: readonly ShellWord[], option: RegExp): boolean => args.some(({ exact }) => option.test(exact ?? ''))

const follows = /^-(?!-)[a-zA-Z\d]*[fF]|^--(?:f|r)/

const shown = (word: ShellWord | undefined): string => word?.pattern.slice(0, 100) ?? 'a file'

function waits(name: string, { args, fed, inputs }: Called): boolean {
  if (fed || inputs.length > 0) return false
  if (has(args, /^--files0-from=-$/)) return true
  const input = waiting.get(name)
  if (input === undefined || (input.without !== undefined && has(args, input.without))) return false
  let operands = 0
  let isGiven = false
  for (let at = 0; at < args.length; at++) {
    const { exact, pattern } = args[at] as ShellWord
    if (/^(?:-|\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/.test(exact ?? '')) return true
    if (input.valued?.test(exact ?? '')) {
      // What is looked for stands behind `-e`, and every other word is a file.
      if (input === searching && /[ef]$/.test(exact ?? '')) isGiven = true
      at++
    } else if (!pattern.startsWith('-')) operands++
  }
  return operands <= (isGiven ? 0 : input.before)
}

/** Whether it goes through all folders, from the first one on. */
function isEverywhere(name: string, { args, folders }: Called): boolean {
  const isSearch = /^(?:[ef]?grep|rg)$/.test(name)
  const isDeep =
    (/^(?:find|tree|du|rg)$/.test(name) && !has(args, /^-(?:maxdepth|L)$|^--max-depth/)) ||
    (isSearch && has(args, searching.without as RegExp)) ||
    (name === 'ls' && has(args, /^-[a-zA-Z]*R|^--recursive$/))
  if (!isDeep) return false
  if (args.some(({ pattern }) => /^\/[./]*\*?$/.test(pattern))) return true
  // What stands behind the first test of `find` is no folder, and the first word of a search is what it looks for.
  const firstTest = name === 'find' ? args.findIndex(({ pattern }) => /^[-(!]/.test(pattern)) : -1
  const words = args.slice(0, firstTest < 0 ? undefined : firstTest).filter(({ pattern }) => !pattern.startsWith('-'))
  return folders.includes('/') && words.slice(isSearch ? 1 : 0).every(({ pattern }) => /^(?:\.\/?|\*)$/.test(pattern))
}
