// What a call is about can make it worth a person's signature, whatever verb leads: a refund is money, a key is access,
// and a cluster costs by the hour. Asked only of calls that are no plain reads.
import { wordsOf } from './words.ts'
import type { Described } from './description.ts'
import type { Evidence } from './evidence.ts'
import type { Place } from './schema-places.ts'

interface Kind {
  /** Completes "…, so it is at least high". */
  readonly is: string
  /** Words or pairs of words, in the singular. */
  readonly words: ReadonlySet<string>
}

const setOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/(?<!\s)\s*,\s*|\n/))

const money: Kind = {
  is: 'it is about money',
  words: setOf(
    'payment,pay,refund,payout,invoice,charge,subscription,coupon,discount,price,pricing,cost,billing,bill,checkout,' +
      'transfer,dispute,chargeback,wallet,balance,bank,iban,donation,salary,payroll,money,fund,credit,debit,deposit,' +
      'withdrawal,purchase,transaction,tax rate,promotion code,gift card,mandate,settlement,fee,fine,loan,trade',
  ),
}

const access: Kind = {
  is: 'it is about who may do what',
  words: setOf(
    'user,role,permission,access,acl,credential,token,secret,password,passphrase,webhook,member,membership,' +
      'collaborator,policy,api key,ssh key,deploy key,access key,public key,private key,signing key,encryption key,' +
      'key,allowlist,whitelist,blocklist,denylist,firewall,security group,oauth,sso,saml,certificate,service account,' +
      'identity,invitation,invite,visibility,privacy,2fa,mfa,session token,login,admin,administrator,owner,ownership',
  ),
}

/** Not access, although a word of it is. */
const notAccess = setOf('user story,user stories,token count,member variable,key value,key result,key frame,user guide')

const infrastructure: Kind = {
  is: 'it changes what runs, and may cost',
  words: setOf(
    'instance,cluster,server,vm,machine,droplet,node,nodepool,node pool,database,db,deployment,volume,bucket,' +
      'load balancer,environment,domain,container,pod,replica,namespace,vpc,subnet,network,ip,dns,zone,app,application,' +
      'service,function,lambda,queue,workspace plan,compute,gpu,host,site,backup,snapshot policy',
  ),
}

/** Prose and arguments that say a call costs. */
const costs =
  /(?<!no |without |zero )\b(?:costs?|billed|billable|billing|paid plan|incurs?|charges? (?:apply|your|the))\b/i
const costly = new Set('cost costs price amount currency billing payment iban budget fee'.split(' '))

/** What a tool that is no plain read is about, by its name, the object of its first verb, and its arguments. */
export function subjectsIn(
  name: string,
  description: string,
  described: Described,
  places: readonly Place[],
): Evidence[] {
  const inName = wordsOf(name)
  const high = (reason: string): Evidence => ({ risk: 'high', operation: 'write', reason })
  const found: Evidence[] = []
  for (const { is, words } of [money, access, infrastructure])
    for (const [where, spoken] of [
      ['Its name', inName],
      ['Its description', described.object],
    ] as const) {
      const word = wordIn(spoken, words)
      if (word !== undefined) found.push(high(`${where} says "${word}": ${is}, so it is at least high.`))
    }
  const said = costs.exec(description)?.[0]
  if (said !== undefined) found.push(high(`Its description says "${said}": it may cost, so it is at least high.`))
  const argument = places.find((place) => wordsOf(place.name).some((word) => costly.has(word)))
  if (argument !== undefined)
    found.push(high(`It takes "${argument.name}": it is about money, so it is at least high.`))
  return found
}

function wordIn(spoken: readonly string[], words: ReadonlySet<string>): string | undefined {
  const single = spoken.map(singular)
  for (const [at, word] of single.entries()) {
    const pair = `${word} ${single[at + 1] ?? ''}`
    if (notAccess.has(pair)) continue
    if (words.has(pair)) return pair
    if (words.has(word)) return word
  }
  return undefined
}

const singular = (word: string): string =>
  word.endsWith('ies')
    ? `${word.slice(0, -3)}y`
    : word.endsWith('ss') || word.endsWith('us')
      ? word
      : word.replace(/s$/, '')
