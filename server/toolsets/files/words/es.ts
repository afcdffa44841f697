import { pluralsOf } from '../../languages.ts'
import type { FileKind, FileWords } from './en.ts'

const { counted } = pluralsOf<'one' | 'many' | 'other'>('es')

const kinds: Readonly<Record<FileKind, string>> = {
  windowsProgram: 'programa de Windows',
  linuxProgram: 'programa de Linux',
  macProgram: 'programa de macOS',
  windowsShortcut: 'acceso directo de Windows',
  javaProgram: 'programa de Java',
  pdf: 'PDF',
  word: 'documento de Word',
  excel: 'libro de Excel',
  powerPoint: 'presentación de PowerPoint',
  openText: 'texto OpenDocument',
  openSheet: 'hoja de cálculo OpenDocument',
  oldOffice: 'documento antiguo de Office',
  zip: 'archivo ZIP',
  gzip: 'archivo gzip',
  sevenZip: 'archivo 7-Zip',
  rar: 'archivo RAR',
  jpeg: 'imagen JPEG',
  png: 'imagen PNG',
  gif: 'imagen GIF',
  webp: 'imagen WebP',
  svg: 'imagen SVG',
  mp3: 'grabación MP3',
  mp4: 'vídeo MP4',
  rtf: 'documento RTF',
  webPage: 'página web',
  xml: 'documento XML',
  text: 'texto',
}

const typeName = (kind: FileKind | undefined, type: string | undefined): string =>
  kind === undefined ? (type ?? 'tipo desconocido') : kinds[kind]

