// Optional packages are installed where tests run. What is said where one is missing is found out in a process of its own:
// Node remembers a module that could not be loaded.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'

const program = (scope: string, module: string, call: string): string => `
  import { registerHooks } from 'node:module'
  registerHooks({
    resolve(name, context, next) {
      if (!name.startsWith(${JSON.stringify(scope)})) return next(name, context)
      throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
    },
  })
  const loaded = await import(${JSON.stringify(module)})
  const { message, next } = await loaded.${call}.catch((error) => error)
  console.log(JSON.stringify({ message, next }))
`

const refusal = z.object({ message: z.string(), next: z.string() })

/** How a call of this module is refused where no package of this scope is installed. */
export async function refusedWithout(
  scope: `@${string}/`,
  module: URL,
  call: string,
): Promise<z.infer<typeof refusal>> {
  const args = ['--input-type=module', '--eval', program(scope, module.href, call)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return refusal.parse(JSON.parse(stdout))
}
