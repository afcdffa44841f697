import { pluralsOf } from '../../../toolsets/languages.ts'
import type { DeskWords } from './en.ts'

const { counted, form } = pluralsOf<'one' | 'many' | 'other'>('fr')

/** `many` begins at a million, where the noun follows with "de"; other words are the same as for few. */
const forms = (one: string, other: string, many = other) => ({ one, many, other })

const lines = (number: number): string => counted(number, forms('# ligne', '# lignes', '# de lignes'))
const signed = (delta: number): string => `${delta > 0 ? '+' : ''}${delta}`

export const fr: DeskWords = {
  labels: {
    item: 'Article',
    qty: 'Qté',
    quantity: 'Quantité',
    price: 'Prix',
    cost: 'Coût',
    amount: 'Montant',
    total: 'Total',
    subtotal: 'Sous-total',
    customer: 'Client',
    state: 'État',
    created: 'Création',
    delivery: 'Livraison',
    discount: 'Remise',
    contact: 'Contact',
    note: 'Note',
    reason: 'Motif',
    expected: 'Réception prévue',
    onHand: 'Stock physique',
    reserved: 'Réservé',
    available: 'Disponible',
    totalWas: 'Ancien total',
  },
  states: { open: 'ouverte', fulfilled: 'expédiée', cancelled: 'annulée' },
  discountOf: (percent) => `Remise ${percent} %`,

  list: (names) => names.join(', '),
  andMore: (first, left) => `${first} et ${left} de plus`,
  lines,
  partOf: ({ sku, part, quantity }) => `${part} ${sku} sur ${quantity}`,

  notTold: (name) => `Aucun message n’est envoyé à ${name}`,
  totalGoes: (from, to) => `Le total passe de ${from} à ${to}`,
  stockGoes: ({ sku, from, to }) => `Le stock disponible de ${sku} passe de ${from} à ${to}`,
  stockStays: (sku, at) => `Le stock disponible de ${sku} reste à ${at}`,
  stockIsNow: (sku, at) => `Le stock disponible de ${sku} est maintenant de ${at}`,
  onHandGoes: ({ sku, from, to }) => `Le stock physique de ${sku} passe de ${from} à ${to}`,
  backOrdered: ({ sku, quantity, part, arrival }) => {
    const until =
      arrival === undefined
        ? ' ; aucun réapprovisionnement n’est en cours'
        : arrival.day === undefined
          ? ` jusqu’à l’arrivée de ${arrival.id}`
          : ` jusqu’au ${arrival.day} (${arrival.id})`
    return `${part} ${sku} sur ${quantity} ${form(part, forms('est en rupture', 'sont en rupture'))}${until}`
  },
  oddQuantity: {
    title: ({ sku, quantity, usual, times }) =>
      `${quantity} ${sku}, soit ${times} fois la quantité habituelle (${usual}).`,
    text: 'Vérifiez la quantité avant de confirmer.',
  },

  create: {
    title: (customer) => `Créer une commande pour ${customer}`,
    summary: ({ customer, goods, total }) => `Crée une commande pour ${customer} : ${goods}, total ${total}.`,
    confirm: 'Créer la commande',
    done: (id) => `Commande ${id} créée`,
    someBackOrdered: (items) =>
      counted(items, forms('# article en rupture.', '# articles en rupture.', '# d’articles en rupture.')),
    tooEarly: {
      title: (sku) => `${sku} arrive après le jour de livraison.`,
      text: ({ delivery, missing, due }) =>
        `La livraison est prévue le ${delivery} ; ${form(missing, forms(`l’article manquant arrive le ${due}`, `les ${missing} articles manquants arrivent le ${due}`))}.`,
    },
  },

  modify: {
    title: (id) => `Modifier la commande ${id}`,
    fieldsChange: (changed, stay) =>
      `${counted(changed, forms('# champ change', '# champs changent', '# de champs changent'))}, ${stay} ${form(stay, forms('reste inchangé', 'restent inchangés'))}`,
    summary: ({ fields, id, customer, total }) =>
      `Modifie la commande ${id} pour ${customer} (${fields})${total === undefined ? '' : ` ; le total devient ${total}`}.`,
    confirm: (fields) => counted(fields, forms('Modifier # champ', 'Modifier # champs', 'Modifier # de champs')),
    back: (id) => `Annuler la modification de ${id}`,
    done: (id) => `Commande ${id} modifiée`,
    aboveAgreed: {
      title: (discount, agreed) => `${discount} dépasse la remise de ${agreed} convenue avec le client.`,
      text: (customer) => `Rien d’autre ne le contrôle : si vous confirmez, ${customer} obtient cette remise.`,
    },
  },

  fulfill: {
    title: (id) => `Expédier la commande ${id}`,
    summary: ({ id, customer, lines, total }) =>
      `Expédie la commande ${id} pour ${customer} : ${lines}, ${total}. Les articles quittent l’entrepôt.`,
    confirm: 'Expédier la commande',
    done: (id) => `Commande ${id} expédiée`,
    leaves: ({ sku, quantity, from, to }) =>
      `${quantity} ${sku} ${form(quantity, forms('quitte', 'quittent'))} l’entrepôt : le stock physique passe de ${from} à ${to}`,
    early: {
      title: (day) => `La livraison est convenue pour le ${day}.`,
      text: 'Les articles partent aujourd’hui.',
    },
    noStock: {
      title: (lacking, all) =>
        `${form(lacking, forms(`${lacking} ligne sur ${all} n’a pas`, `${lacking} lignes sur ${all} n’ont pas`))} de stock.`,
      orderFirst: ({ sku, quantity }) => `Commandez d’abord ${quantity} ${sku} (purchases_create)`,
      receiveFirst: ({ id, sku, quantity, due }) =>
        `Réceptionnez d’abord ${id} (il manque ${quantity} ${sku}${due === undefined ? '' : `, arrivée prévue le ${due}`})`,
      text: (first, skus) => `${first.join('. ')}, ou retirez ${skus} de la commande.`,
    },
  },

  remove: {
    title: (id) => `Supprimer la commande ${id}`,
    created: (day) => `créée le ${day}`,
    summary: ({ id, customer, total, number }) =>
      `Supprime définitivement la commande ${id} pour ${customer} (${total}), avec ${lines(number)}.`,
    goes: (number) => `La commande, avec ${lines(number)}, est supprimée définitivement`,
    returns: (items) =>
      counted(
        items,
        forms(
          '# article réservé redevient disponible',
          '# articles réservés redeviennent disponibles',
          '# d’articles réservés redeviennent disponibles',
        ),
      ),
    confirm: 'Supprimer la commande',
    done: (id) => `Commande ${id} supprimée`,
    backInStock: (sku) => `${sku} de nouveau disponible`,
    fulfilled: {
      title: (id) => `${id} a déjà quitté l’entrepôt.`,
      text: 'Une commande expédiée reste dans les livres. Corrigez plutôt ses quantités.',
    },
  },

  purchase: {
    title: (supplier) => `Commander chez ${supplier}`,
    summary: ({ supplier, goods, total, expected }) =>
      `Crée une commande d’achat chez ${supplier} : ${goods}, total ${total}, réception prévue le ${expected}.`,
    stockWaits: 'Le stock reste le même jusqu’à la réception des articles',
    notedOnly: (supplier) => `La commande d’achat est seulement notée ici : aucun message n’est envoyé à ${supplier}`,
    elsewhere: {
      title: (sku, supplier) => `Le fournisseur habituel de ${sku} est ${supplier}.`,
      text: (supplier) => `Vérifiez que ${supplier} a cet article.`,
    },
    confirm: 'Créer la commande d’achat',
    done: (id) => `Commande d’achat ${id} créée`,
  },

  receive: {
    title: (id) => `Réceptionner la commande d’achat ${id}`,
    summary: ({ id, supplier, goods }) => `Met en stock les articles de ${id} (${supplier}) : ${goods}.`,
    gets: ({ order, customer, sku, quantity }) => `${order} (${customer}) reçoit ${quantity} ${sku} en attente`,
    got: ({ order, sku, quantity }) => `${order} a reçu ${quantity} ${sku} en attente`,
    early: {
      title: (id, day) => `La réception de ${id} est prévue le ${day}.`,
      text: 'Enregistrez-la seulement si les articles sont vraiment là.',
    },
    confirm: 'Réceptionner les articles',
    done: (id) => `Commande d’achat ${id} réceptionnée`,
  },

  adjust: {
    title: (sku, delta) => (delta > 0 ? `Ajouter ${delta} au stock de ${sku}` : `Retirer ${-delta} du stock de ${sku}`),
    summary: ({ sku, delta, from, to }) =>
      `Ajuste ${sku} de ${signed(delta)} : le stock physique passe de ${from} à ${to}.`,
    signed,
    onTheBooks: 'Le mouvement reste dans les livres avec son motif',
    moreThanAll: {
      title: (amount, onHand) => `${amount} dépasse tout le stock physique (${onHand}).`,
      text: 'Vérifiez la quantité.',
    },
    confirm: 'Ajuster le stock',
    back: (sku) => `Annuler l’ajustement de ${sku}`,
    backReason: 'Annule le dernier ajustement',
    done: (sku) => `Stock de ${sku} ajusté`,
    notThatMany: {
      title: (sku, onHand) => `Il n’y a que ${onHand} ${sku} en stock.`,
      text: (onHand) => `Retirez-en ${onHand} au plus.`,
    },
    promised: {
      title: (sku, reserved) =>
        `${reserved} ${sku} ${form(reserved, forms('est promis', 'sont promis'))} à des commandes ouvertes.`,
      holds: (order, reserved) => `${order} en réserve ${reserved}`,
      text: ({ after, held, free }) =>
        `Le stock physique serait de ${after}, et ${held}. Modifiez d’abord ces commandes, ou retirez-en ${free} au plus.`,
    },
  },

  correct: {
    title: (id) => `Corriger la commande ${id}`,
    linesOf: (number, all) => `${lines(number)} sur ${all}`,
    change: ({ sku, from, to }) => `${sku} de ${from} à ${to}`,
    summary: ({ changes, id, total }) =>
      `Corrige ${changes} dans la commande expédiée ${id} ; le total devient ${total}.`,
    invoicesStay: 'Les factures déjà envoyées restent inchangées',
    confirm: (number) => counted(number, forms('Corriger # ligne', 'Corriger # lignes', 'Corriger # de lignes')),
    back: (id) => `Annuler la correction de ${id}`,
    backReason: 'Annule la dernière correction',
    done: (id) => `Commande ${id} corrigée`,
    noStock: {
      title: (number) =>
        counted(number, forms('# ligne n’a pas pu quitter l’entrepôt.', '# lignes n’ont pas pu quitter l’entrepôt.')),
      lacks: ({ sku, quantity, free }) =>
        `Il faudrait sortir ${quantity} ${sku} de plus, et ${free} ${form(free, forms('est disponible', 'sont disponibles'))}`,
      text: (lacks) => `${lacks.join('. ')}. Ajustez d’abord le stock, ou réceptionnez des articles.`,
    },
  },

  rebuild: {
    title: 'Recalculer les stocks enregistrés',
    differ: (wrong, all) =>
      `${wrong} ${form(wrong, forms(`article sur ${all} diffère`, `articles sur ${all} diffèrent`))} des mouvements`,
    summary: (skus) => `Recalcule à partir des mouvements les stocks enregistrés de ${skus}.`,
    onHandOf: (sku) => `${sku} : stock physique`,
    reservedOf: (sku) => `${sku} : réservé`,
    agree: (number) =>
      counted(
        number,
        forms('# article concorde déjà et reste inchangé', '# articles concordent déjà et restent inchangés'),
      ),
    overPromised: {
      title: ({ sku, reserved, onHand }) => `${sku} : ${reserved} promis pour ${onHand} en stock.`,
      text: 'Réceptionnez des articles, ou modifiez les commandes qui les réservent.',
    },
    confirm: (number) => counted(number, forms('Corriger # article', 'Corriger # articles', 'Corriger # d’articles')),
    done: 'Stocks recalculés',
    corrected: (number, all) =>
      `${number} ${form(number, forms(`article sur ${all} corrigé`, `articles sur ${all} corrigés`))}`,
  },

  failures: {
    unknown_customer: 'Aucun client ne porte ce nom.',
    unknown_supplier: 'Aucun fournisseur ne porte ce nom.',
    unknown_sku: 'Aucun article ne porte cette référence.',
    unknown_order: 'Aucune commande ne porte ce numéro.',
    unknown_purchase: 'Aucune commande d’achat en cours ne porte ce numéro.',
    not_open: 'La commande n’est plus en cours et ne peut pas être modifiée.',
    not_fulfilled: 'La commande n’est pas expédiée, il n’y a donc rien à corriger.',
    line_not_on_order: 'La commande n’a pas cette ligne.',
    already_fulfilled: 'La commande a quitté l’entrepôt et reste dans les livres.',
    already_received: 'La marchandise de cette commande d’achat est déjà entrée.',
    date_in_past: 'Ce jour est déjà passé.',
    no_stock: 'Il n’y a pas assez de marchandise disponible.',
    stock_promised: 'La marchandise est promise à des commandes en cours.',
    not_that_many: 'Il n’y a pas autant de pièces en entrepôt.',
    nothing_to_change: 'Tout est déjà comme demandé.',
  },
}
