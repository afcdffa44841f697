import { campaigns } from './es/campaigns.ts'
import { mails } from './es/mails.ts'
import { people } from './es/people.ts'
import { rules } from './es/rules.ts'
import type { MailWords } from './en.ts'

export const es: MailWords = { ...mails, ...rules, ...people, ...campaigns }
