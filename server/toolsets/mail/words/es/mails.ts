import { es as files } from '../../../files/words/es.ts'
import { listing, pluralsOf } from '../../../languages.ts'
import type { MailsWords } from '../en/mails.ts'

const { counted, form } = pluralsOf<'one' | 'many' | 'other'>('es')

/** `many` begins at a million, where the noun follows with "de"; other words are the same as for few. */
const forms = (one: string, other: string, many = other) => ({ one, many, other })

const listed = listing('es')
const recipients = (number: number): string =>
  counted(number, forms('# destinatario', '# destinatarios', '# de destinatarios'))
const mailsOf = (number: number): string => counted(number, forms('# correo', '# correos', '# de correos'))

export const mails: MailsWords = {
  units: files.units,
  listed,
  andMore: (first, more) => `${first} y ${more} más`,
  recipients,
  noMailByThis: 'Con esto nadie recibe ningún correo',
  of: (name, warning) => `${name}: ${warning}`,
  outside: (domain) => `${domain} · externo`,
  hasHtml: {
    title: 'El texto contiene HTML.',
    text: 'Los destinatarios lo ven tal como está escrito; nada de ello se ejecuta ni se carga.',
  },
  missed: {
    title: (moment) => `La hora de envío prevista ya ha pasado (${moment}).`,
    text: 'Se envía de inmediato.',
  },
  links: { label: 'Enlaces', text: 'Texto', leadsTo: 'Lleva a', address: 'Dirección' },
  labels: { address: 'Dirección', name: 'Nombre', subject: 'Asunto', from: 'De', answersTo: 'Respuestas a' },
  atOnce: 'De inmediato',
  newRecipients: (number) =>
    `${recipients(number)} no ${form(number, forms('ha', 'han'))} recibido nunca correo desde aquí`,

  send: {
    title: (whom) => `Enviar un correo a ${whom}`,
    summary: ({ subject, whom, attachments }) =>
      `Envía el correo «${subject}» a ${whom}${attachments === 0 ? '' : counted(attachments, forms(', con # archivo adjunto', ', con # archivos adjuntos', ', con # de archivos adjuntos'))}.`,
    goesOut: 'Envío',
    project: 'Proyecto',
    text: 'El correo, tal como se lee',
    leavesNow: (number) => `El correo se envía a ${recipients(number)} y no se puede retirar`,
    leavesLater: (number) =>
      `El correo se envía a ${recipients(number)} en ese momento; hasta entonces se puede anular`,
    leavesFor: (domains, named) =>
      `Va a ${domains === 1 ? 'un dominio externo' : `${domains} dominios externos`}: ${named}`,
    hidden: (number) =>
      `${recipients(number)} (CCO) lo ${form(number, forms('recibe', 'reciben'))} sin que los demás lo vean`,
    kept: 'Permanece en la lista de correos',
    draftGoes: (id) => `El borrador ${id} se elimina`,
    draftDiffers: (id, differs) => `El borrador ${id} se elimina; este correo difiere de él en ${differs}`,
    confirm: 'Enviar correo',
    confirmLater: 'Programar correo',
    roles: {
      to: 'Para',
      cc: 'Con copia a (CC)',
      bcc: 'Con copia oculta a (CCO); los demás no lo ven',
    },
    notContact: (name) => `${name} · no está en sus contactos`,
    all: (role, number) => `${role}: todos (${number})`,
    before: 'Correo anterior',
    never: 'Nunca',
    yes: 'Sí',
    attachments: 'Archivos adjuntos',
    name: 'Nombre',
    type: 'Tipo, según el contenido',
    size: 'Tamaño',
    together: 'En total',
    done: { sent: 'Correo enviado', scheduled: 'Correo programado', failed: 'Correo no enviado' },
    mail: 'Correo',
    state: 'Estado',
    states: {
      pending: 'pendiente',
      deferred: 'aplazado',
      accepted: 'aceptado',
      refused: 'rechazado',
      unknown: 'desconocido',
      cancelled: 'anulado',
    },
    answer: 'Respuesta del servidor de correo',
    notGot: (addresses) => `${listed(addresses)} no lo ${form(addresses.length, forms('recibe', 'reciben'))}.`,
    undo: 'Anular el correo',
  },

  // “Anular”: beside it stands the button “Cancelar”, which cancels the card.
  cancel: {
    title: (subject) => `Anular el correo «${subject}»`,
    summary: (subject, whom) => `Anula el envío del correo «${subject}» a ${whom}.`,
    would: 'Envío previsto',
    who: 'No lo reciben',
    doNot: (number) => `${recipients(number)} no lo ${form(number, forms('recibe', 'reciben'))}`,
    answered: (number) => `El servidor de correo ya ha respondido sobre ${recipients(number)}; eso no cambia`,
    confirm: 'Anular correo',
    done: 'Correo anulado',
  },

  settle: {
    mail: (subject) => `el correo «${subject}»`,
    campaign: (template) => `la campaña «${template}»`,
    again: (what, whom) => `Enviar de nuevo ${what} a ${whom}`,
    reached: (what, whom) => `Registrar que ${what} llegó a ${whom}`,
    notReached: (what, whom) => `Registrar que ${what} no llegó a ${whom}`,
    againSummary: (what, whom) => `Envía de nuevo ${what} a ${whom}; no se sabe si el primer envío llegó.`,
    reachedSummary: (what, whom) => `Registra que ${what} llegó a ${whom}.`,
    notReachedSummary: (what, whom) => `Registra que ${what} no llegó a ${whom}.`,
    who: 'No se sabe si llegó a',
    said: 'Lo que usted indica',
    arrived: 'Llegó',
    notArrived: 'No llegó',
    goesOut: (number) =>
      `${mailsOf(number)} ${form(number, forms('se envía y no se puede retirar', 'se envían y no se pueden retirar'))}`,
    goesOutResumed: (number) =>
      `${mailsOf(number)} ${form(number, forms('se envía en cuanto se reanude la campaña y no se puede retirar', 'se envían en cuanto se reanude la campaña y no se pueden retirar'))}`,
    waits: (number, from) =>
      `La cuota de este servidor está agotada: ${form(number, forms('se envía', 'se envían'))} cuando haya margen, a partir del ${from}`,
    counts: 'Cuenta como enviado',
    doNot: (number) => form(number, forms('Este destinatario no lo recibe', 'Estos destinatarios no lo reciben')),
    twice: {
      title: (number) =>
        `${form(number, forms('Esta persona', 'Cada una de estas personas'))} podría recibir el mismo correo dos veces.`,
      text: 'Nadie sabe si el primero se entregó. Confirme solo si lo ha preguntado y no llegó.',
    },
    confirmAgain: 'Enviar de nuevo',
    confirm: 'Registrar',
    sentAgain: 'Enviado de nuevo',
    doneArrived: 'Registrado: llegó',
    doneNotArrived: 'Registrado: no llegó',
  },

  draft: {
    fields: {
      to: 'Para',
      cc: 'Con copia a (CC)',
      bcc: 'Con copia oculta a (CCO)',
      replyTo: 'Respuestas a',
      subject: 'Asunto',
      body: 'Texto',
      attachments: 'Archivos adjuntos',
      projectId: 'Proyecto',
    },
    spoken: {
      to: 'los destinatarios',
      cc: 'los destinatarios en copia (CC)',
      bcc: 'los destinatarios en copia oculta (CCO)',
      replyTo: 'la dirección de respuesta',
      subject: 'el asunto',
      body: 'el texto',
      attachments: 'los archivos adjuntos',
      projectId: 'el proyecto',
    },
    called: (subject) => `«${subject}»`,
    to: (addresses) => `para ${addresses.join(', ')}`,
    noSubject: 'sin asunto',
    write: 'Escribir un borrador',
    keeps: (called) => `Guarda el borrador ${called}.`,
    keep: 'Guardar borrador',
    kept: 'Borrador guardado',
    undo: 'Eliminar el borrador',
    change: (called) => `Modificar el borrador ${called}`,
    changes: (what, called) => `Modifica ${what} del borrador ${called}.`,
    changeConfirm: 'Modificar borrador',
    changed: 'Borrador modificado',
    changeBack: 'Deshacer la modificación',
    remove: (called) => `Eliminar el borrador ${called}`,
    removes: (called) => `Elimina el borrador ${called}.`,
    gone: 'El borrador se elimina definitivamente',
    removeConfirm: 'Eliminar borrador',
    removed: 'Borrador eliminado',
    writeAgain: 'Volver a crearlo',
    text: 'Texto',
    textThen: (before) =>
      counted(
        before,
        forms(
          'Texto nuevo (antes, # carácter)',
          'Texto nuevo (antes, # caracteres)',
          'Texto nuevo (antes, # de caracteres)',
        ),
      ),
  },
}
