// What a line does beside reading, each with its place in the text. Nothing of it decides whether a line is a read; it says
// what a person should look at, and what is worse than the rest.
import type { Command, Pipeline, Redirect, SyntaxNode, Word } from 'unbash'
import { onlyReads } from './commands.ts'
import type { ShellParser } from './parser.ts'
import { hostIn, saidOf, shortened, type Said } from './sentences.ts'
import { wordOf, type ShellWord } from './words.ts'

/** One thing that a line does beside reading. */
export interface Danger extends Said {
  /** Its place in the text, in UTF-16 units. */
  readonly from: number
  readonly to: number
}

interface Part {
  /** Without its quotes. */
  readonly text: string
  readonly source: string
  readonly word: ShellWord | undefined
}

const interpreter =
  /^(?:(?:ba|da|z|k|fi|c|tc|a)?sh|python[\d.]*|perl|ruby|node|deno|bun|php|lua|osascript|pwsh|powershell)$/
const shell = /^(?:ba|da|z|k|a)?sh$/
const downloads = /\b(?:curl|wget|fetch|aria2c)\b/

/** Programs that run the command behind their own options, and the options that take a word. */
const runners: Readonly<Record<string, RegExp>> = {
  sudo: /^-[ugpChDrtT]$/,
  doas: /^-[uC]$/,
  env: /^-[uCS]$/,
  nice: /^-n$/,
  nohup: /^$/,
  time: /^-[fo]$/,
  timeout: /^-[sk]$|^\d/,
  command: /^$/,
  builtin: /^$/,
  exec: /^-a$/,
  xargs: /^-[nPLIdaEsi]$/,
  watch: /^-n$/,
}

/** Commands within commands multiply: `find -exec find -exec …`, `sh -c "sh -c …"`. */
const mostCommands = 200

