// A request of a run, checked against the limits.
import { fail, ok } from '../errors/result.ts'
import type { Result } from '../errors/result.ts'
import type { RunRequest, SandboxLimits, SandboxRefusal, WorkspaceFile } from './sandbox.ts'
import type { CheckedRun } from './sessions/session.ts'
import type { GivenFile } from './workspace/file-tree.ts'
import { workspaceParts, wrongPath } from './workspace/paths.ts'

const invalid = (message: string): Result<never, SandboxRefusal> => fail({ code: 'invalid_request', message })

/** The run that is asked for, with what is not said filled in. */
export function checkRun(request: RunRequest, limits: SandboxLimits): Result<CheckedRun, SandboxRefusal> {
  const { budget = limits.budget, timeoutMs = limits.timeoutMs } = request
  if (!isWithin(budget, limits.largestBudget))
    return invalid(`\`budget\` is ${budget}; it is a whole number from 1 to ${limits.largestBudget}.`)
  if (!isWithin(timeoutMs, limits.largestTimeoutMs))
    return invalid(`\`timeout_ms\` is ${timeoutMs}; it is a whole number from 1 to ${limits.largestTimeoutMs}.`)
  const size = Buffer.byteLength(request.code)
  if (size > limits.codeBytes)
    return invalid(`\`code\` has ${size} bytes; at most ${limits.codeBytes}. Hand in data by \`files\`.`)
  const files: GivenFile[] = []
  for (const file of request.files ?? []) {
    const checked = givenFile(file)
    if (!checked.ok) return checked
    files.push(checked.value)
  }
  // A lone surrogate has no UTF-8: it becomes U+FFFD, as it would on its way into a file.
  return ok({ code: request.code.toWellFormed(), budget, timeoutMs, files, signal: request.signal })
}

const isWithin = (value: number, largest: number): boolean =>
  Number.isSafeInteger(value) && value >= 1 && value <= largest

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

function givenFile({ path, content, encoding = 'text' }: WorkspaceFile): Result<GivenFile, SandboxRefusal> {
  const shown = JSON.stringify(path.slice(0, 300))
  const parts = workspaceParts(path)
  if (parts === undefined || parts.length === 0) return fail({ code: 'invalid_path', message: wrongPath(path) })
  if (encoding === 'base64' && (content.length % 4 !== 0 || !base64.test(content)))
    return invalid(`The content of ${shown} is not base64, which its \`encoding\` says. Encode it, or say "text".`)
  const bytes = encoding === 'base64' ? Buffer.from(content, 'base64') : Buffer.from(content)
  return ok({ path: parts.join('/'), bytes: new Uint8Array(bytes) })
}
