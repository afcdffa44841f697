// The same failure forty times is no longer the agents' mistake. For each that the server itself gives out stands here
// what an operator can do about it when it is frequent; what a tool declares, its contract says.

/** What an operator can do, by the type of error that the server gives. */
const advice: Readonly<Record<string, string>> = {
  unknown_tool:
    'Agents ask for tools that are not there. See which in Activity, and rename, describe or add what they look for.',
  validation_error:
    'Agents guess this tool’s fields. Say in its description what it takes, with an example, or give it a cheatsheet.',
  unstable_contract: 'The tool’s input schema changes what it parses. Its author must mend it; no agent can.',
  permission_denied: 'These callers lack a permission. Give it to their token, or keep the tool out of their sight.',
  confirmation_refused:
    'Confirmations come too late or twice. Look whether people get to the card in time, and whether agents preview again for no reason.',
  frozen: 'Changes were stopped while agents went on trying. If it is over, lift the freeze.',
  confirmation_mismatch:
    'Agents change arguments between preview and apply. Shorter arguments, or `apply: reference`, help.',
  plan_stale: 'What these calls read changes before people confirm. Confirm sooner, or look who else changes it.',
  proof_missing: 'Their host shows no cards, so nobody can confirm. Let them use one that does, or a grant.',
  outcome_unknown:
    'Runs broke off without saying how they ended. Look at the tool’s own system before anything is repeated.',
  tool_error: 'The tool breaks in ways that it does not declare. The server’s log has each incident.',
  bad_output: 'The tool answers what its contract does not allow. Its author must mend it.',
  internal_error: 'The server met faults of its own. Its log has each incident; please report it.',
  store_unavailable: 'The database could not be reached. Look at its load, its disk and its connections.',
  too_many_calls: 'These callers call too often. Raise their limit if the work needs it, or look what they repeat.',
  intent_required: 'Agents leave out the intent at the gateway. Say in their instructions that each call names it.',
  intent_invalid: 'Agents write the intent wrongly at the gateway. Show them one call that is right.',
  intent_mismatch:
    'Agents declare another intent than the door they use. Look whether the tool’s rating misleads them.',
  annotation_mismatch:
    'The tool’s own annotations say otherwise than the agent. Review them: `countersign tools review`.',
}

/** What an operator can do about a failure of this type, where the server itself gives it out. */
export const adviceFor = (code: string): string | undefined => advice[code]
