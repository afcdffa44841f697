import { quotation } from '../../../cards/card-words.ts'
import { pluralsOf } from '../../languages.ts'
import type { ContentKind, SandboxWords } from './en.ts'

const { form } = pluralsOf<'one' | 'many' | 'other'>('fr')

const kinds: Readonly<Record<ContentKind, string>> = {
  png: 'image PNG',
  jpeg: 'image JPEG',
  gif: 'image GIF',
  pdf: 'document PDF',
  zip: 'archive ZIP (.xlsx et .docx y compris)',
  gzip: 'archive gzip',
  sqlite: 'base de données SQLite',
  wasm: 'programme WebAssembly',
  linuxProgram: 'programme Linux (ELF)',
  windowsProgram: 'programme Windows',
}

const files = (number: number): string =>
  `${number} ${form(number, { one: 'fichier', many: 'de fichiers', other: 'fichiers' })}`

export const fr: SandboxWords = {
  bytes: (number) => `${number} ${form(number, { one: 'octet', many: 'd’octets', other: 'octets' })}`,

  run: {
    title: (language) => `Exécuter un programme ${language}`,
    summary: ({ lines, language, session }) =>
      `Exécute ${lines} ${form(lines, { one: 'ligne', many: 'de lignes', other: 'lignes' })} de ${language}${session === undefined ? '' : ` dans la session ${session}`}.`,
    program: 'Programme',
    confirm: 'Exécuter le programme',
    session: (id) => `session ${id}`,
    endings: {
      finished: 'Le programme est allé jusqu’au bout',
      error: 'Le programme s’est terminé par une erreur',
      out_of_fuel: 'Le programme a épuisé son quota de calcul',
      out_of_memory: 'Le programme a épuisé sa mémoire',
      timeout: 'Le programme a pris trop de temps',
      output_limit: 'Le programme a trop écrit en sortie',
      crashed: 'L’environnement d’exécution s’est interrompu',
    },
    exitCode: (ending, code) => `${ending} : code de sortie ${code}`,
    advice: (message, cause) => ({
      title: 'Indication donnée à l’agent, en anglais :',
      text: quotation('fr', `${message} ${cause}`),
    }),
    change: 'Modification',
    output: 'Sortie',
    errors: 'Erreurs',
    files: 'Fichiers de l’espace de travail',
    file: 'Fichier',
    changed: 'Modification',
    bytes: 'Octets',
    changes: { created: 'créé', modified: 'modifié', deleted: 'supprimé' },
    fuel: 'Quota de calcul',
    fuelOf: (call) => `Quota de calcul de l’appel ${call}`,
    fuelOfThis: (call) => `Quota de calcul de l’appel ${call} (celui-ci)`,
    used: ({ fuel, percent }) => `${fuel} : utilisé à ${percent} %.`,
  },

  session: {
    begin: 'Ouvrir une session de travail',
    beginSummary: (language) => `Ouvre une session de travail pour ${language}.`,
    beginConfirm: 'Ouvrir la session de travail',
    begun: 'Session de travail ouverte',
    end: (id) => `Fermer la session ${id}`,
    endSummary: (id) => `Ferme la session ${id}, avec ses variables et ses fichiers.`,
    endConfirm: 'Fermer la session de travail',
    ended: 'Session de travail fermée',
  },

  reset: {
    title: (number) => `Supprimer ${files(number)}`,
    summary: (number, session) => `Supprime ${files(number)} de la session ${session}.`,
    confirm: 'Supprimer les fichiers',
    done: (number) => `Fichiers supprimés : ${number}`,
  },

  export: {
    write: (path) => `Écrire ${path}`,
    replace: (path) => `Remplacer ${path}`,
    from: (bytes, session) => `${bytes} · depuis la session ${session}`,
    writeSummary: ({ file, bytes, session }) => `Écrit ${file} (${bytes}) depuis la session ${session}.`,
    replaceSummary: ({ file, bytes, session }) => `Remplace ${file} par ${bytes} provenant de la session ${session}.`,
    file: 'Fichier',
    writes: 'Un nouveau fichier apparaît dans le dossier d’exportation',
    replaces: 'Le fichier existant est remplacé en entier',
    writeConfirm: 'Écrire le fichier',
    replaceConfirm: 'Remplacer le fichier',
    written: 'Fichier écrit',
    replaced: 'Fichier remplacé',
    content: 'Contenu',
    newContent: 'Nouveau contenu',
    before: 'Contenu actuel',
    change: 'Modification',
    same: 'Le même texte s’y trouve déjà.',
    differs: 'Les textes diffèrent en trop de lignes pour être comparés.',
    binary: (kind) =>
      kind === undefined ? 'Ce n’est pas du texte' : `Ce n’est pas du texte ; début typique : ${kinds[kind]}`,
    size: 'Taille',
    firstBytes: (label) => `${label} : premiers octets`,
  },
}
