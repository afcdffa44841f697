import { pluralsOf } from '../../languages.ts'
import type { FileKind, FileWords } from './en.ts'

const { counted } = pluralsOf<'one' | 'many' | 'other'>('fr')

const kinds: Readonly<Record<FileKind, string>> = {
  windowsProgram: 'programme Windows',
  linuxProgram: 'programme Linux',
  macProgram: 'programme macOS',
  windowsShortcut: 'raccourci Windows',
  javaProgram: 'programme Java',
  pdf: 'PDF',
  word: 'document Word',
  excel: 'classeur Excel',
  powerPoint: 'présentation PowerPoint',
  openText: 'texte OpenDocument',
  openSheet: 'feuille de calcul OpenDocument',
  oldOffice: 'ancien document Office',
  zip: 'archive ZIP',
  gzip: 'archive gzip',
  sevenZip: 'archive 7-Zip',
  rar: 'archive RAR',
  jpeg: 'image JPEG',
  png: 'image PNG',
  gif: 'image GIF',
  webp: 'image WebP',
  svg: 'image SVG',
  mp3: 'enregistrement MP3',
  mp4: 'vidéo MP4',
  rtf: 'document RTF',
  webPage: 'page web',
  xml: 'document XML',
  text: 'texte',
}

const typeName = (kind: FileKind | undefined, type: string | undefined): string =>
  kind === undefined ? (type ?? 'type inconnu') : kinds[kind]

