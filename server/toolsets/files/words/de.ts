import { pluralsOf } from '../../languages.ts'
import type { FileKind, FileWords } from './en.ts'

const { counted } = pluralsOf<'one' | 'other'>('de')

const kinds: Readonly<Record<FileKind, string>> = {
  windowsProgram: 'Windows-Programm',
  linuxProgram: 'Linux-Programm',
  macProgram: 'macOS-Programm',
  windowsShortcut: 'Windows-Verknüpfung',
  javaProgram: 'Java-Programm',
  pdf: 'PDF',
  word: 'Word-Dokument',
  excel: 'Excel-Arbeitsmappe',
  powerPoint: 'PowerPoint-Präsentation',
  openText: 'OpenDocument-Text',
  openSheet: 'OpenDocument-Tabelle',
  oldOffice: 'altes Office-Dokument',
  zip: 'ZIP-Archiv',
  gzip: 'gzip-Archiv',
  sevenZip: '7-Zip-Archiv',
  rar: 'RAR-Archiv',
  jpeg: 'JPEG-Bild',
  png: 'PNG-Bild',
  gif: 'GIF-Bild',
  webp: 'WebP-Bild',
  svg: 'SVG-Bild',
  mp3: 'MP3-Aufnahme',
  mp4: 'MP4-Video',
  rtf: 'RTF-Dokument',
  webPage: 'Webseite',
  xml: 'XML-Dokument',
  text: 'Text',
}

const typeName = (kind: FileKind | undefined, type: string | undefined): string =>
  kind === undefined ? (type ?? 'unbekannter Typ') : kinds[kind]

