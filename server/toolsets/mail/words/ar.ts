import { campaigns } from './ar/campaigns.ts'
import { mails } from './ar/mails.ts'
import { people } from './ar/people.ts'
import { rules } from './ar/rules.ts'
import type { MailWords } from './en.ts'

export const ar: MailWords = { ...mails, ...rules, ...people, ...campaigns }
