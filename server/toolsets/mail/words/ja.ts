import { campaigns } from './ja/campaigns.ts'
import { mails } from './ja/mails.ts'
import { people } from './ja/people.ts'
import { rules } from './ja/rules.ts'
import type { MailWords } from './en.ts'

export const ja: MailWords = { ...mails, ...rules, ...people, ...campaigns }
