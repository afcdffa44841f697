import { quotation } from '../../../../cards/card-words.ts'
import { listing, pluralsOf } from '../../../languages.ts'
import { spokenNumber } from '../../../say.ts'
import type { RestCode } from '../../campaigns/schedule.ts'
import type { RenderTrouble } from '../../templates/template.ts'
import type { CampaignWords } from '../en/campaigns.ts'

const { counted, form } = pluralsOf<'one' | 'many' | 'other'>('es')

/** `many` begins at a million, where the noun follows with "de"; other words are the same as for few. */
const forms = (one: string, other: string, many = other) => ({ one, many, other })

const listed = listing('es')
const recipients = (number: number): string =>
  counted(number, forms('# destinatario', '# destinatarios', '# de destinatarios'))
const mails = (number: number): string => counted(number, forms('# correo', '# correos', '# de correos'))
const externalMails = (number: number): string =>
  counted(number, forms('# correo externo', '# correos externos', '# de correos externos'))
const acceptedOf = (accepted: number, number: number): string =>
  `${spokenNumber(accepted)} de ${mails(number)} ${form(accepted, forms('aceptado', 'aceptados'))}`
const sentForGood = (number: number): string =>
  form(number, forms('se envía y no se puede retirar', 'se envían y no se pueden retirar'))

const variables: Readonly<Record<string, string>> = {
  first_name: 'nombre de pila',
  last_name: 'apellidos',
  name: 'nombre',
  email: 'dirección de correo',
  company: 'empresa',
}
const variable = (name: string): string =>
  (Object.hasOwn(variables, name) ? variables[name] : undefined) ?? name.replaceAll('_', ' ')

function trouble({ field, ...what }: RenderTrouble): string {
  const of = field === 'subject' ? 'El asunto' : 'El texto'
  switch (what.kind) {
    case 'empty':
      return `${of} está vacío.`
    case 'too-long':
      return `${of} tiene ${what.length} caracteres; el máximo es ${what.most}.`
    case 'unreadable':
    case 'error':
      return `${of} no se puede generar; en inglés: ${quotation('es', what.english)}`
    default:
      return what satisfies never
  }
}

const because: Readonly<Record<RestCode, string>> = {
  mail_server_unreachable: 'No se puede acceder al servidor de correo',
  mail_server_defers: 'El servidor de correo no acepta nada por ahora',
  mail_server_refuses_us: 'El servidor de correo no admite a este servidor',
  mail_server_refuses_all: 'El servidor de correo rechaza a todos los destinatarios',
  template_unreadable: 'La plantilla no se puede leer',
  quota_used_up: 'La cuota de este servidor está agotada',
}

