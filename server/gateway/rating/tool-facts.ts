// What a definition says of its tool, read once: why it reads, what speaks against that, what it is about, and which of its
// arguments decide. `rating.ts` rates a call by it.
import { markedAs } from '../call-tools/call-with.ts'
import { ambiguous, startable } from './ambiguous-verbs.ts'
import { mayBePutInto } from './argument-verbs.ts'
import { programsIn } from './code-arguments.ts'
import { optionSelectors } from './command-options.ts'
import { readDescription, type Described } from './description.ts'
import { verbEvidence, type Evidence, type RatedTool } from './evidence.ts'
import { programSelectors, raisingSelectors } from './program-arguments.ts'
import { placesIn, type Place } from './schema-places.ts'
import { secretHandedOut } from './secrets.ts'
import { isRouted } from './router-arguments.ts'
import type { Selector } from './selector.ts'
import { onlyReads, selectorsIn } from './selectors.ts'
import { subjectsIn } from './subjects.ts'
import { leadingVerb, namesThing, readingVerb } from './tool-name.ts'
import { undeclaredAtRoot, undeclaredBeside, type Undeclared } from './undeclared-arguments.ts'
import type { FoundVerb } from './verbs.ts'
import { singular, wordsOf } from './words.ts'

export interface Facts {
  readonly marked: ReturnType<typeof markedAs>
  /** The server says in so many words that it is no read. */
  readonly deniesReading: boolean
  /** Why the tool reads where nothing else is said. */
  readonly reads: string | undefined
  /** Whether a word of the name reads, and none acts. */
  readonly named: boolean
  /** Speaks against a read, whatever the arguments. */
  readonly against: readonly Evidence[]
  /** What it is about, where it is no read. */
  readonly subjects: readonly Evidence[]
  readonly selectors: readonly Selector[]
  /** Whether its schema invites what it does not declare, where that counts. */
  readonly open: boolean
  readonly undeclared: (args: unknown) => readonly Undeclared[]
}

/** Whether its arguments decide what a call is. Elsewhere all have one rating, and what is not declared is refused. */
export const decides = ({ selectors, open }: Facts): boolean => selectors.length > 0 || open

export function readTool({ name, description = '', inputSchema = {}, annotations }: RatedTool): Facts {
  const marked = markedAs(annotations)
  const { places, whole, open } = placesIn(inputSchema)
  const described = readDescription(description, name)
  const programs = programsIn(
    places.filter((place) => !isRouted(place)),
    { name, description },
  )
  const readable = programSelectors(programs, { name, description }, marked === 'read-only')
  const unreadable = programs.filter((place) => !readable.some((selector) => selector.place === place))
  const [program] = unreadable
  const others = places.filter((place) => !programs.includes(place))
  const selectors = [
    ...readable,
    ...raisingSelectors(unreadable, { name, description }),
    ...selectorsIn(others, marked === 'read-only'),
    ...optionSelectors(name, others),
  ]
  const declared = (): readonly Place[] => placesIn(inputSchema).places
  const ofReads = selectors.length > 0 ? undeclaredAtRoot(declared) : () => []
  const deniesReading = annotations?.readOnlyHint === false
  // What a description reads excuses no verb of the name where its own server says that it is no read.
  const read = described.plainly && !deniesReading ? described.object : undefined
  const verb = leadingVerb(name, read)
  // Where what runs can be read, that says what is done, and "run" and "execute" say no more.
  const isSaid = (found: FoundVerb | undefined): boolean => found?.runs === true && readable.length > 0
  const createsNothing = places.length === 0 && !open && described.reads !== undefined
  const believed = isSaid(verb) || (marked === 'read-only' && yieldsToReadOnly(verb, name, createsNothing))
  // A server that says "read-only" may well describe what others do with the answer; what the tool opens with is its own.
  const acts = marked === 'read-only' ? described.contradicts : described.acts
  const against = [
    verb === undefined || believed
      ? undefined
      : verbEvidence('Its name', marked === 'neither' ? verb : notBelowHigh(verb)),
    program && programEvidence(program.name),
    whole ? undefined : tooLarge,
    places.some(isLease) ? leasing : undefined,
    secretHandedOut(name, description, described.reads),
    acts === undefined || isSaid(acts) ? undefined : verbEvidence('Its description', acts),
  ]
  return {
    marked,
    deniesReading,
    ...whyItReads(name, described, places),
    against: against.filter((evidence) => evidence !== undefined),
    subjects: subjectsIn(name, description, described, places),
    selectors,
    open: open && marked !== 'read-only',
    // "Read-only" is said of the tool with whatever it is given; where an argument contradicts it, of what it declares.
    undeclared: marked === 'read-only' ? ofReads : undeclaredBeside(name, declared),
  }
}

/** What reads where it is made for the answer alone, and put nowhere. */
const madeForTheAnswer = ['screenshot', 'extract', 'crawl', 'transcribe']

/** Why a tool whose server is silent reads, as long as nothing else is said: by its name, its description or an argument. */
function whyItReads(name: string, described: Described, places: readonly Place[]): Pick<Facts, 'reads' | 'named'> {
  const made = [...madeForTheAnswer, ...(described.handsOver ? ['download', 'export'] : [])]
  const found = readingVerb(
    name,
    places.some((place) => mayBePutInto(place.name)) ? [] : made,
    described.plainly ? described.object : undefined,
  )
  const says = (where: string, what: string): Pick<Facts, 'reads' | 'named'> => ({
    reads: `The server does not say what it does; its ${where} ${what}, and nothing says otherwise.`,
    named: found !== undefined,
  })
  // What stands before the verb may be whose tool it is, or a verb that we do not know: the description must tell.
  if (found !== undefined && (found.suffices || described.reads !== undefined))
    return says('name', `says "${found.verb}"`)
  if (described.reads !== undefined && namesThing(name, described.object, described.plainly))
    return says('description', `says "${described.reads}"`)
  const mayDoMore = wordsOf(name).some((word) => word !== 'manage' && ambiguous.has(word))
  const chosen = mayDoMore ? undefined : places.find(onlyReads)?.name
  return chosen === undefined
    ? { reads: undefined, named: found !== undefined }
    : says(`argument "${chosen}"`, 'can only name readings')
}

/** Whether "read-only" is believed against a verb. Guides to creating something are called after it, and create nothing. */
const yieldsToReadOnly = (verb: FoundVerb | undefined, name: string, createsNothing: boolean): boolean =>
  (verb?.yieldsToReadOnly === true && !wordsOf(name).some((word) => startable.has(singular(word)))) ||
  (verb?.creates === true && createsNothing)

/** Medium is for what a server vouches for: it says that it writes, and destroys nothing. */
const notBelowHigh = (verb: FoundVerb): FoundVerb => (verb.risk === 'medium' ? { ...verb, risk: 'high' } : verb)

const programEvidence = (argument: string): Evidence => ({
  risk: 'high',
  operation: 'destructive',
  reason: `Its argument "${argument}" is a program: it does whatever that says, so it is high.`,
})

/** Whoever asks for a message with it takes that from its queue. */
const isLease = ({ name }: Place): boolean => wordsOf(name).join('') === 'visibilitytimeout'

const leasing: Evidence = {
  risk: 'high',
  operation: 'write',
  reason: 'It takes a visibility timeout: it takes what it reads from a queue, so it is high.',
}

const tooLarge: Evidence = {
  risk: 'high',
  operation: 'write',
  reason: 'Its schema is too large to be read whole, so it is high.',
}
