import { quotation } from '../../../cards/card-words.ts'
import { pluralsOf } from '../../languages.ts'
import type { ContentKind, SandboxWords } from './en.ts'

const { form } = pluralsOf<'one' | 'many' | 'other'>('es')

const kinds: Readonly<Record<ContentKind, string>> = {
  png: 'imagen PNG',
  jpeg: 'imagen JPEG',
  gif: 'imagen GIF',
  pdf: 'documento PDF',
  zip: 'archivo ZIP (también .xlsx y .docx)',
  gzip: 'archivo gzip',
  sqlite: 'base de datos SQLite',
  wasm: 'programa WebAssembly',
  linuxProgram: 'programa de Linux (ELF)',
  windowsProgram: 'programa de Windows',
}

const files = (number: number): string =>
  `${number} ${form(number, { one: 'archivo', many: 'de archivos', other: 'archivos' })}`

export const es: SandboxWords = {
  bytes: (number) => `${number} ${form(number, { one: 'byte', many: 'de bytes', other: 'bytes' })}`,

  run: {
    title: (language) => `Ejecutar un programa en ${language}`,
    summary: ({ lines, language, session }) =>
      `Ejecuta ${lines} ${form(lines, { one: 'línea', many: 'de líneas', other: 'líneas' })} de ${language}${session === undefined ? '' : ` en la sesión ${session}`}.`,
    program: 'Programa',
    confirm: 'Ejecutar programa',
    session: (id) => `sesión ${id}`,
    endings: {
      finished: 'El programa se ejecutó hasta el final',
      error: 'El programa terminó con un error',
      out_of_fuel: 'El programa agotó su presupuesto de cálculo',
      out_of_memory: 'El programa agotó su memoria',
      timeout: 'El programa tardó demasiado',
      output_limit: 'El programa imprimió demasiado',
      crashed: 'El entorno de ejecución se interrumpió',
    },
    exitCode: (ending, code) => `${ending}: código de salida ${code}`,
    advice: (message, cause) => ({
      title: 'Indicación para el agente, en inglés:',
      text: quotation('es', `${message} ${cause}`),
    }),
    change: 'Cambio',
    output: 'Salida',
    errors: 'Errores',
    files: 'Archivos del espacio de trabajo',
    file: 'Archivo',
    changed: 'Cambio',
    bytes: 'Bytes',
    changes: { created: 'creado', modified: 'modificado', deleted: 'eliminado' },
    fuel: 'Presupuesto de cálculo',
    fuelOf: (call) => `Presupuesto de cálculo de la llamada ${call}`,
    fuelOfThis: (call) => `Presupuesto de cálculo de la llamada ${call} (esta)`,
    used: ({ fuel, percent }) => `${fuel}: usado al ${percent} %.`,
  },

  session: {
    begin: 'Abrir una sesión de trabajo',
    beginSummary: (language) => `Abre una sesión de trabajo de ${language}.`,
    beginConfirm: 'Abrir sesión de trabajo',
    begun: 'Sesión de trabajo abierta',
    end: (id) => `Terminar la sesión ${id}`,
    endSummary: (id) => `Termina la sesión ${id}, con sus variables y archivos.`,
    endConfirm: 'Terminar sesión de trabajo',
    ended: 'Sesión de trabajo terminada',
  },

  reset: {
    title: (number) => `Eliminar ${files(number)}`,
    summary: (number, session) => `Elimina ${files(number)} de la sesión ${session}.`,
    confirm: 'Eliminar archivos',
    done: (number) => `Archivos eliminados: ${number}`,
  },

  export: {
    write: (path) => `Escribir ${path}`,
    replace: (path) => `Reemplazar ${path}`,
    from: (bytes, session) => `${bytes} · de la sesión ${session}`,
    writeSummary: ({ file, bytes, session }) => `Escribe ${file} con ${bytes} de la sesión ${session}.`,
    replaceSummary: ({ file, bytes, session }) => `Reemplaza ${file} por ${bytes} de la sesión ${session}.`,
    file: 'Archivo',
    writes: 'Aparece un archivo nuevo en la carpeta de exportación',
    replaces: 'El archivo existente se reemplaza por completo',
    writeConfirm: 'Escribir archivo',
    replaceConfirm: 'Reemplazar archivo',
    written: 'Archivo escrito',
    replaced: 'Archivo reemplazado',
    content: 'Contenido',
    newContent: 'Contenido nuevo',
    before: 'Contenido actual',
    change: 'Cambio',
    same: 'El mismo texto ya está allí.',
    differs: 'Los textos difieren en demasiadas líneas para compararlos.',
    binary: (kind) => (kind === undefined ? 'No es texto' : `No es texto; empieza como: ${kinds[kind]}`),
    size: 'Tamaño',
    firstBytes: (label) => `${label}: primeros bytes`,
  },
}