export const campaigns: CampaignWords = {
  variable,
  reasons: {
    undeliverable: (why) => `La dirección está marcada como no entregable: ${quotation('es', why)}`,
    missing: (names) => `Falta, y sin texto de sustitución: ${listed(names.map(variable))}.`,
    trouble,
  },

  bulk: {
    title: (number) => `Enviar un correo a ${recipients(number)}`,
    summary: ({ template, number, segment }) =>
      `Envía la plantilla «${template}» a ${recipients(number)} del segmento «${segment}».`,
    summaryLater: ({ template, number, segment }) =>
      `Envía más tarde la plantilla «${template}» a ${recipients(number)} del segmento «${segment}».`,
    template: 'Plantilla',
    segment: 'Segmento',
    inSegment: 'En el segmento',
    getIt: 'Reciben el correo',
    skipped: 'Se omiten',
    begins: 'Comienzo',
    takes: 'Duración aproximada',
    everybody: 'Todos los del segmento',
    rest: '`segments_preview` los muestra todos.',
    reads: (whom) => `Cómo queda para ${whom}`,
    source: 'La plantilla: algunos correos llevan otras partes de ella',
    who: 'Quién lo recibe',
    sentNow: (number) => `${externalMails(number)} ${sentForGood(number)}`,
    sentLater: (number) =>
      `${externalMails(number)} ${form(number, forms('se envía', 'se envían'))} a partir de ese momento; hasta entonces se puede detener la campaña`,
    goTo: ({ number, domains, outside }) => {
      const they = form(number, forms('Va', 'Van'))
      if (domains === 1) return `${they} a 1 dominio${outside === 1 ? ' externo' : ''}`
      const of =
        outside === domains
          ? 'todos externos'
          : outside === 0
            ? 'ninguno externo'
            : `${spokenNumber(outside)} de ellos ${form(outside, forms('externo', 'externos'))}`
      return `${they} a ${counted(domains, forms('# dominio', '# dominios', '# de dominios'))}, ${of}`
    },
    getNothing: (number) =>
      counted(
        number,
        forms(
          '# contacto del segmento no recibe nada',
          '# contactos del segmento no reciben nada',
          '# de contactos del segmento no reciben nada',
        ),
      ),
    countsForQuota: (number) =>
      `${recipients(number)} ${form(number, forms('cuenta', 'cuentan'))} para la cuota de este servidor`,
    canBeStopped: 'La campaña se puede pausar y detener durante el envío; lo ya enviado no se puede retirar',
    confirm: (number) => `Enviar ${mails(number)}`,
    confirmLater: (number) => `Programar ${mails(number)}`,
    skippedAll: (all) => `Omitidos: ${spokenNumber(all)}`,
    skippedSome: (all, named) => `Omitidos: ${spokenNumber(all)}, de los que aquí se muestran ${named}`,
    contact: 'Contacto',
    why: 'Motivo',
    gets: 'Recibe',
    nothing: (reason) => `Nada. ${reason}`,
    theMail: 'El correo',
    withFallbacks: (names) => `El correo, con texto de sustitución para: ${listed(names.map(variable))}`,
    noMail: (whom) => `${whom} no recibe ningún correo.`,
    cannotRender: 'No se puede generar.',
    absent: (number, name) => `${recipients(number)} sin ${variable(name)}: su correo va sin ese dato.`,
    absentReplaced: (number, name, fallback) =>
      `${recipients(number)} sin ${variable(name)}: en su lugar figura el texto de sustitución «${fallback}».`,
    notGiven: (name, fallback) =>
      `La llamada no indica: ${variable(name)}; en todos los correos figura en su lugar el texto de sustitución «${fallback}».`,
    undeliverable: (number) =>
      counted(
        number,
        forms(
          '# dirección de correo está marcada como no entregable y se omite.',
          '# direcciones de correo están marcadas como no entregables y se omiten.',
          '# de direcciones de correo están marcadas como no entregables y se omiten.',
        ),
      ),
    leftOut: (number, reason) => `Se ${form(number, forms('omite', 'omiten'))} ${recipients(number)}: ${reason}`,
    misnamed: {
      title: (number) =>
        `${recipients(number)} ${form(number, forms('tiene un nombre que parece', 'tienen nombres que parecen'))} otra dirección.`,
      text: (name, address) => `El correo para «${name}» va a ${address}.`,
    },
    empty: {
      title: (segment) => `Ahora mismo no hay nadie en el segmento «${segment}».`,
      text: 'Elija otro segmento; segments_preview indica a quién abarca cada uno.',
    },
    nobody: (segment) => `Nadie de «${segment}» puede recibir este correo.`,
    allUndeliverable: 'Hay direcciones marcadas como no entregables.',
    accepted: (accepted, number) => `${acceptedOf(accepted, number)} por el servidor de correo`,
    campaign: 'Campaña',
  },

  progress: {
    titles: {
      scheduled: 'Campaña programada',
      sending: 'La campaña se está enviando',
      paused: 'Campaña pausada',
      stopped: 'Campaña detenida',
      finished: 'Campaña enviada',
    },
    nobody: 'Nadie ha recibido la campaña',
    stop: 'Detener',
    pause: 'Pausar',
    resume: 'Reanudar',
    done: 'Correos procesados',
    accepted: 'Aceptados por el servidor de correo',
    deferred: 'Se reintentan más tarde',
    refused: 'Rechazados',
    unknown: 'No se sabe si llegaron',
    skipped: 'Omitidos',
    stopped: 'Nunca enviados, por haberse detenido la campaña',
    rests: 'Por ahora no se envía nada.',
    because: (code, said) =>
      code === undefined ? quotation('es', said) : `${because[code]}: ${quotation('es', said)}`,
  },

  halt: {
    confirmed: 'Confirmada',
    mails: 'Correos',
    left: 'Por enviar',
    mayHave: 'Puede que llegaran',
    because: 'Motivo de la espera',
    atServer: (number) => `${spokenNumber(number)} ahora mismo en el servidor de correo`,
    pause: (template) => `Pausar la campaña «${template}»`,
    pauseSummary: ({ template, segment, left }) =>
      `Pausa la campaña «${template}» para «${segment}»; por enviar: ${mails(left)}.`,
    noMore: 'No se envían más correos hasta que se reanude',
    fewDo: 'Los pocos que ahora mismo están en el servidor de correo todavía se envían',
    pauseConfirm: 'Pausar campaña',
    accepted: acceptedOf,
    undoPause: 'Reanudar la campaña',
    resume: (template) => `Enviar el resto de la campaña «${template}»`,
    resumeSummary: ({ template, segment, left }) =>
      `Reanuda la campaña «${template}»: envía ${mails(left)} a «${segment}».`,
    goOut: (number) => `${mails(number)} ${sentForGood(number)}`,
    notTwice: 'Nadie lo recibe dos veces',
    tookNothing: {
      title: 'El servidor de correo no aceptó nada de este servidor.',
      text: (said) => `Su respuesta: ${quotation('es', said)}`,
    },
    resumeConfirm: 'Reanudar campaña',
    resumed: 'Campaña reanudada',
    toGo: (number) => `${form(number, forms('Queda', 'Quedan'))} ${mails(number)} por enviar`,
    stop: (template) => `Detener la campaña «${template}»`,
    stopSummary: ({ template, segment, accepted, number, left }) =>
      `Detiene la campaña «${template}» para «${segment}»: se ${form(accepted, forms('ha', 'han'))} enviado ${spokenNumber(accepted)} de ${mails(number)} y ${spokenNumber(left)} ya no se ${form(left, forms('enviará', 'enviarán'))}.`,
    staySent: (number) =>
      `Hasta ahora se ${form(number, forms('ha', 'han'))} enviado ${mails(number)}; lo ya enviado no se puede retirar`,
    mayHaveGot: (number) =>
      `${recipients(number)} ${form(number, forms('puede', 'pueden'))} haberlo recibido sin que conste`,
    goesOn: {
      title: 'La campaña continúa hasta que usted confirme.',
      text: 'Para entonces se habrán enviado más correos de los que indica la tarjeta.',
    },
    stopConfirm: 'Detener campaña',
    sent: (number) => counted(number, forms('# enviado', '# enviados')),
    refused: (number) => counted(number, forms('# rechazado', '# rechazados')),
    unknown: (number) => counted(number, forms('# desconocido', '# desconocidos')),
    notSent: (number) => counted(number, forms('# no enviado', '# no enviados')),
  },
}
