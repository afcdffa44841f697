// The tools of campaigns, joined.
import type { Contract } from '../../../tools/contract.ts'
import type { MailSettings } from '../options.ts'
import type { MailDatabase } from '../schema.ts'
import { pauseCampaign, resumeCampaign, stopCampaign } from './halt.ts'
import { getCampaign, listCampaigns } from './reads.ts'

/** The tools around `emails.bulk_send`. */
export const campaignTools = (
  db: MailDatabase,
  settings: Pick<MailSettings, 'policy'>,
  now: () => number,
): readonly Contract[] => [
  listCampaigns(db, now),
  getCampaign(db, settings, now),
  pauseCampaign(db),
  resumeCampaign(settings)(db),
  stopCampaign(db),
]
