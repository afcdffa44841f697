import { quotation } from '../../../cards/card-words.ts'
import { pluralsOf } from '../../languages.ts'
import type { ContentKind, SandboxWords } from './en.ts'

const { form } = pluralsOf<'one' | 'other'>('de')

const kinds: Readonly<Record<ContentKind, string>> = {
  png: 'PNG-Bild',
  jpeg: 'JPEG-Bild',
  gif: 'GIF-Bild',
  pdf: 'PDF-Dokument',
  zip: 'ZIP-Archiv (auch .xlsx und .docx)',
  gzip: 'gzip-Archiv',
  sqlite: 'SQLite-Datenbank',
  wasm: 'WebAssembly-Programm',
  linuxProgram: 'Linux-Programm (ELF)',
  windowsProgram: 'Windows-Programm',
}

export const de: SandboxWords = {
  bytes: (number) => `${number} Byte`,

  run: {
    title: (language) => `${language}-Programm ausführen`,
    summary: ({ lines, language, session }) =>
      `Führt ${lines} ${form(lines, { one: 'Zeile', other: 'Zeilen' })} ${language}${session === undefined ? '' : ` in der Sitzung ${session}`} aus.`,
    program: 'Programm',
    confirm: 'Programm ausführen',
    session: (id) => `Sitzung ${id}`,
    endings: {
      finished: 'Das Programm ist bis zum Ende gelaufen',
      error: 'Das Programm ist mit einem Fehler beendet worden',
      out_of_fuel: 'Das Programm hat sein Budget aufgebraucht',
      out_of_memory: 'Das Programm hat seinen Speicher aufgebraucht',
      timeout: 'Das Programm hat zu lange gebraucht',
      output_limit: 'Das Programm hat zu viel ausgegeben',
      crashed: 'Die Laufzeitumgebung ist abgebrochen',
    },
    exitCode: (ending, code) => `${ending}: Exit-Code ${code}`,
    advice: (message, cause) => ({
      title: 'Hinweis an den Agenten, auf Englisch:',
      text: quotation('de', `${message} ${cause}`),
    }),
    change: 'Änderung',
    output: 'Ausgabe',
    errors: 'Fehler',
    files: 'Dateien des Arbeitsbereichs',
    file: 'Datei',
    changed: 'Änderung',
    bytes: 'Byte',
    changes: { created: 'erstellt', modified: 'geändert', deleted: 'gelöscht' },
    fuel: 'Rechenbudget',
    fuelOf: (call) => `Rechenbudget von Aufruf ${call}`,
    fuelOfThis: (call) => `Rechenbudget von Aufruf ${call} (diesem)`,
    used: ({ fuel, percent }) => `${fuel}: zu ${percent} % verbraucht.`,
  },

  session: {
    begin: 'Sitzung beginnen',
    beginSummary: (language) => `Beginnt eine Sitzung für ${language}.`,
    beginConfirm: 'Sitzung beginnen',
    begun: 'Sitzung begonnen',
    end: (id) => `Sitzung ${id} beenden`,
    endSummary: (id) => `Beendet die Sitzung ${id} samt ihren Variablen und Dateien.`,
    endConfirm: 'Sitzung beenden',
    ended: 'Sitzung beendet',
  },

  reset: {
    title: (files) => `${files} ${form(files, { one: 'Datei', other: 'Dateien' })} löschen`,
    summary: (files, session) =>
      `Löscht ${files} ${form(files, { one: 'Datei', other: 'Dateien' })} der Sitzung ${session}.`,
    confirm: 'Dateien löschen',
    done: (files) => `Gelöschte Dateien: ${files}`,
  },

  export: {
    write: (path) => `${path} schreiben`,
    replace: (path) => `${path} ersetzen`,
    from: (bytes, session) => `${bytes} · aus der Sitzung ${session}`,
    writeSummary: ({ file, bytes, session }) => `Schreibt ${file} mit ${bytes} aus der Sitzung ${session}.`,
    replaceSummary: ({ file, bytes, session }) => `Ersetzt ${file} durch ${bytes} aus der Sitzung ${session}.`,
    file: 'Datei',
    writes: 'Im Exportordner liegt dann eine neue Datei',
    replaces: 'Die vorhandene Datei wird vollständig ersetzt',
    writeConfirm: 'Datei schreiben',
    replaceConfirm: 'Datei ersetzen',
    written: 'Datei geschrieben',
    replaced: 'Datei ersetzt',
    content: 'Inhalt',
    newContent: 'Neuer Inhalt',
    before: 'Bisher vorhanden',
    change: 'Änderung',
    same: 'Derselbe Text steht dort schon.',
    differs: 'Die Texte unterscheiden sich in zu vielen Zeilen, um sie zu vergleichen.',
    binary: (kind) => (kind === undefined ? 'Kein Text' : `Kein Text; beginnt wie: ${kinds[kind]}`),
    size: 'Größe',
    firstBytes: (label) => `${label}: Anfang in Byte`,
  },
}