export const de: FileWords = {
  typeName,
  falseType: {
    unsaid: (content) => `Dem Inhalt nach ${kinds[content]}, und der Name sagt das nicht.`,
    otherwise: (said, content, type) => `Dem Namen nach ${kinds[said]}, dem Inhalt nach ${typeName(content, type)}.`,
    text: 'Wer die Datei ihrem Namen nach öffnet, startet vielleicht etwas anderes.',
  },
  units: ['Byte', 'kB', 'MB', 'GB'],
  userOver: (user, door) => `${user} (über ${door})`,

  labels: {
    file: 'Datei',
    type: 'Typ',
    size: 'Größe',
    content: 'Inhalt',
    version: 'Version',
    mediaType: 'Medientyp',
    uploaded: 'Hochgeladen',
    by: 'Von',
    who: 'Wer ihn öffnen kann',
    until: 'Bis',
    servedBy: 'Ausgeliefert von',
    otherLinks: 'Weitere gültige Links',
    linkId: 'Link-ID',
    firstLines: 'Erste Zeilen',
    text: 'Text',
  },

  unreadable: {
    gone: 'Der gespeicherte Inhalt ist nicht mehr da.',
    changed: 'Der gespeicherte Inhalt ist nicht der, der hochgeladen wurde.',
    text: 'Nichts davon wird weitergegeben. Laden Sie die Datei neu hoch, oder fragen Sie den Betreiber.',
  },

  link: {
    title: (name) => `Download-Link für ${name} erstellen`,
    titleAgain: (name) => `Link für ${name} noch einmal ausgeben`,
    summary: ({ name, content, until }) => `Wer die Adresse hat, kann ${name} (${content}) herunterladen bis ${until}.`,
    anybody: 'Alle, die die Adresse haben, ohne Anmeldung',
    s3: 'S3, nicht von diesem Server',
    isNew: 'Eine neue Adresse wird erstellt und dem Agenten gegeben',
    isThere: 'Die Adresse des vorhandenen Links wird dem Agenten noch einmal gegeben',
    keeps: 'Eine später hochgeladene Version ist nicht dabei: Der Link behält diesen Inhalt',
    notRecorded: 'Wer sie herunterlädt und wie oft, wird hier weder gezählt noch aufgezeichnet',
    recorded: 'Jeder Abruf wird mit der Adresse des Abrufenden aufgezeichnet',
    others: (number) =>
      counted(number, {
        one: '# anderer Link zu dieser Datei bleibt, wie er ist',
        other: '# andere Links zu dieser Datei bleiben, wie sie sind',
      }),
    forGood: {
      title: (until) => `Niemand kann diesen Link zurücknehmen: Er gilt bis ${until}.`,
      text: 'S3 hat ihn signiert. Er gilt weiter, auch wenn Sie ihn bereuen oder die Datei gelöscht wird.',
    },
    older: {
      title: (version, current) =>
        `Der Link gibt die Version ${version} aus, die Datei hat inzwischen die Version ${current}.`,
      text: 'Um die neuere auszugeben, widerrufen Sie zuerst diesen Link, oder wählen Sie einen anderen Zeitpunkt.',
    },
    noWebDoor: {
      title: 'Dieser Server ist nicht über das Web erreichbar.',
      text: 'Ein Link würde ins Leere führen. Stellen Sie den Server über HTTP bereit.',
    },
    confirm: 'Link erstellen',
    confirmAgain: 'Link noch einmal ausgeben',
    revoke: 'Diesen Link widerrufen',
    done: (name) => `Download-Link für ${name}`,
    download: 'Herunterladen',
  },

  noRoom: ({ all, left, needs }) => `Von ${all} sind noch ${left} frei, und diese Datei hat ${needs}.`,

  revoke: {
    title: (name) => `Download-Link für ${name} widerrufen`,
    summary: (name, until) => `Die Adresse für ${name}, die bis ${until} gelten würde, gilt nicht mehr.`,
    created: 'Erstellt',
    wouldWork: 'Würde gelten bis',
    downloads: 'Abrufe',
    last: 'Letzter Abruf',
    stops: 'Die Adresse gilt ab sofort und endgültig nicht mehr',
    stays: 'Die Datei und ihre anderen Links bleiben',
    confirm: 'Link widerrufen',
    done: (name) => `Link für ${name} widerrufen`,
    signed: {
      title: (until) => `S3 hat diesen Link signiert; er gilt bis ${until}.`,
      text: 'Dieser Server kann ihn nicht zurücknehmen. Wer den Bucket betreibt, kann das Objekt entfernen.',
    },
  },

  remove: {
    title: (name) => `${name} löschen`,
    summary: ({ name, number, until }) =>
      `Löscht die Datei ${name} mit ${counted(number, { one: '# Version', other: '# Versionen' })}; wiederherstellen lässt sie sich bis ${until}.`,
    versions: 'Versionen',
    links: 'Gültige Download-Links',
    until: 'Wiederherstellbar bis',
    stopped: 'Beendete Download-Links',
    gone: (number) =>
      counted(number, {
        one: 'Die Datei ist für niemanden mehr da',
        other: 'Die Datei und ihre # Versionen sind für niemanden mehr da',
      }),
    linksStop: (number) =>
      counted(number, {
        one: '# Download-Link gilt nicht mehr; nach dem Wiederherstellen gilt er wieder',
        other: '# Download-Links gelten nicht mehr; nach dem Wiederherstellen gelten sie wieder',
      }),
    signedGoOn: (number, until) =>
      `${counted(number, { one: '# von S3 signierter Link gilt', other: '# von S3 signierte Links gelten' })} weiter bis ${until}`,
    restorable: (until) => `Bis ${until} lässt sie sich wiederherstellen; danach wird ihr Inhalt endgültig entfernt`,
    confirm: 'Datei löschen',
    done: (name) => `${name} gelöscht`,
  },

  restore: {
    title: (name) => `${name} wiederherstellen`,
    summary: (name) => `Stellt die gelöschte Datei ${name} wieder her.`,
    back: 'Die Datei und ihre Versionen sind wieder da',
    linksWork: (number) =>
      counted(number, { one: '# Download-Link gilt wieder', other: '# Download-Links gelten wieder' }),
    confirm: 'Datei wiederherstellen',
    done: (name) => `${name} wiederhergestellt`,
    noRoom: 'Dafür ist kein Platz.',
    unknown: 'Diese Datei ist nicht da oder nicht gelöscht.',
    taken: {
      title: (name) => `Inzwischen heißt eine andere Datei ${name}.`,
      text: (id) => `Löschen Sie zuerst diese (${id}).`,
    },
  },

  older: {
    title: (number, name) => `Version ${number} von ${name} wiederherstellen`,
    summary: ({ number, name, next }) =>
      `Macht die Version ${number} von ${name} wieder zur aktuellen, als Version ${next}.`,
    content: 'Inhalt (SHA-256)',
    stays: (current) => `Die Version ${current} bleibt und lässt sich ebenso wiederherstellen`,
    linksStay: 'Download-Links geben weiter die Version aus, für die sie erstellt wurden',
    confirm: 'Version wiederherstellen',
    back: (number) => `Zurück zur Version ${number}`,
    done: (name, number) => `${name} ist jetzt Version ${number}`,
    same: {
      title: (name) => `${name} hat diesen Inhalt schon.`,
      text: (current, number) => `Die Version ${current} ist dieselbe wie die Version ${number}.`,
    },
  },

  failures: {
    unknown_file: 'Diese Datei gibt es nicht.',
    unknown_link: 'Diesen Download-Link gibt es nicht, oder er gilt nicht mehr.',
    unknown_version: 'Diese Version hat die Datei nicht.',
    unreadable_content: 'Der gespeicherte Inhalt ist verloren oder verändert.',
    nothing_to_change: 'Die Datei hat diesen Inhalt schon.',
    signed_by_s3: 'S3 hat diesen Link signiert, und niemand kann ihn zurücknehmen.',
    expires_in_past: 'Der Zeitpunkt ist vorbei.',
    expires_too_late: 'Der Zeitpunkt liegt zu weit voraus.',
    no_web_door: 'Dieser Server ist nicht über das Web erreichbar.',
    no_room: 'Dafür ist nicht genug Platz.',
    name_taken: 'Inzwischen heißt eine andere Datei so.',
  },
}
