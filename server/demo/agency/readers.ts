// The readers of the agency's newsletter: as many as one does not write to by hand, some of whom it knows little, some whose
// mailbox is gone. They are made up of lists of names, the same at every start, and live in domains that are kept for
// examples (RFC 2606).
import type { ContactRow } from '../../toolsets/mail/schema.ts'

const firstNames =
  'Aiko Amara Ana Anders Anika Antoine Aoife Ayşe Bartosz Beatriz Camille Carlos Chiara Chioma Daan Darius Diego Dilnoza Eszter Fatima Femi Freya Giulia Hannah Haruto Hiroshi Ilse Ines Ivan Jakub Javier Jin Joana Karim Kasper Katarzyna Kofi Lars Laszlo Leila Linh Lucía Maja Malik Marek Mariam Mateo Meera Mei Milan Nadia Niamh Nikos Nils Olena Omar Paolo Petra Priya Rafael Ravi Renée Rosa Sanjay Selin Sofia Søren Stefan Tariq Thandiwe Tomáš Valentina Wei Yara Yusuf Zoë Zsófia'.split(
    ' ',
  )
const lastNames =
  'Abe Adeyemi Ahmed Almeida Andersen Bauer Bergström Bianchi Boateng Brennan Castro Chen Costa Da_Silva Demir Dubois Eriksen Farouk Fernández Fischer García Georgiou Haddad Hansen Horváth Ito Ivanova Jansen Jensen Joshi Kamau Kaya Kim Kowalski Kovács Kumar Laurent Lehmann Lindholm Lombardi Mahlangu Marino Mbeki Meyer Moreau Müller Nagy Nakamura Nguyễn Novák Nwosu O’Brien Okafor Oliveira Özdemir Park Patel Pereira Petrov Popescu Quinn Ramírez Rossi Saito Santos Schmidt Sharma Silva Singh Svoboda Tanaka Taylor Tran Van_Dijk Vargas Virtanen Wagner Walsh Wiśniewski Yılmaz Zhang'.split(
    ' ',
  )
const trades = 'Foods Logistics Studio Energy Books Instruments Hotels Timber Textiles Optics Bikes Ceramics'.split(' ')
const places =
  'Aalborg Bilbao Bologna Cork Dresden Gdańsk Ghent Győr Haarlem Kyoto Lagos Lisbon Lyon Malmö Nairobi Porto Pune Tampere Turin Utrecht'.split(
    ' ',
  )

/** What the server of a mailbox that is gone has said. */
const gone = ['550 5.1.1 No such user here', '550 5.2.1 The mailbox is disabled', '554 5.7.1 The account has moved']

/** Of the newsletter. */
const readers = 4821
/** Of a small evening. */
const guests = 24

const spelled = new Map<string, string>()

/** As it stands in an address. */
function plain(text: string): string {
  const known = spelled.get(text)
  if (known !== undefined) return known
  const made = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[øıł’]/gi, (letter) => ({ ø: 'o', Ø: 'o', ı: 'i', ł: 'l', Ł: 'l' })[letter] ?? '')
    .replace(/[ _]/g, '-')
    .toLowerCase()
  spelled.set(text, made)
  return made
}

/** Of the readers 43: an address of a company, behind which nobody is known. */
const isNameless = (number: number): boolean => number % 112 === 55
/** Of the readers 12, and none of those. */
const isGone = (number: number): boolean => number % 400 === 150

const one = <T>(of: readonly T[], number: number): T => of[number % of.length] as T

/** Everybody to whom the newsletter goes, and the guests of an evening. */
export function manyContacts(tenant: string, at: string): readonly ContactRow[] {
  const people = firstNames.flatMap((first) => lastNames.map((last) => ({ first, last })))
  return Array.from({ length: readers + guests }, (_, number): ContactRow => {
    const isReader = number < readers
    const place = one(places, number)
    const trade = one(trades, Math.floor(number / places.length))
    const domain = `${plain(place)}-${plain(trade)}.example`
    // Without a common divisor with their number: each pair once, in no order that anybody would see.
    const { first, last } = one(people, number * 1009)
    const known = !(isReader && isNameless(number))
    const local = known
      ? `${plain(first)}.${plain(last)}`
      : one(['office', 'info', 'press', 'hello'], Math.floor(number / (places.length * trades.length)))
    const address = `${local}@${domain}`
    return {
      id: `ct_${(0x1000000 + number).toString(16).padStart(24, '0')}`,
      tenant,
      name: known ? `${first} ${last.replace('_', ' ')}` : null,
      first_name: known ? first : null,
      last_name: known ? last.replace('_', ' ') : null,
      address,
      address_key: address,
      domain,
      company: `${place} ${trade}`,
      note: isReader ? 'Newsletter' : 'Spring evening',
      created_at: at,
      undeliverable: isReader && isGone(number) ? one(gone, number) : null,
      version: 1,
    }
  })
}
