// By which way mail leaves, as settings files and programs name it.

/** `smtp://host`, `smtps://user:password@host`, `ses://region`, `sendmail:`, `sendmail:///path/of/program`. */
export const mailUrl = /^(?:smtps?:\/\/[^/?#]|ses:\/\/[\w-]+(?:\?|$)|sendmail:(?:\/\/\/[^?#]+)?$)/i

/** What one that is not must be. */
export const mailUrlWords =
  'must be an address like "smtps://user:password@smtp.example.org", "ses://eu-central-1" or "sendmail:"'
