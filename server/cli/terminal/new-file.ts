// A file that a command writes for a person, who may have changed it since the last time.
import { writeFileSync } from 'node:fs'
import { trouble } from './output.ts'

/** Writes the file; answers the exit code where it is there already and `force` is not given, or where it cannot be written. */
export function writeNewFile(
  file: string,
  text: string,
  { force, mode }: { readonly force: boolean; readonly mode: number },
): number | undefined {
  try {
    // Whoever runs this twice must not lose what they wrote in between.
    writeFileSync(file, text, { flag: force ? 'w' : 'wx', mode })
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return trouble(
      code === 'EEXIST'
        ? { message: `${file} is there already.`, next: 'Name another file with --out, or replace it with --force.' }
        : { message: `${file} cannot be written (${code ?? String(error)}).`, next: 'Name another place with --out.' },
    )
  }
}
