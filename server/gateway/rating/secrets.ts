// Reading a password changes nothing, and is no plain read all the same: who has it can act without us. What hands out a
// secret is found by its name (`get_secret_value`, `getKubeconfig`) or by what its description says that it answers.
import { baseForms, wordsOf } from './words.ts'
import type { Evidence } from './evidence.ts'

/** Verbs whose answer holds the thing itself; a list has the names of secrets, a check says whether there is one. */
const handing = new Set(
  'get read fetch retrieve return show view export download reveal decrypt generate obtain create assume access'.split(
    ' ',
  ),
)

/** What a name holds that is a secret, as words joined by blanks, and not what is only about one. */
const secrets =
  /(?:^| )(?:(?:secret|password|passphrase|credential)s?|kubeconfig|kube config|connection (?:string|uri|url)s?|dsn|(?:login|magic|reset) (?:link|url)s?|(?:private|signing|secret|encryption) keys?|(?:access|auth|authentication|authorization|bearer|refresh|session|api|oauth|login) tokens?|(?:totp|otp|recovery) codes?)(?! (?:scan\w*|alerts?|ids?|polic\w+|names?|counts?|types?|versions?|metadata|rotations?|status|stores?|engines?|managers?|lists?|exists?|expir\w+|settings?|info|reports?|usage|locations?|groups?|schemas?|history)(?: |$))(?= |$)/

const kinds = String.raw`(?:(?:signing|client|shared|webhook) secrets?|secret (?:values?|keys?)|passwords?|private keys?|(?:access|bearer|refresh) tokens?|connection (?:string|uri)s?|kubeconfig)`

/** "… including its signing secret", "as a kubeconfig YAML", "Returns the decrypted value". */
const told = [
  new RegExp(
    String.raw`\b(?:including|includes?|returns?|reveals?|shows?|gets?|retrieves?|fetch(?:es)?) (?:(?:its|the|their|your|a|an|all|current|full|plain|decrypted|raw|new) ){0,3}${kinds}\b`,
    'i',
  ),
  /\bas (?:a )?kubeconfig\b/i,
  /\b(?:items?|entry|entries|logins?) (?:from|in|of) (?:a|the|your) (?:\w+ )?vault\b/i,
  /\bdecrypted (?:values?|secrets?|contents?)\b|\b(?:secrets?|passwords?|values?) (?:in|as) plain ?text\b/i,
]

/** What a sentence says that takes the secret out again. */
const hidden = /\b(?:redact|mask|obfuscat|censor|encrypted|hash|without|never|not|except|exclud|omit|metadata)/i

/** In characters; what a description says further on is mostly advice. */
const readLength = 1000

/** Evidence of a tool that answers with a secret. `reads`: the verb with which its description reads. */
export function secretHandedOut(name: string, description: string, reads: string | undefined): Evidence | undefined {
  const words = wordsOf(name)
  const hands = words.some((word) => handing.has(word)) || baseForms(reads ?? '').some((verb) => handing.has(verb))
  const named = hands && secrets.exec(words.join(' ')) !== null
  const sentence = description
    .slice(0, readLength)
    .split(/(?<=[.!?;])\s/)
    .find((each) => !hidden.test(each) && told.some((pattern) => pattern.test(each)))
  if (!named && sentence === undefined) return undefined
  return {
    risk: 'high',
    operation: 'write',
    reason: `Its ${named ? 'name' : 'description'} says that it hands out a secret, so it is high.`,
  }
}
