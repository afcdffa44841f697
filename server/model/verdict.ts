// What the gate says of a call, and by which of its rules. Each rule has words for people in `ui/admin/activity/rules.ts`,
// which does not compile where one has none.

/** Rules by which a call goes ahead; `bundle`: as a step of a bundle that was confirmed as a whole. */
export type AllowRule =
  | 'read'
  | 'approved'
  | 'grant'
  | 'host-confirms'
  | 'low-risk'
  | 'autonomous'
  | 'auto-approve-high'
  | 'proof'
  | 'bundle'

/** Rules by which a call is answered with a preview. */
export type PreviewRule = 'asked' | 'step-up' | 'granted' | 'people' | 'default' | 'dry-run-required' | 'no-ticket'

/** Rules by which a call is sent to a person outside the chat. */
export type ApproveRule = 'step-up' | 'people' | 'no-card' | 'proof-missing'

/** Rules by which a call is turned away. */
export type DenyRule = 'forbidden' | 'frozen'
