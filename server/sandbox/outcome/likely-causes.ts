// What in the text of a program is likely to cost much. Only hints: they are said where fuel has run short, and never alone.
import type { Program } from './facts.ts'
import { largestProgram } from './program-text.ts'

const importLine =
  /^[ \t]{0,40}(?:import|from)[ \t]{1,10}([\w.]{1,100}(?:[ \t]{0,10}(?:as[ \t]{1,10}\w{1,60})?,[ \t]{0,10}[\w.]{1,100}){0,20})/

/** Names of the modules that a Python program imports at the beginning of a line, each once; the package of a submodule. */
export function importedModules({ language, code }: Program): readonly string[] {
  if (language !== 'python' || code.length > largestProgram) return []
  const named = code.split('\n').flatMap((line) => {
    const found = importLine.exec(line.slice(0, 500))?.[1]
    return found === undefined ? [] : found.split(',').map((one) => one.trim().split(/[ .]/, 1)[0] ?? '')
  })
  return [...new Set(named)].filter((name) => name !== '')
}

const endless = /^[ \t]{0,200}(?:while[ \t]{0,10}\(?(?:True|1|true)\)?[ \t]{0,10}[:{]|for[ \t]{0,10}\(;[ \t]{0,10};)/
const loop = /^[ \t]{0,200}(?:async )?(?:for|while)\b/
const manyTimes =
  /(?:range\(|<=?)[ \t]{0,10}(?:\d{1,9},[ \t]{0,10})?(\d[\d_]{6,15}|10[ \t]{0,5}\*\*[ \t]{0,5}\d{1,3}|\de\d{1,3})/

/** Sentences on the loops of a program that may run long. */
export function heavyLoops({ code }: Program): readonly string[] {
  if (code.length > largestProgram) return []
  const said: string[] = []
  const open: number[] = []
  for (const [at, whole] of code.split('\n').entries()) {
    const line = whole.slice(0, 500)
    if (line.trim() === '') continue
    const indent = line.length - line.trimStart().length
    while (open.length > 0 && indent <= (open.at(-1) ?? 0)) open.pop()
    if (endless.test(line))
      said.push(`The loop on line ${at + 1} ends only by a break, a return or an error inside it.`)
    else if (manyTimes.test(line)) said.push(`Line ${at + 1} counts to a large number.`)
    if (!loop.test(line)) continue
    open.push(indent)
    if (open.length === 3) said.push(`Line ${at + 1} is a loop in a loop in a loop.`)
  }
  return said.slice(0, 3)
}
