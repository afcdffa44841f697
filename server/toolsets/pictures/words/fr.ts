import type { PictureWords } from './en.ts'

export const fr: PictureWords = {
  label: 'Aperçu',
  ofFirstPage: (name) => `La première page de « ${name} »`,
  ofPicture: (name) => `L’image dans « ${name} »`,
  page: (pages) => `page 1 sur ${pages}`,
  frame: (frames) => `image 1 sur ${frames}`,
  pixels: (width, height) => `${width} × ${height} px`,
  located: {
    title: (name) => `${name} indique où la photo a été prise.`,
    text: 'Quiconque a le fichier peut lire le lieu. Téléversez-le à nouveau sans ses données GPS pour l’éviter.',
  },
  notShown: (reason) => `Non affiché : ${reason}`,
  tooManyPixels: (pixels) => `une fois décompressée, l’image compte ${pixels}`,
  reasons: {
    svg: 'un SVG peut faire plus que dessiner',
    'unknown-type': 'les images de ce type ne sont pas dessinées ici',
    'not-installed': 'wasm-vips et @hyzyla/pdfium, qui la dessinent, ne sont pas installés',
    'too-large': 'plus de 64 Mo',
    moves: 'l’image est animée, et son image fixe est une autre',
    encrypted: 'un mot de passe est demandé',
    damaged: 'fichier endommagé, ou fait pour ne pas pouvoir être dessiné',
    'too-costly': 'le dessin demande plus de temps ou de mémoire que permis',
    busy: 'trop d’autres images sont en cours de dessin',
    unreadable: 'le contenu enregistré est illisible',
  },
}
