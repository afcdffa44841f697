// The tools of templates.
import type { Contract } from '../../../tools/contract.ts'
import type { MailDatabase } from '../schema.ts'
import { createTemplate } from './create.ts'
import { getTool, listTool } from './reads.ts'
import { updateTemplate } from './update.ts'

/** `templates.list`, `templates.get`, `templates.create`, `templates.update`. */
export const templateTools = (db: MailDatabase): readonly Contract[] => [
  listTool(db),
  getTool(db),
  createTemplate(db),
  updateTemplate(db),
]
