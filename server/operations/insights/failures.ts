// Advice for operators on failures that come up often: the same failure forty times is no longer the agents' mistake.
// For errors that the server itself gives out it stands here; for those that a tool declares, in the tool's contract.

const advice: Readonly<Record<string, string>> = {
  unknown_tool:
    'Agents ask for tools that are not there. See which in Activity, and rename, describe or add what they look for.',
  validation_error:
    'Agents guess this tool’s fields. Say in its description what it takes, with an example, or give it a cheatsheet.',
  unstable_contract:
    'Parsing this tool’s arguments a second time changes them. Its author must fix the input schema; no agent can.',
  permission_denied: 'These callers lack a permission. Give it to their token, or do not offer them the tool.',
  confirmation_refused:
    'Confirmations come too late or twice. Check whether people see the card in time (`policy.plan_ttl_minutes` says for how long it can be confirmed), and whether agents preview again for no reason.',
  frozen: 'Agents went on trying while changes were frozen. If the reason is over, lift the freeze.',
  confirmation_mismatch:
    'Agents change arguments between preview and apply. Have the tool take shorter ones, or set `policy.apply: "reference"`, so that the message to repeat names the plan instead of them.',
  plan_stale: 'What these calls read changes before people confirm. Confirm sooner, or find out who else changes it.',
  proof_missing: 'The host shows no cards, so nobody can confirm. Use a host that does, or give a grant.',
  outcome_unknown:
    'Runs broke off without saying how they ended. Look at the tool’s own system before anything is repeated.',
  tool_error: 'The tool fails in ways that it does not declare. The server’s log has each incident.',
  bad_output: 'The tool answers something that its contract does not allow. Its author must fix it.',
  internal_error: 'The server failed by its own fault. Its log has each incident; please report it.',
  store_unavailable: 'The database could not be reached. Check its load, its disk and its connections.',
  too_many_calls:
    'These callers call too often. Find out what they repeat, or raise `limits.calls_per_minute` or `limits.writes_per_minute` if the work needs it.',
  intent_required: 'Agents leave out the intent at the gateway. Say in their instructions that each call declares it.',
  intent_invalid: 'Agents write the intent wrongly at the gateway. Show them one correct call.',
  intent_mismatch:
    'Agents declare an operation that is not that of the call tool they use. Check whether the tool’s rating misleads them.',
  upstream_login_required:
    'A server behind asks for a login. `countersign doctor` names it, and `countersign login` logs in there.',
  annotation_mismatch:
    'The tool’s own annotations contradict what agents declare. Review them: `countersign tools review`.',
}

/** What an operator can do about a failure of this type, where the server itself gives it out. */
export const adviceFor = (code: string): string | undefined => advice[code]
