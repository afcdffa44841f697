import type { PictureWords } from './en.ts'

export const pt: PictureWords = {
  label: 'Imagem',
  ofFirstPage: (name) => `A primeira página de ${name}`,
  ofPicture: (name) => `A imagem de ${name}`,
  page: (pages) => `página 1 de ${pages}`,
  frame: (frames) => `imagem 1 de ${frames}`,
  pixels: (width, height) => `${width} × ${height} pixels`,
  located: {
    title: (name) => `${name} revela onde a foto foi tirada.`,
    text: 'Quem tiver o arquivo pode ler o local. Para evitar isso, envie-o de novo sem os dados de GPS.',
  },
  notShown: (reason) => `Não mostrada: ${reason}`,
  tooManyPixels: (pixels) => `descompactada, ela tem ${pixels}`,
  reasons: {
    svg: 'um SVG pode fazer mais do que desenhar',
    'unknown-type': 'imagens deste tipo não são desenhadas aqui',
    'not-installed': 'wasm-vips e @hyzyla/pdfium, que a desenham, não estão instalados',
    'too-large': 'ela tem mais de 64 MB',
    moves: 'ela se move, e a sua imagem parada é outra',
    encrypted: 'ela pede uma senha',
    damaged: 'está danificada, ou foi feita de modo que não pode ser desenhada',
    'too-costly': 'desenhá-la exige mais tempo ou memória do que é permitido',
    busy: 'imagens demais estão sendo desenhadas agora',
    unreadable: 'o conteúdo guardado não pode ser lido',
  },
}
