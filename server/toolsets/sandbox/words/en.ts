// English, which is the list of what has to be said: the other languages have its type.

const kinds = {
  png: 'PNG picture',
  jpeg: 'JPEG picture',
  gif: 'GIF picture',
  pdf: 'PDF document',
  zip: 'ZIP archive (as .xlsx and .docx do)',
  gzip: 'gzip archive',
  sqlite: 'SQLite database',
  wasm: 'WebAssembly program',
  linuxProgram: 'Linux program (ELF)',
  windowsProgram: 'Windows program',
}

/** What a file that is no text begins like. */
export type ContentKind = keyof typeof kinds

export const en = {
  bytes: (number: number): string => `${number} bytes`,

  run: {
    title: (language: string) => `Run a ${language} program`,
    summary: ({ lines, language, session }: { lines: number; language: string; session: string | undefined }) =>
      `Runs ${lines} lines of ${language}${session === undefined ? '' : ` in session ${session}`}.`,
    program: 'Program',
    confirm: 'Run program',
    session: (id: string) => `session ${id}`,
    endings: {
      finished: 'The program ran to its end',
      error: 'The program ran, and failed',
      out_of_fuel: 'The program used up its budget',
      out_of_memory: 'The program used up its memory',
      timeout: 'The program took too long',
      output_limit: 'The program printed too much',
      crashed: 'The runtime broke off',
    },
    exitCode: (ending: string, code: number) => `${ending}: exit code ${code}`,
    /** What the agent is told, which is in English: on a card in another language it is a quotation. */
    advice: (message: string, cause: string) => ({ title: message, text: cause }),
    change: 'Change',
    output: 'Output',
    errors: 'Errors',
    files: 'Files of the workspace',
    file: 'File',
    changed: 'Change',
    bytes: 'Bytes',
    changes: { created: 'created', modified: 'modified', deleted: 'deleted' },
    fuel: 'Fuel',
    fuelOf: (call: number) => `Fuel of call ${call}`,
    fuelOfThis: (call: number) => `Fuel of call ${call}, this one`,
    /** `advice`: for the agent, in English. */
    used: ({ fuel, percent, advice }: { fuel: string; percent: number; advice?: string }) =>
      `${fuel}: ${percent} % of its budget.${advice === undefined ? '' : ` ${advice}`}`,
  },

  session: {
    begin: 'Begin a session',
    beginSummary: (language: string) => `Begins a session of ${language}.`,
    beginConfirm: 'Begin session',
    begun: 'Session begun',
    end: (id: string) => `End session ${id}`,
    endSummary: (id: string) => `Ends session ${id} with its variables and files.`,
    endConfirm: 'End session',
    ended: 'Session ended',
  },

  reset: {
    title: (files: number) => `Delete ${files} ${files === 1 ? 'file' : 'files'}`,
    summary: (files: number, session: string) => `Deletes the ${files} files of session ${session}.`,
    confirm: 'Delete files',
    done: (files: number) => `Files deleted: ${files}`,
  },

  export: {
    write: (path: string) => `Write ${path}`,
    replace: (path: string) => `Replace ${path}`,
    from: (bytes: string, session: string) => `${bytes} · from session ${session}`,
    writeSummary: ({ file, bytes, session }: { file: string; bytes: string; session: string }) =>
      `Writes ${file} with ${bytes} from session ${session}.`,
    replaceSummary: ({ file, bytes, session }: { file: string; bytes: string; session: string }) =>
      `Replaces ${file} with ${bytes} from session ${session}.`,
    file: 'File',
    writes: 'A new file stands in the folder for exports',
    replaces: 'The file that stands there now is replaced as a whole',
    writeConfirm: 'Write file',
    replaceConfirm: 'Replace file',
    written: 'File written',
    replaced: 'File replaced',
    content: 'Content',
    newContent: 'New content',
    before: 'Stands there now',
    change: 'Change',
    same: 'The same text stands there already.',
    differs: 'The texts differ in too many lines to be compared.',
    /** Of a content that is no text. */
    binary: (kind: ContentKind | undefined): string =>
      kind === undefined ? 'Not text' : `Not text; begins like a ${kinds[kind]}`,
    size: 'Size',
    firstBytes: (label: string) => `${label}: first bytes`,
  },
}

export type SandboxWords = typeof en
