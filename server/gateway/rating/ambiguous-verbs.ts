// A name without a verb is that of a thing, and its description may say that it is read. Most words that act are nouns or
// weak verbs as well; what is missing here lets a name with it count as a thing's, so that one word too many costs little.

const words =
  'abort accelerate acquire adapt adjust align amend annotate answer approximate ask assert assume attempt audit backfill ' +
  'backup bind block blur boost branch bring bulk bump call capture cast catch certify checkpoint cherry choose chunk ' +
  'claim clean cleanup click coerce collapse collect combine commit compact compile compose compress conclude connect ' +
  'consolidate construct consult contact continue control convert coordinate correct craft crawl cut cycle deactivate ' +
  'debug decide decode decompress decrement decrypt defer define delegate demonstrate deny deprecate dequeue derive ' +
  'detach determine dial disconnect disable distribute divide do document drag draw dump echo embed emulate encode ' +
  'encrypt end enforce engage enqueue enrich enroll ensure enter escalate establish exchange exclude exit expand expire ' +
  'extend factory fail fill filter fire fix flag flip focus fold format fulfil fulfill generate give go guard hide hire ' +
  'hold identify ignore implement impose include increase increment index indicate infer inform ingest inherit init ' +
  'initialize initiate inject input intercept introduce isolate issue join keep label learn leave like limit link load ' +
  'log login logout loop make maintain manage manipulate map mask maximize measure mint minimize mirror mix mount mute ' +
  'navigate negotiate nominate normalize obtain offer open operate optimise optimize orchestrate organise organize ' +
  'override own pack park partition pass paste perform persist pick pin ping pipe place plan play poll pop populate ' +
  'prepare prefetch press prime print prioritize produce program prolong prompt propagate propose provide prune pull ' +
  'qualify quarantine queue raise rank rate react rearrange rebase rebuild recalculate receive recommend reconcile ' +
  'reconnect record recover recreate recycle redact redeem redeploy redirect redo reduce refer reference refine reflect ' +
  'reformat refresh regenerate reindex reinstall reject relate release reload remind render renew reopen repair repeat ' +
  'reposition repost request require reroute rerun reschedule resend resolve resubmit retire retrain retry return reuse ' +
  'review revise reword rewind roll route sample sanitize satisfy scaffold score seal select serialize serve settle setup ' +
  'shift ship show shrink shuffle shut sign signal simulate skip sleep slice snap solve sort speak spin split spread stage ' +
  'stash step stitch store stream strip structure style sub subtract suggest supply support suppress surface switch sync ' +
  'synchronise synchronize tag take talk tap teach tear test throttle tie toggle touch track train transcribe transform ' +
  'transition transmit treat trim tune turn type unassign unbind unblock undo unfollow unlink unmount unmute unpin ' +
  'unregister unset unstar untag upgrade use vacuum validate vary verify visit vote wait wake walk warm warn weigh ' +
  'whitelist wrap yank zip'

/** Verbs that say nothing of how far they reach, or that are nouns as well. They are no evidence of a write. */
export const ambiguous: ReadonlySet<string> = new Set(words.split(' '))

/** Of these, and of verbs that look, those that mostly name a thing where they lead a name: `map_weather`, `test_results`. */
export const alsoThings: ReadonlySet<string> = new Set(
  (
    'audit branch call cast chunk compute contact convert cycle document extract filter flag format index issue label limit ' +
    'link log map mask measure mix monitor offer page plan ping play poll print program queue rank rate reference release ' +
    'request review route sample score signal sort stage step stream structure style support surface tag test track type ' +
    'verify view visit work'
  ).split(' '),
)

/** What comes out of a conversion when it is a value; a lead or a trial that is converted is no longer one. */
export const convertible = new Set(
  'time timezone date timestamp duration unit measurement currency temperature length weight number base color colour'.split(
    ' ',
  ),
)

/** What is looked up when it is resolved; a thread or an incident that is resolved is closed. */
export const resolvable = new Set(
  'id ids name names url urls uri handle address path host hostname dns library'.split(' '),
)

/** What may be run and only reads: `run_report`. */
export const runnable = new Set('report search lookup'.split(' '))

/** What changes whatever it is made to change once it was started, and "read-only" of what starts it is a slip: `run_test`. */
export const startable = new Set(
  'test suite pipeline workflow job build task action script automation agent deployment playbook scenario'.split(' '),
)
