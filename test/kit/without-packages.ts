// Optional packages are installed where tests run, and missing where they are not wanted.
import { registerHooks } from 'node:module'
import { onTestFinished } from 'vitest'

/** Until the test ends, no package of this scope is found. */
export function withoutPackages(scope: `@${string}/`): void {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (!specifier.includes(scope)) return next(specifier, context)
      throw Object.assign(new Error(`Cannot find package '${specifier}'`), { code: 'ERR_MODULE_NOT_FOUND' })
    },
  })
  onTestFinished(() => hooks.deregister())
}
