import { campaigns } from './de/campaigns.ts'
import { mails } from './de/mails.ts'
import { people } from './de/people.ts'
import { rules } from './de/rules.ts'
import type { MailWords } from './en.ts'

export const de: MailWords = { ...mails, ...rules, ...people, ...campaigns }
