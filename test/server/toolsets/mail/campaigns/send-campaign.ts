// A process that sends what is due of campaigns, and then ends. Its test kills it meanwhile.
import { openAlone } from '../open-alone.ts'

const { store, set } = await openAlone()
await set.campaigns.work()
await set.close()
await store.close()
