// Optional packages are installed where tests run. What is said where one is missing is found out in a process of its own:
// Node remembers a module that could not be loaded.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'

/** Node names the package, and not what is asked of it. */
const program = (beginning: string, text: string): string => `
  import { registerHooks } from 'node:module'
  const ownName = (name) => name.split('/').slice(0, name.startsWith('@') ? 2 : 1).join('/')
  registerHooks({
    resolve(name, context, next) {
      if (!name.startsWith(${JSON.stringify(beginning)})) return next(name, context)
      throw Object.assign(new Error(\`Cannot find package '\${ownName(name)}' imported from \${context.parentURL}\`), { code: 'ERR_MODULE_NOT_FOUND' })
    },
  })
  ${text}
`

/** What a program prints, as JSON, where no package is installed whose name begins so. */
export const printedWithout = (beginning: string, text: string): Promise<unknown> => printed(program(beginning, text))

/** What a program prints, as JSON. */
export async function printed(text: string): Promise<unknown> {
  const args = ['--no-warnings', '--input-type=module', '--eval', text]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout)
}

const refusal = z.object({ message: z.string(), next: z.string() })

/** How a call of this module is refused where no package of this scope is installed. */
export async function refusedWithout(
  scope: `@${string}/`,
  module: URL,
  call: string,
): Promise<z.infer<typeof refusal>> {
  const text = `
    const loaded = await import(${JSON.stringify(module.href)})
    const { message, next } = await loaded.${call}.catch((error) => error)
    console.log(JSON.stringify({ message, next }))`
  return refusal.parse(await printedWithout(scope, text))
}
