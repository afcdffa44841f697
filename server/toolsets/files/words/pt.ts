import { pluralsOf } from '../../languages.ts'
import type { FileKind, FileWords } from './en.ts'

const { counted } = pluralsOf<'one' | 'many' | 'other'>('pt')

const kinds: Readonly<Record<FileKind, string>> = {
  windowsProgram: 'programa do Windows',
  linuxProgram: 'programa do Linux',
  macProgram: 'programa do macOS',
  windowsShortcut: 'atalho do Windows',
  javaProgram: 'programa Java',
  pdf: 'PDF',
  word: 'documento do Word',
  excel: 'planilha do Excel',
  powerPoint: 'apresentação do PowerPoint',
  openText: 'texto OpenDocument',
  openSheet: 'planilha OpenDocument',
  oldOffice: 'documento antigo do Office',
  zip: 'arquivo ZIP',
  gzip: 'arquivo gzip',
  sevenZip: 'arquivo 7-Zip',
  rar: 'arquivo RAR',
  jpeg: 'imagem JPEG',
  png: 'imagem PNG',
  gif: 'imagem GIF',
  webp: 'imagem WebP',
  svg: 'imagem SVG',
  mp3: 'gravação MP3',
  mp4: 'vídeo MP4',
  rtf: 'documento RTF',
  webPage: 'página da internet',
  xml: 'documento XML',
  text: 'texto',
}

const typeName = (kind: FileKind | undefined, type: string | undefined): string =>
  kind === undefined ? (type ?? 'tipo desconhecido') : kinds[kind]

