// What each program here is told on its command line, and how it answers: one line of JSON, the last that it prints.

/**
 * @typedef {object} Job
 * @property {{ command: string, args: string[], env: Record<string, string> } | undefined} child The server's command line
 * @property {string | undefined} url or its address
 * @property {string} model Address of the model's API
 * @property {readonly string[]} said What the person says, turn by turn
 * @property {string} resource A resource to read
 */

/** @type {Job} */
export const job = JSON.parse(process.argv[2] ?? '{}')

/**
 * Prints what was found and ends the program, also where a client keeps a timer or a connection.
 * @param {{ tools: string[], resource: string, instructions?: string, replies: string[] }} found
 */
export function answer(found) {
  process.stdout.write(`\n${JSON.stringify(found)}\n`, () => process.exit(0))
}
