// The tools of segments.
import type { Contract } from '../../../tools/contract.ts'
import type { MailDatabase } from '../schema.ts'
import { createSegment } from './create.ts'
import { listTool, previewTool } from './reads.ts'

/** `segments.list`, `segments.preview`, `segments.create`. */
export const segmentTools = (db: MailDatabase): readonly Contract[] => [
  listTool(db),
  previewTool(db),
  createSegment(db),
]