/** Everything that a script does beside reading. */
export function dangersIn(
  script: SyntaxNode,
  parser: ShellParser,
  commands = { left: mostCommands },
): readonly Danger[] {
  const found: Danger[] = []
  /** Commands that run what the ones before them write. */
  const fed = new Set<unknown>()
  /** Places in a script in escaped quotes are none of the text: all of it is one place. */
  let whole: { readonly pos: number; readonly end: number } | undefined
  const add = (at: { readonly pos: number; readonly end: number }, said: Said): void => {
    const { pos, end } = whole ?? at
    found.push({ ...said, from: pos, to: end })
  }

  function visit(node: SyntaxNode): void {
    if (node.type === 'Command') command(node)
    else if (node.type === 'Pipeline') pipeline(node)
    else if (node.type === 'Redirect') redirect(node)
    else if (node.type === 'Function')
      add(node, { sentence: `Gives the name ${shortened(node.name.text)} to commands of its own.` })
    else if (node.type === 'Assignment') add(node, { sentence: `Sets ${shortened(node.name)} for what it runs.` })
    const around = whole
    if (node.type === 'CommandExpansion' && node.script?.source !== undefined) whole ??= node
    parser.forEachChild(node, visit)
    whole = around
  }

  function command(node: Command): void {
    const words = [node.name, ...node.args].filter((each): each is Word => each?.type === 'Word')
    runs(
      node,
      words.map((word) => ({ text: word.value, source: word.text, word: wordOf(word, () => true) })),
    )
  }

  function runs(at: { readonly pos: number; readonly end: number }, [called, ...args]: readonly Part[]): void {
    if (called === undefined || commands.left === 0) return
    if (--commands.left === 0) add(at, { sentence: 'Holds more commands than are looked at here.', critical: true })
    if (called.word?.exact === undefined) {
      add(at, { sentence: `Runs whatever ${shortened(called.source)} stands for.` })
      return
    }
    const name = called.text.replace(/^.*\//s, '')
    const texts = args.map(({ text }) => text)
    if (name === 'sudo' || name === 'doas' || name === 'su' || name === 'pkexec')
      add(at, {
        sentence: `Runs as another user, root unless it says otherwise: ${shortened(texts.join(' '))}.`,
        critical: true,
      })
    const takes = Object.hasOwn(runners, name) ? runners[name] : undefined
    const inner = takes === undefined ? [] : behindOptions(args, takes)
    if (inner.length > 0) runs(at, inner)
    if (name === 'find') for (const each of executed(args)) runs(at, each)
    if (interpreter.test(name) || /^(?:eval|source|\.)$/.test(name)) {
      interprets(at, name, args)
      return
    }
    const isKnown = args.every(({ word }) => word !== undefined)
    if (
      isKnown &&
      onlyReads(
        called.text,
        args.flatMap(({ word }) => word ?? []),
      )
    )
      return
    if ((inner.length > 0 && name !== 'watch') || /^(?:sudo|doas|su|pkexec)$/.test(name)) return
    add(at, saidOf(name, texts))
  }

  function interprets(at: { readonly pos: number; readonly end: number }, name: string, args: readonly Part[]): void {
    const texts = args.map(({ source }) => source)
    if (texts.some((each) => /\$\(|<\(|`/.test(each) && downloads.test(each))) {
      add(at, { sentence: `Runs what it downloads from ${hostIn(texts) ?? 'another machine'}.`, critical: true })
      return
    }
    const given = args[args.findIndex(({ text }) => /^-[a-z]*c$/.test(text)) + 1]
    if (shell.test(name) && given?.word?.exact !== undefined && given !== args[0]) {
      const script = parser.parse(given.text)
      for (const each of dangersIn(script, parser, commands)) add(at, each)
      return
    }
    if (name === 'eval' || name === 'source' || name === '.')
      add(
        at,
        saidOf(
          name,
          args.map(({ text }) => text),
        ),
      )
    else if (args.length > 0)
      add(at, {
        sentence: `Runs a program in ${name}, which is not read here: ${shortened(args.map(({ text }) => text).join(' '))}.`,
      })
    else if (!fed.has(at)) add(at, { sentence: `Starts ${name}, which runs whatever it is given.` })
  }

  function pipeline({ pos, commands }: Pipeline): void {
    commands.forEach((each, at) => {
      if (at === 0 || each.type !== 'Command' || each.name === undefined) return
      const words = each.args.map((arg) => (arg.type === 'Word' ? arg.value : arg.text))
      const peeled = /^(?:sudo|doas|env|exec|nohup)$/.test(each.name.value)
        ? words.filter((word) => !/^-|=/.test(word))
        : [each.name.value, ...words]
      const [name = '', ...rest] = peeled
      if (
        !interpreter.test(name.replace(/^.*\//s, '')) ||
        rest.some((word) => /^[^-]/.test(word) || /^-[a-z]*[cem]$/.test(word))
      )
        return
      const before = commands.slice(0, at).map((from) => ('name' in from ? textOf(from) : ''))
      const host = before.some((text) => downloads.test(text)) ? (hostIn(before) ?? 'another machine') : undefined
      const [first] = before
      fed.add(each)
      add(
        { pos, end: each.end },
        {
          sentence:
            host === undefined
              ? `Runs what ${shortened(first ?? '') || 'the commands before it'} writes, as a program (${name}).`
              : `Runs what it downloads from ${host}.`,
          critical: true,
        },
      )
    })
  }

  function redirect({ operator, target, pos, end }: Redirect): void {
    const file = target?.value
    if (file === undefined || file === '/dev/null' || operator === '<' || /^[<>]&$/.test(operator)) return
    if (operator === '>>' || operator === '&>>')
      add({ pos, end }, { sentence: `Adds to the file ${shortened(file)}.`, adds: true })
    else add({ pos, end }, { sentence: `Overwrites the file ${shortened(file)}.`, critical: file.startsWith('/dev/') })
  }

  visit(script)
  return found
}

const textOf = (node: unknown): string => {
  const { name, suffix = [] } = node as {
    readonly name?: Word
    readonly suffix?: readonly { readonly text?: string }[]
  }
  return [name?.text ?? '', ...suffix.map(({ text = '' }) => text)].join(' ')
}

/** What stands behind a program's own options and settings (`A=b`). */
function behindOptions(args: readonly Part[], takes: RegExp): readonly Part[] {
  let at = 0
  for (; at < args.length; at++) {
    const { text = '' } = args[at] ?? {}
    if (takes.test(text)) at += text.startsWith('-') ? 1 : 0
    else if (!/^-|^\w+=/.test(text)) break
  }
  return args.slice(at)
}

/** The commands that `find` runs for what it finds, each up to its end. */
function executed(args: readonly Part[]): readonly (readonly Part[])[] {
  const found: (readonly Part[])[] = []
  for (let at = 0; at < args.length; at++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(args[at]?.text ?? '')) continue
    const end = args.findIndex(({ text }, place) => place > at && (text === ';' || text === '+'))
    found.push(args.slice(at + 1, end < 0 ? args.length : end))
    at = end < 0 ? args.length : end
  }
  return found
}