export const es: FileWords = {
  typeName,
  falseType: {
    unsaid: (content) => `Según el contenido: ${kinds[content]}, y el nombre no lo dice.`,
    otherwise: (said, content, type) =>
      `Según el nombre: ${kinds[said]}; según el contenido: ${typeName(content, type)}.`,
    text: 'Quien lo abra por su nombre puede iniciar otra cosa.',
  },
  units: ['bytes', 'kB', 'MB', 'GB'],
  userOver: (user, door) => `${user} (por ${door})`,

  labels: {
    file: 'Archivo',
    type: 'Tipo',
    size: 'Tamaño',
    content: 'Contenido',
    version: 'Versión',
    mediaType: 'Tipo de medio',
    uploaded: 'Subido',
    by: 'Por',
    who: 'Quién puede abrirlo',
    until: 'Hasta',
    servedBy: 'Servido por',
    otherLinks: 'Otros enlaces válidos',
    linkId: 'Id. del enlace',
    firstLines: 'Primeras líneas',
    text: 'Texto',
  },

  unreadable: {
    gone: 'El contenido guardado ya no está.',
    changed: 'El contenido guardado no es el que se subió.',
    text: 'No se entrega nada de él. Suba el archivo de nuevo, o consulte al operador.',
  },

  link: {
    title: (name) => `Crear un enlace de descarga para ${name}`,
    titleAgain: (name) => `Volver a dar el enlace de ${name}`,
    summary: ({ name, content, until }) =>
      `Permite que quien tenga la dirección descargue ${name} (${content}) hasta el ${until}.`,
    anybody: 'Quien tenga la dirección, sin iniciar sesión',
    s3: 'S3, y este servidor no',
    isNew: 'Se crea una dirección nueva y se da al agente',
    isThere: 'La dirección del enlace existente se da otra vez al agente',
    keeps: 'Una versión que se suba después no se entrega: el enlace conserva este contenido',
    notRecorded: 'Quién lo descarga, y cuántas veces, ni se cuenta ni se registra aquí',
    recorded: 'Cada descarga se registra, con la dirección de quien descarga',
    others: (number) =>
      counted(number, {
        one: '# enlace más a este archivo sigue como está',
        many: '# de enlaces más a este archivo siguen como están',
        other: '# enlaces más a este archivo siguen como están',
      }),
    forGood: {
      title: (until) => `Nadie puede retirar este enlace: es válido hasta el ${until}.`,
      text: 'S3 lo ha firmado. Sigue siendo válido aunque usted se arrepienta, y aunque se elimine el archivo.',
    },
    older: {
      title: (version, current) => `El enlace da la versión ${version}, y el archivo ya va por la versión ${current}.`,
      text: 'Para dar la más nueva, revoque primero este enlace, o elija otro momento.',
    },
    noWebDoor: {
      title: 'Este servidor no está accesible por la web.',
      text: 'Un enlace no llevaría a ninguna parte. Sírvalo por HTTP.',
    },
    confirm: 'Crear enlace',
    confirmAgain: 'Volver a dar el enlace',
    revoke: 'Revocar este enlace',
    done: (name) => `Enlace de descarga de ${name}`,
    download: 'Descargar',
  },

  noRoom: ({ all, left, needs }) => `De ${all} quedan ${left}, y este archivo ocupa ${needs}.`,

  revoke: {
    title: (name) => `Revocar el enlace de descarga de ${name}`,
    summary: (name, until) => `La dirección de ${name}, válida hasta el ${until}, deja de funcionar.`,
    created: 'Creado',
    wouldWork: 'Sería válido hasta',
    downloads: 'Descargas',
    last: 'Última descarga',
    stops: 'La dirección deja de funcionar de inmediato y para siempre',
    stays: 'El archivo y sus demás enlaces permanecen',
    confirm: 'Revocar enlace',
    done: (name) => `Enlace de ${name} revocado`,
    signed: {
      title: (until) => `S3 ha firmado este enlace; es válido hasta el ${until}.`,
      text: 'Este servidor no puede retirarlo. Quien administre el bucket puede quitar el objeto.',
    },
  },

  remove: {
    title: (name) => `Eliminar ${name}`,
    summary: ({ name, number, until }) =>
      `Elimina el archivo ${name}, con ${counted(number, { one: '# versión', many: '# de versiones', other: '# versiones' })}; se puede restaurar hasta el ${until}.`,
    versions: 'Versiones',
    links: 'Enlaces de descarga válidos',
    until: 'Se puede restaurar hasta',
    stopped: 'Enlaces de descarga detenidos',
    gone: (number) =>
      counted(number, {
        one: 'El archivo ya no está para nadie',
        many: 'El archivo y sus # de versiones ya no están para nadie',
        other: 'El archivo y sus # versiones ya no están para nadie',
      }),
    linksStop: (number) =>
      counted(number, {
        one: '# enlace de descarga deja de funcionar; al restaurar el archivo vuelve a funcionar',
        many: '# de enlaces de descarga dejan de funcionar; al restaurar el archivo vuelven a funcionar',
        other: '# enlaces de descarga dejan de funcionar; al restaurar el archivo vuelven a funcionar',
      }),
    signedGoOn: (number, until) =>
      `${counted(number, { one: '# enlace firmado por S3 sigue siendo válido', many: '# de enlaces firmados por S3 siguen siendo válidos', other: '# enlaces firmados por S3 siguen siendo válidos' })} hasta el ${until}`,
    restorable: (until) => `Hasta el ${until} se puede restaurar; después, su contenido se borra para siempre`,
    confirm: 'Eliminar archivo',
    done: (name) => `${name} eliminado`,
  },

  restore: {
    title: (name) => `Restaurar ${name}`,
    summary: (name) => `Recupera el archivo eliminado ${name}.`,
    back: 'El archivo y sus versiones están de nuevo',
    linksWork: (number) =>
      counted(number, {
        one: '# enlace de descarga vuelve a funcionar',
        many: '# de enlaces de descarga vuelven a funcionar',
        other: '# enlaces de descarga vuelven a funcionar',
      }),
    confirm: 'Restaurar archivo',
    done: (name) => `${name} restaurado`,
    noRoom: 'No hay espacio para él.',
    unknown: 'Ese archivo no existe o no está eliminado.',
    taken: {
      title: (name) => `Otro archivo se llama ahora ${name}.`,
      text: (id) => `Elimine primero ese (${id}).`,
    },
  },

  older: {
    title: (number, name) => `Restaurar la versión ${number} de ${name}`,
    summary: ({ number, name, next }) =>
      `Hace que la versión ${number} de ${name} vuelva a ser la actual, como versión ${next}.`,
    content: 'Contenido (SHA-256)',
    stays: (current) => `La versión ${current} permanece y se puede restaurar del mismo modo`,
    linksStay: 'Los enlaces de descarga siguen dando la versión para la que se crearon',
    confirm: 'Restaurar versión',
    back: (number) => `Volver a la versión ${number}`,
    done: (name, number) => `${name} está ahora en la versión ${number}`,
    same: {
      title: (name) => `${name} ya tiene este contenido.`,
      text: (current, number) => `La versión ${current} es igual que la versión ${number}.`,
    },
  },

  failures: {
    unknown_file: 'Ese archivo no existe.',
    unknown_link: 'Ese enlace de descarga no existe o ya no funciona.',
    unknown_version: 'El archivo no tiene esa versión.',
    unreadable_content: 'El contenido guardado se ha perdido o ha cambiado.',
    nothing_to_change: 'El archivo ya tiene ese contenido.',
    signed_by_s3: 'S3 firmó este enlace y nadie puede retirarlo.',
    expires_in_past: 'Ese momento ya pasó.',
    expires_too_late: 'Ese momento está demasiado lejos.',
    no_web_door: 'Este servidor no está accesible por la web.',
    no_room: 'No hay espacio suficiente.',
    name_taken: 'Otro archivo ya tiene ese nombre.',
  },
}
