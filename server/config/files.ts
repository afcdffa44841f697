// Files that people upload and agents hand on: where they lie, and how much of them there may be.
import { z } from 'zod'

export const filesSchema = z.strictObject({
  enabled: z.boolean().default(false).describe('Serves the tools for files, and takes uploads at /api/v1/files.'),
  folder: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Where contents lie: a folder (relative to this file), or s3://bucket/prefix. A folder beside the database when absent.',
    ),
  max_mb: z
    .int()
    .min(1)
    .max(256)
    .default(25)
    .describe('The largest file that is taken, in megabytes (1,000,000 bytes).'),
  max_link_days: z.int().min(1).max(366).default(30).describe('How far ahead a download link may expire.'),
  tenant_mb: z
    .int()
    .min(1)
    .optional()
    .describe(
      'The most that the files of one tenant may take together, with their versions, in megabytes (1,000,000 bytes). No limit when absent.',
    ),
  links: z
    .enum(['server', 's3'])
    .default('server')
    .describe(
      'Who serves download links: this server, or S3 by addresses that it signs itself, for seven days at most, which nobody can revoke, count or put on record.',
    ),
  downloads_per_minute: z
    .int()
    .min(1)
    .max(10_000)
    .default(60)
    .describe(
      'Requests of one address to one download link in a minute; to all of them it may make five times as many.',
    ),
})
