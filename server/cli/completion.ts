// `countersign completion`: what a shell needs to complete command lines, and `complete`, which answers it then. The scripts are our
// own: those of the package hand the line to `eval`, so that pressing Tab would run a `$(…)` that stands on it.
import tab from '@bomb.sh/tab/commander'
import { Argument, type Command } from 'commander'
import type { Done } from './config-options.ts'
import { exit, write } from './terminal/output.ts'

/** Where nothing is offered, the shell offers files. Answers come as "word<tab>description", and one line of `:` that is not meant. */
const scripts = {
  bash: String.raw`_countersign() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    [[ $line == :* ]] || COMPREPLY+=("\${line%%$'\t'*}")
  done < <(countersign complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _countersign countersign
`,
  zsh: String.raw`_countersign() {
  local line
  local -a offered
  while IFS= read -r line; do
    [[ $line == :* ]] || offered+=("\${\${line%%$'\t'*}//:/\\:}:\${line#*$'\t'}")
  done < <(countersign complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#offered )); then _describe countersign offered; else _files; fi
}
compdef _countersign countersign
`,
  fish: String.raw`function __countersign_complete
  countersign complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null | string match -rv '^:'
end
complete -c countersign -a '(__countersign_complete)'
`,
} as const

/** Adds both commands; those that are to be completed are there by now. `done` takes the exit code. */
export function addCompletion(program: Command, done: Done): void {
  program
    .command('completion')
    .description('prints what a shell needs to complete command lines')
    .addArgument(new Argument('<shell>', 'which one').choices(Object.keys(scripts)))
    .action((shell: keyof typeof scripts) => done(write(script(shell)).then(() => exit.ok)))
  const itsOwn = 'completions'
  const root = tab(program, { completionCommandName: itsOwn })
  root.commands.delete(itsOwn)
  const answered = program.commands.find((command) => command.name() === 'complete')
  // What comes after `--` belongs to another program.
  answered?.action((words: readonly string[]) => {
    if (!words.slice(0, -1).includes('--')) root.parse([...words])
  })
}

/** The braces of a shell are written as `\${` above, since a template would take them for its own. */
const script = (shell: keyof typeof scripts): string => scripts[shell].replaceAll('\\${', '${')
