import type { PictureWords } from './en.ts'

export const es: PictureWords = {
  label: 'Imagen',
  ofFirstPage: (name) => `La primera página de ${name}`,
  ofPicture: (name) => `La imagen de ${name}`,
  page: (pages) => `página 1 de ${pages}`,
  frame: (frames) => `imagen 1 de ${frames}`,
  pixels: (width, height) => `${width} × ${height} píxeles`,
  located: {
    title: (name) => `${name} dice dónde se tomó la foto.`,
    text: 'Quien tenga el archivo puede leer el lugar. Súbalo de nuevo sin sus datos GPS para evitarlo.',
  },
  notShown: (reason) => `No se muestra: ${reason}`,
  tooManyPixels: (pixels) => `descomprimida ocupa ${pixels}`,
  reasons: {
    svg: 'un SVG puede hacer más que dibujar',
    'unknown-type': 'las imágenes de este tipo no se dibujan aquí',
    'not-installed': 'wasm-vips y @hyzyla/pdfium, que la dibujan, no están instalados',
    'too-large': 'ocupa más de 64 MB',
    moves: 'se mueve, y su imagen fija es otra',
    encrypted: 'pide una contraseña',
    damaged: 'está dañada, o hecha de modo que no se puede dibujar',
    'too-costly': 'dibujarla requiere más tiempo o memoria de lo permitido',
    busy: 'se están dibujando demasiadas imágenes',
    unreadable: 'el contenido guardado no se puede leer',
  },
}
