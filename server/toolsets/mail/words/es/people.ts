import { quotation } from '../../../../cards/card-words.ts'
import { pluralsOf } from '../../../languages.ts'
import type { PeopleWords } from '../en/people.ts'

const { counted } = pluralsOf<'one' | 'many' | 'other'>('es')

const contacts = (number: number): string =>
  counted(number, { one: '# contacto', many: '# de contactos', other: '# contactos' })

export const people: PeopleWords = {
  contact: {
    fields: {
      name: 'Nombre',
      firstName: 'Nombre de pila',
      lastName: 'Apellidos',
      company: 'Empresa',
      note: 'Nota',
    },
    add: (name) => `Añadir ${name} a los contactos`,
    addSummary: (address, name) => `Añade ${address} a los contactos${name === null ? '' : ` como ${name}`}.`,
    shown: 'Las tarjetas de los correos muestran este nombre para esa dirección',
    nobodyTold: 'No se avisa a nadie',
    addConfirm: 'Añadir contacto',
    added: 'Contacto añadido',
    change: (whom) => `Modificar el contacto ${whom}`,
    changeSummary: (what, whom) => `Modifica en el contacto ${whom}: ${what.join(', ').toLowerCase()}.`,
    arrives: 'Entregabilidad',
    notArrives: 'El correo no llega',
    mayGo: 'Se puede volver a enviar correo a esa dirección',
    changeConfirm: 'Modificar contacto',
    changed: 'Contacto modificado',
    changeBack: 'Deshacer la modificación',
  },

  segment: {
    create: (name) => `Crear el segmento «${name}»`,
    summary: (name, number) => `Crea el segmento «${name}», que ahora abarca ${contacts(number)}.`,
    who: 'A quién abarca',
    everybody: 'Todos los contactos',
    allOf: (conditions) => conditions.join('; y '),
    // Singular, for the verbs of the conditions.
    fields: {
      name: 'el nombre',
      first_name: 'el nombre de pila',
      last_name: 'el campo de apellidos',
      email: 'la dirección',
      domain: 'el dominio',
      company: 'la empresa',
      note: 'la nota',
      undeliverable: 'la marca de no entregable',
    },
    is: (field, value) => `${field} es «${value}»`,
    isNot: (field, value) => `${field} no es «${value}»`,
    contains: (field, value) => `${field} contiene «${value}»`,
    exists: (field) => `consta ${field}`,
    missing: (field) => `falta ${field}`,
    withoutFirstName: 'Sin nombre de pila',
    undeliverable: 'No entregables',
    meantNow: 'Abarca ahora',
    noName: 'Sin nombre',
    isRule:
      'Forma parte del segmento quien cumpla las condiciones cuando se use, también los contactos que se añadan después',
    noConditions: 'No hay condiciones: abarca todos los contactos.',
    nobody: 'Ahora mismo nadie cumple estas condiciones.',
    confirm: 'Crear segmento',
    created: (name) => `Segmento «${name}» creado`,
    now: (number) => `${contacts(number)} ahora`,
    id: 'Id.',
  },

  template: {
    fields: {
      name: 'Nombre',
      description: 'Descripción',
      subject: 'Asunto',
      body: 'Texto',
      variables: 'Datos de cada llamada',
      fallbacks: 'Textos de sustitución',
    },
    spoken: {
      name: 'el nombre',
      description: 'la descripción',
      subject: 'el asunto',
      body: 'el texto',
      variables: 'los datos de cada llamada',
      fallbacks: 'los textos de sustitución',
    },
    done: {
      name: 'nombre',
      description: 'descripción',
      subject: 'asunto',
      body: 'texto',
      variables: 'datos de cada llamada',
      fallbacks: 'textos de sustitución',
    },
    create: (name) => `Crear la plantilla «${name}»`,
    createSummary: (name, subject) => `Crea la plantilla «${name}» con el asunto «${subject}».`,
    reads: (name) => `Cómo queda, por ejemplo para ${name}`,
    readsNow: (name) => `Cómo queda ahora, por ejemplo para ${name}`,
    readsThen: 'Cómo quedaría',
    noSample: (label) => `${label}: no habría correo.`,
    problem: (english) => `En inglés: ${quotation('es', english)}`,
    canBeUsed: 'A partir de entonces la plantilla se puede usar en correos',
    createConfirm: 'Crear plantilla',
    created: (name) => `Plantilla «${name}» creada`,
    id: 'Id.',
    without: (variable) => `Sin ${variable}`,
    needed: {
      title: (variables) => `Los destinatarios sin ${variables.join(' o ')} no reciben ningún correo.`,
      text: 'No hay texto de sustitución para ese dato. Antes del envío se indica a quién se omite.',
    },
    change: (name) => `Modificar la plantilla «${name}»`,
    changeSummary: (what, name) => `Modifica ${what} de la plantilla «${name}».`,
    readOtherwise: 'Los correos que se generen después con esta plantilla serán distintos',
    othersStay: 'Los correos enviados o programados quedan como están',
    changeConfirm: 'Modificar plantilla',
    changed: (name) => `Plantilla «${name}» modificada`,
    changeBack: (name) => `Deshacer la modificación de «${name}»`,
    now: (field) => `${field} (ahora)`,
    afterwards: (field) => `${field} (después)`,
  },
}
