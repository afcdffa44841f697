import { pluralsOf } from '../../../toolsets/languages.ts'
import type { DeskWords } from './en.ts'

const { counted, form } = pluralsOf<'one' | 'other'>('de')

const lines = (number: number): string => counted(number, { one: '# Position', other: '# Positionen' })
/** After "von". */
const ofProducts = (number: number): string => counted(number, { one: '# Artikel', other: '# Artikeln' })
const signed = (delta: number): string => `${delta > 0 ? '+' : ''}${delta}`

export const de: DeskWords = {
  labels: {
    item: 'Artikel',
    qty: 'Menge',
    quantity: 'Menge',
    price: 'Preis',
    cost: 'Einkaufspreis',
    amount: 'Betrag',
    total: 'Summe',
    subtotal: 'Zwischensumme',
    customer: 'Kunde',
    state: 'Status',
    created: 'Angelegt',
    delivery: 'Lieferung',
    discount: 'Rabatt',
    contact: 'Kontakt',
    note: 'Notiz',
    reason: 'Grund',
    expected: 'Erwartet',
    onHand: 'Lagerbestand',
    reserved: 'Reserviert',
    available: 'Verfügbar',
    totalWas: 'Bisherige Summe',
  },
  states: { open: 'offen', fulfilled: 'ausgeliefert', cancelled: 'storniert' },
  discountOf: (percent) => `Rabatt ${percent} %`,

  list: (names) => names.join(', '),
  andMore: (first, left) => `${first} und ${left} weitere`,
  lines,
  partOf: ({ sku, part, quantity }) => `${part} von ${quantity} ${sku}`,

  notTold: (name) => `${name} wird nicht benachrichtigt`,
  totalGoes: (from, to) => `Die Summe ändert sich von ${from} auf ${to}`,
  stockGoes: ({ sku, from, to }) => `Der verfügbare Bestand von ${sku} ändert sich von ${from} auf ${to}`,
  stockStays: (sku, at) => `Der verfügbare Bestand von ${sku} bleibt bei ${at}`,
  stockIsNow: (sku, at) => `Der verfügbare Bestand von ${sku} ist jetzt ${at}`,
  onHandGoes: ({ sku, from, to }) => `Der Lagerbestand von ${sku} ändert sich von ${from} auf ${to}`,
  backOrdered: ({ sku, quantity, part, arrival }) => {
    const are = `${part} von ${quantity} ${sku} ${form(part, { one: 'ist', other: 'sind' })}`
    if (arrival === undefined) return `${are} im Rückstand; nichts davon ist bestellt`
    return arrival.day === undefined
      ? `${are} im Rückstand, bis ${arrival.id} eintrifft`
      : `${are} bis ${arrival.day} (${arrival.id}) im Rückstand`
  },
  oddQuantity: {
    title: ({ sku, quantity, usual, times }) =>
      `${quantity} Stück von ${sku} sind das ${times}-Fache der üblichen Menge (${usual}).`,
    text: 'Prüfen Sie die Menge, bevor Sie bestätigen.',
  },

  create: {
    title: (customer) => `Auftrag für ${customer} anlegen`,
    summary: ({ customer, goods, total }) => `Legt einen Auftrag für ${customer} an: ${goods}, Summe ${total}.`,
    confirm: 'Auftrag anlegen',
    done: (id) => `Auftrag ${id} angelegt`,
    someBackOrdered: (items) => counted(items, { one: '# Stück im Rückstand.', other: '# Stück im Rückstand.' }),
    tooEarly: {
      title: (sku) => `${sku} trifft erst nach dem Liefertag ein.`,
      text: ({ delivery, missing, due }) =>
        `Die Lieferung ist für den ${delivery} vorgesehen; ${form(missing, {
          one: `das fehlende Stück trifft am ${due} ein`,
          other: `die fehlenden ${missing} Stück treffen am ${due} ein`,
        })}.`,
    },
  },

  modify: {
    title: (id) => `Auftrag ${id} ändern`,
    fieldsChange: (changed, stay) =>
      `${counted(changed, { one: '# Feld ändert sich', other: '# Felder ändern sich' })}, ${stay} ${form(stay, { one: 'bleibt', other: 'bleiben' })}`,
    summary: ({ fields, id, customer, total }) =>
      `Ändert ${fields} im Auftrag ${id} für ${customer}${total === undefined ? '' : `; die Summe beträgt dann ${total}`}.`,
    confirm: (fields) => counted(fields, { one: '# Feld ändern', other: '# Felder ändern' }),
    back: (id) => `Änderung an ${id} zurücknehmen`,
    done: (id) => `Auftrag ${id} geändert`,
    aboveAgreed: {
      title: (discount, agreed) => `${discount} ist mehr als die mit dem Kunden vereinbarten ${agreed}.`,
      text: (customer) => `Sonst prüft das niemand: Mit Ihrer Bestätigung erhält ${customer} diesen Rabatt.`,
    },
  },

  fulfill: {
    title: (id) => `Auftrag ${id} ausliefern`,
    summary: ({ id, customer, lines, total }) =>
      `Liefert den Auftrag ${id} für ${customer} aus: ${lines}, ${total}. Die Ware verlässt das Lager.`,
    confirm: 'Auftrag ausliefern',
    done: (id) => `Auftrag ${id} ausgeliefert`,
    leaves: ({ sku, quantity, from, to }) =>
      `${quantity} ${sku} ${form(quantity, { one: 'verlässt', other: 'verlassen' })} das Lager: Der Lagerbestand ändert sich von ${from} auf ${to}`,
    early: {
      title: (day) => `Die Lieferung ist für den ${day} vereinbart.`,
      text: 'Die Ware verlässt das Lager heute.',
    },
    noStock: {
      title: (lacking, all) =>
        `${lacking} von ${lines(all)} ${form(lacking, { one: 'ist', other: 'sind' })} nicht vorrätig.`,
      orderFirst: ({ sku, quantity }) => `Bestellen Sie zuerst ${quantity} ${sku} (purchases_create)`,
      receiveFirst: ({ id, sku, quantity, due }) =>
        `Buchen Sie zuerst den Wareneingang ${id} (${quantity} ${sku} ${form(quantity, { one: 'fehlt', other: 'fehlen' })}${due === undefined ? '' : `, erwartet am ${due}`})`,
      text: (first, skus) => `${first.join('. ')}, oder nehmen Sie ${skus} aus dem Auftrag.`,
    },
  },

  remove: {
    title: (id) => `Auftrag ${id} löschen`,
    created: (day) => `angelegt am ${day}`,
    summary: ({ id, customer, total, number }) =>
      `Löscht den Auftrag ${id} für ${customer} (${total}) mit ${lines(number)} endgültig.`,
    goes: (number) => `Der Auftrag mit ${lines(number)} wird endgültig gelöscht`,
    returns: (items) =>
      counted(items, {
        one: '# reserviertes Stück wird wieder verfügbar',
        other: '# reservierte Stück werden wieder verfügbar',
      }),
    confirm: 'Auftrag löschen',
    done: (id) => `Auftrag ${id} gelöscht`,
    backInStock: (sku) => `${sku} wieder verfügbar`,
    fulfilled: {
      title: (id) => `${id} hat das Lager schon verlassen.`,
      text: 'Ein ausgelieferter Auftrag bleibt in den Büchern. Berichtigen Sie stattdessen seine Mengen.',
    },
  },

  purchase: {
    title: (supplier) => `Ware bei ${supplier} bestellen`,
    summary: ({ supplier, goods, total, expected }) =>
      `Legt eine Bestellung bei ${supplier} an: ${goods}, Summe ${total}, erwartet am ${expected}.`,
    stockWaits: 'Der Bestand ändert sich erst mit dem Wareneingang',
    notedOnly: (supplier) => `Die Bestellung wird nur hier vermerkt: ${supplier} wird nicht benachrichtigt`,
    elsewhere: {
      title: (sku, supplier) => `${sku} kommt sonst von ${supplier}.`,
      text: (supplier) => `Prüfen Sie, ob ${supplier} den Artikel liefern kann.`,
    },
    confirm: 'Bestellung anlegen',
    done: (id) => `Bestellung ${id} angelegt`,
  },

  receive: {
    title: (id) => `Wareneingang zu ${id} buchen`,
    summary: ({ id, supplier, goods }) => `Bucht die Ware von ${supplier} zur Bestellung ${id} ein: ${goods}.`,
    gets: ({ order, customer, sku, quantity }) => `${order} (${customer}) erhält ${quantity} ${sku} aus dem Rückstand`,
    got: ({ order, sku, quantity }) => `${order} hat ${quantity} ${sku} aus dem Rückstand erhalten`,
    early: {
      title: (id, day) => `${id} wird erst am ${day} erwartet.`,
      text: 'Buchen Sie den Wareneingang nur, wenn die Ware wirklich da ist.',
    },
    confirm: 'Wareneingang buchen',
    done: (id) => `Wareneingang zu ${id} gebucht`,
  },

  adjust: {
    title: (sku, delta) =>
      delta > 0 ? `Bestand von ${sku} um ${delta} erhöhen` : `Bestand von ${sku} um ${-delta} verringern`,
    summary: ({ sku, delta, from, to }) =>
      `Passt den Bestand von ${sku} um ${signed(delta)} an: Der Lagerbestand ändert sich von ${from} auf ${to}.`,
    signed,
    onTheBooks: 'Die Lagerbewegung bleibt mit ihrem Grund in den Büchern',
    moreThanAll: {
      title: (amount, onHand) => `${amount} ist mehr als der ganze Lagerbestand (${onHand}).`,
      text: 'Prüfen Sie die Menge.',
    },
    confirm: 'Bestand anpassen',
    back: (sku) => `Anpassung von ${sku} zurücknehmen`,
    backReason: 'Nimmt die letzte Anpassung zurück',
    done: (sku) => `Bestand von ${sku} angepasst`,
    notThatMany: {
      title: (sku, onHand) => `Nur ${onHand} ${sku} ${form(onHand, { one: 'ist', other: 'sind' })} auf Lager.`,
      text: (onHand) => `Buchen Sie höchstens ${onHand} aus.`,
    },
    promised: {
      title: (sku, reserved) =>
        `${reserved} ${sku} ${form(reserved, { one: 'ist', other: 'sind' })} offenen Aufträgen zugesagt.`,
      holds: (order, reserved) => `${order} hat ${reserved} reserviert`,
      text: ({ after, held, free }) =>
        `Auf Lager wären dann noch ${after}, und ${held}. Ändern Sie zuerst diese Aufträge, oder buchen Sie höchstens ${free} aus.`,
    },
  },

  correct: {
    title: (id) => `Auftrag ${id} berichtigen`,
    linesOf: (number, all) => `${number} von ${lines(all)}`,
    change: ({ sku, from, to }) => `${sku} von ${from} auf ${to}`,
    summary: ({ changes, id, total }) =>
      `Berichtigt ${changes} im ausgelieferten Auftrag ${id}; die Summe beträgt dann ${total}.`,
    invoicesStay: 'Bereits versandte Rechnungen bleiben unverändert',
    confirm: (number) => counted(number, { one: '# Position berichtigen', other: '# Positionen berichtigen' }),
    back: (id) => `Berichtigung von ${id} zurücknehmen`,
    backReason: 'Nimmt die letzte Berichtigung zurück',
    done: (id) => `Auftrag ${id} berichtigt`,
    noStock: {
      title: (number) =>
        counted(number, {
          one: '# Position kann das Lager nicht verlassen haben.',
          other: '# Positionen können das Lager nicht verlassen haben.',
        }),
      lacks: ({ sku, quantity, free }) =>
        `${quantity} ${sku} mehr ${form(quantity, { one: 'sollte', other: 'sollten' })} ausgebucht werden, verfügbar ${form(free, { one: 'ist', other: 'sind' })} ${free}`,
      text: (lacks) => `${lacks.join('. ')}. Passen Sie zuerst den Bestand an, oder buchen Sie einen Wareneingang.`,
    },
  },

  rebuild: {
    title: 'Gespeicherte Bestandszahlen neu berechnen',
    differ: (wrong, all) =>
      `${wrong} von ${ofProducts(all)} ${form(wrong, { one: 'weicht', other: 'weichen' })} von den Lagerbewegungen ab`,
    summary: (skus) => `Berechnet die gespeicherten Bestandszahlen von ${skus} aus den Lagerbewegungen neu.`,
    onHandOf: (sku) => `${sku} Lagerbestand`,
    reservedOf: (sku) => `${sku} reserviert`,
    agree: (number) =>
      counted(number, {
        one: '# Artikel stimmt bereits und bleibt, wie er ist',
        other: '# Artikel stimmen bereits und bleiben, wie sie sind',
      }),
    overPromised: {
      title: ({ sku, reserved, onHand }) => `${sku}: ${reserved} zugesagt, aber ${onHand} auf Lager.`,
      text: 'Buchen Sie einen Wareneingang, oder ändern Sie die Aufträge, für die reserviert ist.',
    },
    confirm: (number) => counted(number, { one: '# Artikel korrigieren', other: '# Artikel korrigieren' }),
    done: 'Bestandszahlen neu berechnet',
    corrected: (number, all) => `${number} von ${ofProducts(all)} korrigiert`,
  },

  failures: {
    unknown_customer: 'Einen Kunden dieses Namens gibt es nicht.',
    unknown_supplier: 'Einen Lieferanten dieses Namens gibt es nicht.',
    unknown_sku: 'Einen Artikel mit dieser Nummer gibt es nicht.',
    unknown_order: 'Einen Auftrag mit dieser Nummer gibt es nicht.',
    unknown_purchase: 'Eine offene Bestellung mit dieser Nummer gibt es nicht.',
    not_open: 'Der Auftrag ist nicht mehr offen und lässt sich nicht ändern.',
    not_fulfilled: 'Der Auftrag ist nicht ausgeliefert, also gibt es nichts zu berichtigen.',
    line_not_on_order: 'Eine solche Position hat der Auftrag nicht.',
    already_fulfilled: 'Der Auftrag hat das Lager verlassen und bleibt in den Büchern.',
    already_received: 'Der Wareneingang dieser Bestellung ist schon gebucht.',
    date_in_past: 'Dieser Tag ist schon vorbei.',
    no_stock: 'Dafür ist nicht genug Ware am Lager.',
    stock_promised: 'Der Bestand ist offenen Aufträgen zugesagt.',
    not_that_many: 'So viele Stück sind nicht am Lager.',
    nothing_to_change: 'Alles ist schon wie gewünscht.',
  },
}
