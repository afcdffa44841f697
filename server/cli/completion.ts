// `countersign completion`: what a shell needs to complete command lines, and what answers it then.
import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'

/** Adds the commands; those that are to be completed are there by now. */
export function addCompletion(program: Command): void {
  tab(program, { completionCommandName: 'completion' })
}