export const fr: FileWords = {
  typeName,
  falseType: {
    unsaid: (content) => `D’après le contenu : ${kinds[content]}, et le nom ne le dit pas.`,
    otherwise: (said, content, type) =>
      `D’après le nom : ${kinds[said]}, d’après le contenu : ${typeName(content, type)}.`,
    text: 'Qui l’ouvre en se fiant à son nom peut lancer autre chose.',
  },
  units: ['octets', 'ko', 'Mo', 'Go'],
  userOver: (user, door) => `${user} (par ${door})`,

  labels: {
    file: 'Fichier',
    type: 'Type',
    size: 'Taille',
    content: 'Contenu',
    version: 'Version',
    mediaType: 'Type de média',
    uploaded: 'Téléversé',
    by: 'Par',
    who: 'Qui peut l’ouvrir',
    until: 'Jusqu’au',
    servedBy: 'Servi par',
    otherLinks: 'Autres liens valides',
    linkId: 'Identifiant du lien',
    firstLines: 'Premières lignes',
    text: 'Texte',
  },

  unreadable: {
    gone: 'Le contenu enregistré a disparu.',
    changed: 'Le contenu enregistré n’est pas celui qui a été téléversé.',
    text: 'Rien n’en est transmis. Téléversez le fichier à nouveau, ou demandez à l’exploitant.',
  },

  link: {
    title: (name) => `Créer un lien de téléchargement pour ${name}`,
    titleAgain: (name) => `Donner à nouveau le lien pour ${name}`,
    summary: ({ name, content, until }) =>
      `Permet à quiconque a l’adresse de télécharger ${name} (${content}) jusqu’au ${until}.`,
    anybody: 'Quiconque a l’adresse, sans se connecter',
    s3: 'S3, et non ce serveur',
    isNew: 'Une nouvelle adresse est créée et donnée à l’agent',
    isThere: 'L’adresse du lien existant est donnée à nouveau à l’agent',
    keeps: 'Une version téléversée plus tard n’est pas donnée : le lien garde ce contenu',
    notRecorded: 'Qui le télécharge, et combien de fois, n’est ni compté ni consigné ici',
    recorded: 'Chaque téléchargement est consigné, avec l’adresse de qui télécharge',
    others: (number) =>
      counted(number, {
        one: '# autre lien vers ce fichier reste inchangé',
        many: '# d’autres liens vers ce fichier restent inchangés',
        other: '# autres liens vers ce fichier restent inchangés',
      }),
    forGood: {
      title: (until) => `Personne ne peut reprendre ce lien : il est valable jusqu’au ${until}.`,
      text: 'S3 l’a signé. Il reste valable si vous le regrettez, et même si le fichier est supprimé.',
    },
    older: {
      title: (version, current) => `Le lien donne la version ${version}, et le fichier en est à la version ${current}.`,
      text: 'Pour donner la plus récente, révoquez d’abord ce lien, ou choisissez un autre moment.',
    },
    noWebDoor: {
      title: 'Ce serveur n’est pas accessible par le web.',
      text: 'Un lien ne mènerait nulle part. Servez-le par HTTP.',
    },
    confirm: 'Créer le lien',
    confirmAgain: 'Donner à nouveau le lien',
    revoke: 'Révoquer ce lien',
    done: (name) => `Lien de téléchargement pour ${name}`,
    download: 'Télécharger',
  },

  noRoom: ({ all, left, needs }) => `Sur ${all}, il reste ${left}, et ce fichier occupe ${needs}.`,

  revoke: {
    title: (name) => `Révoquer le lien de téléchargement pour ${name}`,
    summary: (name, until) => `L’adresse de ${name}, valable jusqu’au ${until}, ne fonctionne plus.`,
    created: 'Créé',
    wouldWork: 'Valable jusqu’au',
    downloads: 'Téléchargements',
    last: 'Dernier téléchargement',
    stops: 'L’adresse ne fonctionne plus, dès maintenant et définitivement',
    stays: 'Le fichier et ses autres liens restent',
    confirm: 'Révoquer le lien',
    done: (name) => `Lien pour ${name} révoqué`,
    signed: {
      title: (until) => `S3 a signé ce lien ; il est valable jusqu’au ${until}.`,
      text: 'Ce serveur ne peut pas le reprendre. Qui exploite le compartiment peut en retirer l’objet.',
    },
  },

  remove: {
    title: (name) => `Supprimer ${name}`,
    summary: ({ name, number, until }) =>
      `Supprime le fichier ${name}, avec ${counted(number, { one: '# version', many: '# de versions', other: '# versions' })} ; il peut être restauré jusqu’au ${until}.`,
    versions: 'Versions',
    links: 'Liens de téléchargement valides',
    until: 'Restaurable jusqu’au',
    stopped: 'Liens de téléchargement arrêtés',
    gone: (number) =>
      counted(number, {
        one: 'Le fichier n’est plus là pour personne',
        many: 'Le fichier et ses # de versions ne sont plus là pour personne',
        other: 'Le fichier et ses # versions ne sont plus là pour personne',
      }),
    linksStop: (number) =>
      counted(number, {
        one: '# lien de téléchargement ne fonctionne plus ; après une restauration, il fonctionne à nouveau',
        many: '# de liens de téléchargement ne fonctionnent plus ; après une restauration, ils fonctionnent à nouveau',
        other: '# liens de téléchargement ne fonctionnent plus ; après une restauration, ils fonctionnent à nouveau',
      }),
    signedGoOn: (number, until) =>
      `${counted(number, { one: '# lien signé par S3 reste valable', many: '# de liens signés par S3 restent valables', other: '# liens signés par S3 restent valables' })} jusqu’au ${until}`,
    restorable: (until) => `Jusqu’au ${until}, il peut être restauré ; ensuite, son contenu est effacé définitivement`,
    confirm: 'Supprimer le fichier',
    done: (name) => `${name} supprimé`,
  },

  restore: {
    title: (name) => `Restaurer ${name}`,
    summary: (name) => `Restaure le fichier supprimé ${name}.`,
    back: 'Le fichier et ses versions sont de nouveau là',
    linksWork: (number) =>
      counted(number, {
        one: '# lien de téléchargement fonctionne à nouveau',
        many: '# de liens de téléchargement fonctionnent à nouveau',
        other: '# liens de téléchargement fonctionnent à nouveau',
      }),
    confirm: 'Restaurer le fichier',
    done: (name) => `${name} restauré`,
    noRoom: 'Il n’y a pas assez de place.',
    unknown: 'Ce fichier n’existe pas ou n’est pas supprimé.',
    taken: {
      title: (name) => `Un autre fichier s’appelle désormais ${name}.`,
      text: (id) => `Supprimez d’abord celui-là (${id}).`,
    },
  },

  older: {
    title: (number, name) => `Restaurer la version ${number} de « ${name} »`,
    summary: ({ number, name, next }) => `Remet en vigueur la version ${number} de « ${name} », comme version ${next}.`,
    content: 'Contenu (SHA-256)',
    stays: (current) => `La version ${current} reste et peut être restaurée de la même façon`,
    linksStay: 'Les liens de téléchargement donnent toujours la version pour laquelle ils ont été créés',
    confirm: 'Restaurer la version',
    back: (number) => `Revenir à la version ${number}`,
    done: (name, number) => `${name} est maintenant à la version ${number}`,
    same: {
      title: (name) => `${name} a déjà ce contenu.`,
      text: (current, number) => `La version ${current} est identique à la version ${number}.`,
    },
  },

  failures: {
    unknown_file: 'Ce fichier n’existe pas.',
    unknown_link: 'Ce lien de téléchargement n’existe pas ou ne fonctionne plus.',
    unknown_version: 'Le fichier n’a pas cette version.',
    unreadable_content: 'Le contenu enregistré est perdu ou modifié.',
    nothing_to_change: 'Le fichier a déjà ce contenu.',
    signed_by_s3: 'S3 a signé ce lien, et personne ne peut le reprendre.',
    expires_in_past: 'Ce moment est déjà passé.',
    expires_too_late: 'Ce moment est trop lointain.',
    no_web_door: 'Ce serveur n’est pas accessible par le web.',
    no_room: 'Il n’y a pas assez de place.',
    name_taken: 'Un autre fichier porte ce nom désormais.',
  },
}
