import { campaigns } from './fr/campaigns.ts'
import { mails } from './fr/mails.ts'
import { people } from './fr/people.ts'
import { rules } from './fr/rules.ts'
import type { MailWords } from './en.ts'

export const fr: MailWords = { ...mails, ...rules, ...people, ...campaigns }
