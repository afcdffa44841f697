import { campaigns } from './pt/campaigns.ts'
import { mails } from './pt/mails.ts'
import { people } from './pt/people.ts'
import { rules } from './pt/rules.ts'
import type { MailWords } from './en.ts'

export const pt: MailWords = { ...mails, ...rules, ...people, ...campaigns }
