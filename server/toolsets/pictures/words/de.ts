import type { PictureWords } from './en.ts'

export const de: PictureWords = {
  label: 'Bild',
  ofFirstPage: (name) => `Die erste Seite von ${name}`,
  ofPicture: (name) => `Das Bild in ${name}`,
  page: (pages) => `Seite 1 von ${pages}`,
  frame: (frames) => `Bild 1 von ${frames}`,
  pixels: (width, height) => `${width} × ${height} Pixel`,
  located: {
    title: (name) => `${name} verrät, wo das Bild aufgenommen wurde.`,
    text: 'Wer die Datei hat, kann den Ort lesen. Ohne ihre GPS-Daten neu hochgeladen, verrät sie ihn nicht.',
  },
  notShown: (reason) => `Nicht gezeigt: ${reason}`,
  tooManyPixels: (pixels) => `entpackt sind es ${pixels}`,
  reasons: {
    svg: 'ein SVG kann mehr als zeichnen',
    'unknown-type': 'Bilder dieses Typs werden hier nicht gezeichnet',
    'not-installed': 'wasm-vips und @hyzyla/pdfium, die es zeichnen, sind nicht installiert',
    'too-large': 'größer als 64 MB',
    moves: 'es bewegt sich, und sein Standbild ist ein anderes',
    encrypted: 'es verlangt ein Passwort',
    damaged: 'beschädigt oder so gemacht, dass es sich nicht zeichnen lässt',
    'too-costly': 'das Zeichnen braucht mehr Zeit oder Speicher, als es darf',
    busy: 'zu viele andere Bilder werden gerade gezeichnet',
    unreadable: 'der gespeicherte Inhalt ist nicht lesbar',
  },
}
