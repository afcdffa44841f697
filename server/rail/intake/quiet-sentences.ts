// A sentence of a schema's own may repeat any of the arguments, those of other fields too. What is said of wrong arguments is
// read, forwarded and logged where the call itself is not: where a call has a secret, no such sentence is handed on.
import { isDeepStrictEqual } from 'node:util'
import type { WrongArgument } from '../../errors/wrong-argument.ts'
import { redact } from '../../policy/redact.ts'
import type { Tool } from '../../tools/catalog.ts'

export function quietSentences(
  { contract }: Tool,
  args: unknown,
  fields: readonly WrongArgument[],
): readonly WrongArgument[] {
  const { arguments: marked = [] } = contract.secrets ?? {}
  const mayRepeat = (): boolean => marked.length > 0 || !isDeepStrictEqual(redact(args, marked), args)
  if (!fields.some(isSentence) || !mayRepeat()) return fields
  return fields.map((field) =>
    isSentence(field) ? { ...field, allowed: 'what the schema of the tool takes', remedy: undefined } : field,
  )
}

const isSentence = ({ remedy }: WrongArgument): boolean => remedy?.kind === 'as-said'
