import { quotation } from '../../../cards/card-words.ts'
import { pluralsOf } from '../../languages.ts'
import type { ContentKind, SandboxWords } from './en.ts'

const { form } = pluralsOf<'one' | 'many' | 'other'>('pt')

const kinds: Readonly<Record<ContentKind, string>> = {
  png: 'imagem PNG',
  jpeg: 'imagem JPEG',
  gif: 'imagem GIF',
  pdf: 'documento PDF',
  zip: 'arquivo ZIP (também .xlsx e .docx)',
  gzip: 'arquivo gzip',
  sqlite: 'banco de dados SQLite',
  wasm: 'programa WebAssembly',
  linuxProgram: 'programa do Linux (ELF)',
  windowsProgram: 'programa do Windows',
}

const files = (number: number): string =>
  `${number} ${form(number, { one: 'arquivo', many: 'de arquivos', other: 'arquivos' })}`

export const pt: SandboxWords = {
  bytes: (number) => `${number} ${form(number, { one: 'byte', many: 'de bytes', other: 'bytes' })}`,

  run: {
    title: (language) => `Executar um programa em ${language}`,
    summary: ({ lines, language, session }) =>
      `Executa ${lines} ${form(lines, { one: 'linha', many: 'de linhas', other: 'linhas' })} de ${language}${session === undefined ? '' : ` na sessão ${session}`}.`,
    program: 'Programa',
    confirm: 'Executar programa',
    session: (id) => `sessão ${id}`,
    endings: {
      finished: 'O programa foi executado até o fim',
      error: 'O programa terminou com um erro',
      out_of_fuel: 'O programa esgotou a sua cota de computação',
      out_of_memory: 'O programa esgotou a sua memória',
      timeout: 'O programa demorou demais',
      output_limit: 'O programa imprimiu demais',
      crashed: 'O ambiente de execução foi interrompido',
    },
    exitCode: (ending, code) => `${ending}: código de saída ${code}`,
    advice: (message, cause) => ({
      title: 'Orientação para o agente, em inglês:',
      text: quotation('pt', `${message} ${cause}`),
    }),
    change: 'Alteração',
    output: 'Saída',
    errors: 'Erros',
    files: 'Arquivos do espaço de trabalho',
    file: 'Arquivo',
    changed: 'Alteração',
    bytes: 'Bytes',
    changes: { created: 'criado', modified: 'alterado', deleted: 'excluído' },
    fuel: 'Cota de computação',
    fuelOf: (call) => `Cota de computação da chamada ${call}`,
    fuelOfThis: (call) => `Cota de computação da chamada ${call} (esta)`,
    used: ({ fuel, percent }) => `${fuel}: ${percent} % usados.`,
  },

  session: {
    begin: 'Criar uma sessão de trabalho',
    beginSummary: (language) => `Cria uma sessão de trabalho de ${language}.`,
    beginConfirm: 'Criar sessão de trabalho',
    begun: 'Sessão de trabalho criada',
    end: (id) => `Encerrar a sessão ${id}`,
    endSummary: (id) => `Encerra a sessão ${id}, com as suas variáveis e arquivos.`,
    endConfirm: 'Encerrar sessão de trabalho',
    ended: 'Sessão de trabalho encerrada',
  },

  reset: {
    title: (number) => `Excluir ${files(number)}`,
    summary: (number, session) => `Exclui ${files(number)} da sessão ${session}.`,
    confirm: 'Excluir arquivos',
    done: (number) => `Arquivos excluídos: ${number}`,
  },

  export: {
    write: (path) => `Gravar ${path}`,
    replace: (path) => `Substituir ${path}`,
    from: (bytes, session) => `${bytes} · da sessão ${session}`,
    writeSummary: ({ file, bytes, session }) => `Grava ${file} com ${bytes} da sessão ${session}.`,
    replaceSummary: ({ file, bytes, session }) => `Substitui ${file} por ${bytes} da sessão ${session}.`,
    file: 'Arquivo',
    writes: 'Um novo arquivo aparece na pasta de exportação',
    replaces: 'O arquivo existente é substituído por inteiro',
    writeConfirm: 'Gravar arquivo',
    replaceConfirm: 'Substituir arquivo',
    written: 'Arquivo gravado',
    replaced: 'Arquivo substituído',
    content: 'Conteúdo',
    newContent: 'Novo conteúdo',
    before: 'Conteúdo atual',
    change: 'Alteração',
    same: 'O mesmo texto já está lá.',
    differs: 'Os textos diferem em linhas demais para serem comparados.',
    binary: (kind) => (kind === undefined ? 'Não é texto' : `Não é texto; começa como: ${kinds[kind]}`),
    size: 'Tamanho',
    firstBytes: (label) => `${label}: primeiros bytes`,
  },
}
