// English, which is the list of what has to be said: the other languages have its type.
import { campaigns } from './en/campaigns.ts'
import { mails } from './en/mails.ts'
import { people } from './en/people.ts'
import { rules } from './en/rules.ts'

export const en = { ...mails, ...rules, ...people, ...campaigns }

export type MailWords = typeof en