export const pt: FileWords = {
  typeName,
  falseType: {
    unsaid: (content) => `Segundo o conteúdo: ${kinds[content]}, e o nome não diz isso.`,
    otherwise: (said, content, type) =>
      `Segundo o nome: ${kinds[said]}; segundo o conteúdo: ${typeName(content, type)}.`,
    text: 'Quem o abrir pelo nome pode iniciar outra coisa.',
  },
  units: ['bytes', 'kB', 'MB', 'GB'],
  userOver: (user, door) => `${user} (via ${door})`,

  labels: {
    file: 'Arquivo',
    type: 'Tipo',
    size: 'Tamanho',
    content: 'Conteúdo',
    version: 'Versão',
    mediaType: 'Tipo de mídia',
    uploaded: 'Enviado',
    by: 'Por',
    who: 'Quem pode abri-lo',
    until: 'Até',
    servedBy: 'Fornecido por',
    otherLinks: 'Outros links que funcionam',
    linkId: 'Id do link',
    firstLines: 'Primeiras linhas',
    text: 'Texto',
  },

  unreadable: {
    gone: 'O conteúdo guardado não existe mais.',
    changed: 'O conteúdo guardado não é o que foi enviado.',
    text: 'Nada dele é entregue. Envie o arquivo de novo, ou consulte o operador.',
  },

  link: {
    title: (name) => `Criar um link de download para ${name}`,
    titleAgain: (name) => `Fornecer novamente o link de ${name}`,
    summary: ({ name, content, until }) => `Permite que quem tiver o endereço baixe ${name} (${content}) até ${until}.`,
    anybody: 'Quem tiver o endereço, sem entrar em uma conta',
    s3: 'S3, e não este servidor',
    isNew: 'Um novo endereço é criado e dado ao agente',
    isThere: 'O endereço do link que já existe é dado mais uma vez ao agente',
    keeps: 'Uma versão enviada depois não é entregue: o link mantém este conteúdo',
    notRecorded: 'Quem o baixa, e quantas vezes, não é contado nem registrado aqui',
    recorded: 'Cada download é registrado, com o endereço de quem baixa',
    others: (number) =>
      counted(number, {
        one: 'Mais # link para este arquivo continua como está',
        many: 'Mais # de links para este arquivo continuam como estão',
        other: 'Mais # links para este arquivo continuam como estão',
      }),
    forGood: {
      title: (until) => `Ninguém pode revogar este link: ele funciona até ${until}.`,
      text: 'O S3 o assinou. Ele continua funcionando mesmo que você se arrependa, e mesmo que o arquivo seja excluído.',
    },
    older: {
      title: (version, current) => `O link entrega a versão ${version}, e o arquivo já está na versão ${current}.`,
      text: 'Para entregar a mais nova, revogue primeiro este link, ou escolha outro momento.',
    },
    noWebDoor: {
      title: 'Este servidor não pode ser acessado pela internet.',
      text: 'Um endereço não levaria a lugar nenhum. Sirva-o por HTTP.',
    },
    confirm: 'Criar link',
    confirmAgain: 'Dar o link de novo',
    revoke: 'Revogar este link',
    done: (name) => `Link de download de ${name}`,
    download: 'Baixar',
  },

  noRoom: ({ all, left, needs }) => `De ${all} restam ${left}, e este arquivo ocupa ${needs}.`,

  revoke: {
    title: (name) => `Revogar o link de download de ${name}`,
    summary: (name, until) => `O endereço de ${name}, que funcionaria até ${until}, deixa de funcionar.`,
    created: 'Criado',
    wouldWork: 'Funcionaria até',
    downloads: 'Vezes que foi baixado',
    last: 'Baixado pela última vez',
    stops: 'O endereço deixa de funcionar imediatamente e para sempre',
    stays: 'O arquivo e os seus outros links permanecem',
    confirm: 'Revogar link',
    done: (name) => `Link de ${name} revogado`,
    signed: {
      title: (until) => `O S3 assinou este link; ele funciona até ${until}.`,
      text: 'Este servidor não pode revogá-lo. Quem administra o bucket pode remover o objeto.',
    },
  },

  remove: {
    title: (name) => `Excluir ${name}`,
    summary: ({ name, number, until }) =>
      `Exclui o arquivo ${name}, com ${counted(number, { one: '# versão', many: '# de versões', other: '# versões' })}; ele pode ser restaurado até ${until}.`,
    versions: 'Versões',
    links: 'Links de download que funcionam',
    until: 'Pode ser restaurado até',
    stopped: 'Links de download interrompidos',
    gone: (number) =>
      counted(number, {
        one: 'O arquivo não existe mais para ninguém',
        many: 'O arquivo e as suas # de versões não existem mais para ninguém',
        other: 'O arquivo e as suas # versões não existem mais para ninguém',
      }),
    linksStop: (number) =>
      counted(number, {
        one: '# link de download deixa de funcionar; se o arquivo for restaurado, ele volta a funcionar',
        many: '# de links de download deixam de funcionar; se o arquivo for restaurado, eles voltam a funcionar',
        other: '# links de download deixam de funcionar; se o arquivo for restaurado, eles voltam a funcionar',
      }),
    signedGoOn: (number, until) =>
      `${counted(number, { one: '# link assinado pelo S3 continua funcionando', many: '# de links assinados pelo S3 continuam funcionando', other: '# links assinados pelo S3 continuam funcionando' })} até ${until}`,
    restorable: (until) => `Até ${until} ele pode ser restaurado; depois, o conteúdo é apagado para sempre`,
    confirm: 'Excluir arquivo',
    done: (name) => `${name} excluído`,
  },

  restore: {
    title: (name) => `Restaurar ${name}`,
    summary: (name) => `Recupera o arquivo excluído ${name}.`,
    back: 'O arquivo e as suas versões existem de novo',
    linksWork: (number) =>
      counted(number, {
        one: '# link de download volta a funcionar',
        many: '# de links de download voltam a funcionar',
        other: '# links de download voltam a funcionar',
      }),
    confirm: 'Restaurar arquivo',
    done: (name) => `${name} restaurado`,
    noRoom: 'Não há espaço para ele.',
    unknown: 'Esse arquivo não existe ou não está excluído.',
    taken: {
      title: (name) => `Outro arquivo agora se chama ${name}.`,
      text: (id) => `Exclua primeiro esse (${id}).`,
    },
  },

  older: {
    title: (number, name) => `Restaurar a versão ${number} de ${name}`,
    summary: ({ number, name, next }) =>
      `Faz com que a versão ${number} de ${name} volte a ser a atual, como versão ${next}.`,
    content: 'Conteúdo (SHA-256)',
    stays: (current) => `A versão ${current} permanece e pode ser restaurada do mesmo modo`,
    linksStay: 'Os links de download continuam entregando a versão para a qual foram criados',
    confirm: 'Restaurar versão',
    back: (number) => `Voltar à versão ${number}`,
    done: (name, number) => `${name} está agora na versão ${number}`,
    same: {
      title: (name) => `${name} já tem este conteúdo.`,
      text: (current, number) => `A versão ${current} é igual à versão ${number}.`,
    },
  },

  failures: {
    unknown_file: 'Esse arquivo não existe.',
    unknown_link: 'Esse link de download não existe ou não funciona mais.',
    unknown_version: 'O arquivo não tem essa versão.',
    unreadable_content: 'O conteúdo armazenado se perdeu ou mudou.',
    nothing_to_change: 'O arquivo já tem esse conteúdo.',
    signed_by_s3: 'O S3 assinou este link, e ninguém pode retirá-lo.',
    expires_in_past: 'Esse momento já passou.',
    expires_too_late: 'Esse momento está distante demais.',
    no_web_door: 'Este servidor não pode ser acessado pela internet.',
    no_room: 'Não há espaço suficiente.',
    name_taken: 'Outro arquivo já tem esse nome.',
  },
}
