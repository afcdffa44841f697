// By which way mail leaves, as settings files and programs name it.

/** `smtp://host`, `smtps://user:password@host`, `ses://region`, `sendmail:`, `sendmail:///path/of/program`. */
export const mailUrl = /^(?:smtps?:\/\/[^/?#]|ses:\/\/[\w-]+(?:\?|$)|sendmail:(?:\/\/\/[^?#]+)?$)/i

/** Where mails that came back arrive: `imaps://user:password@host`, with a folder behind it that is not INBOX. */
export const mailboxUrl = /^imaps?:\/\/[^/?#@:]+:[^/?#@]+@[^/?#@]/i

/** What one that is not must be. */
export const mailUrlWords =
  'must be an address like "smtps://user:password@smtp.example.org", "ses://eu-central-1" or "sendmail:"'
export const mailboxUrlWords = 'must be an address like "imaps://user:password@imap.example.org/Bounces"'
