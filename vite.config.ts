// Seven jobs: `--mode card` builds the iframe as one file, `--mode playground` builds the chat host (and, in `sandbox`,
// the outer frame that cards live in), `--mode admin` the operators' pages, `--mode program` what the terminal starts,
// `--mode library` what programs import, `--mode thread` the thread in which programs in JavaScript run, and Vitest reads
// its projects from here.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build, type BuildOptions, type Plugin } from 'vite'
import { viteSingleFile } from 'vite-plugin-singlefile'
import { defineConfig } from 'vitest/config'
import { longest } from './test/longest.ts'
import {
  notWhileWorking,
  pageTests,
  reloadingTests,
  slowJourneys,
  slowStoreTests,
  slowUnitTests,
  storeTests,
} from './test/runs.ts'

const preactJsx = { jsx: { runtime: 'automatic', importSource: 'preact' } } as const

/**
 * A hundred names of words would be said once for each use. The build counts them through instead: a language becomes its lines
 * in order, and `$name`, which names nothing else, its number. English is part of the view; of the others each card brings the one
 * that it is written in (`server/cards/card-words.ts`, ADR 89).
 */
const packWords = (): Plugin => {
  let english: readonly (readonly [string, string])[] = []
  return {
    name: 'pack-words',
    enforce: 'pre',
    async buildStart(): Promise<void> {
      const { en } = await import('./server/cards/words/en.ts')
      const { isOfView } = await import('./server/cards/words/of-view.ts')
      english = Object.entries(en).filter(([name]) => isOfView(name))
    },
    load(id): string | undefined {
      if (!id.endsWith('/server/cards/words/languages.ts')) return undefined
      // No sentence has a bar in it.
      return `export const languages={en:${JSON.stringify(english.map(([, said]) => said).join('|'))}.split('|')}`
    },
    // The frame's text is counted by the byte, and nobody reads its margins.
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace(/\n\s*(?=<)/g, '').replace(' crossorigin', ''),
    },
    transform(code, id): string | undefined {
      if (!/\/ui\/(card|parts)\/.*\.tsx?$/.test(id)) return undefined
      return code.replace(/\.(\$[a-z]\w+)|(?<=['"])(\$[a-z]\w+)(?=['"])/g, (_, member?: string, name?: string) => {
        const at = english.findIndex(([known]) => known === (member ?? name))
        if (at < 0) throw new Error(`There is no word ${member ?? name} (${id})`)
        return member === undefined ? String(at) : `[${at}]`
      })
    },
  }
}

/** Beside each file of a page its compressed forms, which the web door serves: made once, and as small as they can be. */
const precompress = (): Plugin => ({
  name: 'precompress',
  writeBundle({ dir = '' }, bundle): void {
    for (const name of Object.keys(bundle).filter((each) => /\.(?:js|css)$/.test(each))) {
      const path = join(dir, name)
      const file = readFileSync(path)
      writeFileSync(`${path}.br`, brotliCompressSync(file))
      writeFileSync(`${path}.gz`, gzipSync(file, { level: 9 }))
    }
  },
})

/** The head's first script: it puts the chosen theme on the page before that is drawn, so it is no module, which would wait. */
const themeFirst = (base: string): Plugin => {
  let file = ''
  return {
    name: 'theme-first',
    async buildStart(): Promise<void> {
      const built = await build({
        configFile: false,
        logLevel: 'warn',
        build: {
          write: false,
          target: 'es2022',
          lib: { entry: 'ui/parts/theme-first.ts', formats: ['iife'], name: 'themeFirst' },
        },
      })
      const [source] = [built].flat().flatMap((each) => ('output' in each ? each.output[0].code : []))
      const named = this.emitFile({ type: 'asset', name: 'theme.js', source: source ?? '' })
      file = `${base}${this.getFileName(named)}`
    },
    transformIndexHtml: {
      order: 'post',
      // The outer frame of cards has no theme of its own, and no storage to keep one in.
      handler: (_, { filename }) =>
        filename.endsWith('index.html') ? [{ tag: 'script', attrs: { src: file }, injectTo: 'head-prepend' }] : [],
    },
  }
}

/** The pages themselves are in English, so the words of cards in other languages stay out of what draws them. */
const englishOnly = (): Plugin => {
  let isUsed = false
  return {
    name: 'english-only',
    enforce: 'pre',
    resolveId(source, importer = '') {
      if (!source.endsWith('/words/languages.ts') || !importer.endsWith('/ui/parts/words.ts')) return undefined
      isUsed = true
      return '\0english-only'
    },
    load: (id) =>
      id === '\0english-only'
        ? `import { en } from ${JSON.stringify(fileURLToPath(new URL('server/cards/words/en.ts', import.meta.url)))}\nexport const languages = { en }`
        : undefined,
    buildEnd(error): void {
      if (error === undefined && !isUsed)
        this.error('Nothing imports the words of all languages: is `ui/parts/words.ts` another file now?')
    },
  }
}

/** A client of MCP is given what validates, and brings Ajv all the same: a fourth of the playground, which its policy forbids to run. */
const withoutAjv = (): Plugin => {
  let isUsed = false
  return {
    name: 'without-ajv',
    enforce: 'pre',
    resolveId(source) {
      if (!source.endsWith('/validation/ajv-provider.js')) return undefined
      isUsed = true
      return '\0without-ajv'
    },
    load: (id) => (id === '\0without-ajv' ? 'export class AjvJsonSchemaValidator {}' : undefined),
    buildEnd(error): void {
      if (error === undefined && !isUsed)
        this.error('The client of MCP does not bring Ajv any more: this plugin can go.')
    },
  }
}

/**
 * Has the browser fetch with the page what its first script imports only when it runs: `source` and what that needs. `first`,
 * one of these, is run before that script.
 */
const preload = (base: string, source: string, first: string): Plugin => ({
  name: 'preload',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { filename, bundle = {} }) => {
      if (!filename.endsWith('/index.html')) return []
      const chunks = Object.values(bundle).filter((each) => each.type === 'chunk')
      const fileOf = (of: string): string => {
        const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(of)))
        if (chunk === undefined) throw new Error(`There is no chunk of ${of}.`)
        return chunk.fileName
      }
      const needed = new Set([fileOf(source)])
      for (const name of needed)
        for (const each of bundle[name]?.type === 'chunk' ? bundle[name].imports : []) needed.add(each)
      const runs = { tag: 'script', attrs: { type: 'module', src: `${base}${fileOf(first)}` } }
      return [
        { ...runs, injectTo: 'head-prepend' as const },
        ...[...needed].map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', href: `${base}${file}` },
          injectTo: 'head' as const,
        })),
      ]
    },
  },
})

/** Beside what is bundled, the licences of the packages in it. */
const license = { fileName: 'THIRD-PARTY-LICENSES.md' }

const javascriptThread = 'server/sandbox/sessions/javascript-worker.ts'

/** Threads that code in the same folder starts. */
const besideCode = ['server/store/activity/chain/verify-apart.ts', 'server/sandbox/runtimes/prepare-worker.ts']

const byName = (files: readonly string[]): Record<string, string> =>
  Object.fromEntries(files.map((file) => [basename(file, '.ts'), file]))

/** Code in few files, because half of a start is the loading of a thousand modules (ADR 49). */
const inFewFiles = (outDir: string, input: Record<string, string>, more: BuildOptions = {}) => ({
  build: {
    ssr: true,
    outDir,
    emptyOutDir: true,
    target: 'node22',
    copyPublicDir: false,
    ...more,
    rolldownOptions: {
      input: { ...input, ...byName(besideCode) },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        comments: false,
        // V8 keeps every text that it compiles, and takes two bytes for each character where one is not Latin.
        charset: 'ascii' as const,
      },
    },
  },
})

const builds = {
  card: {
    root: 'ui/card',
    plugins: [packWords(), viteSingleFile({ removeViteModuleLoader: true })],
    // Children as arguments of `h`: as a property of their element they take 400 bytes more of the 32 KB.
    oxc: {
      jsx: { runtime: 'classic' as const, pragma: 'h', pragmaFrag: 'Fragment' },
      jsxInject: "import { h, Fragment } from 'preact'",
    },
    build: {
      outDir: '../../dist/ui/card',
      emptyOutDir: true,
      target: 'es2022',
      // `light-dark()` as it stands: rewritten for older browsers it would not follow the host's theme.
      cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
      cssCodeSplit: false,
      modulePreload: false,
      reportCompressedSize: false,
      license,
      minify: 'terser' as const,
      // Terser makes the least, and takes nearly all of the time for it.
      rolldownOptions: { checks: { bundlerTimings: false } },
      // A function stays one: written out wherever it is called, it takes more of the 32 KB. None of those that become
      // arrows is called with `new`.
      terserOptions: {
        module: true,
        ecma: 2020 as const,
        compress: { passes: 3, inline: 1, unsafe_arrows: true, sequences: false, keep_fargs: false },
        format: { comments: false },
      },
    },
  },
  playground: {
    root: 'ui/playground',
    base: '/playground/',
    plugins: [
      englishOnly(),
      withoutAjv(),
      themeFirst('/playground/'),
      preload('/playground/', '/connection/connection.ts', '/connection/asked-early.ts'),
      precompress(),
    ],
    oxc: preactJsx,
    build: {
      outDir: '../../dist/ui/playground',
      emptyOutDir: true,
      target: 'es2022',
      // The page names what it needs at once (`preload`).
      modulePreload: false,
      reportCompressedSize: false,
      license,
      rolldownOptions: {
        input: ['ui/playground/index.html', 'ui/playground/sandbox.html'],
        output: {
          codeSplitting: {
            groups: [
              // What the client of MCP is made of, apart from what draws the page.
              { name: 'mcp', test: /node_modules\/(?:zod|@modelcontextprotocol)\// },
              // It runs before all others, and so must need none of them.
              {
                name: 'asked-early',
                test: /(?:asked-early|page-meta|sessions\/settings|bridge\/locale)\.ts/,
                priority: 1,
              },
              // The page imports by it, and would wait for all that it stands beside.
              { name: 'imports', test: /vite\/preload-helper/, priority: 1 },
            ],
          },
        },
      },
    },
  },
  admin: {
    root: 'ui/admin',
    base: '/admin/',
    plugins: [englishOnly(), themeFirst('/admin/'), precompress()],
    oxc: preactJsx,
    build: {
      outDir: '../../dist/ui/admin',
      emptyOutDir: true,
      target: 'es2022',
      cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
      // Inlined, a font or picture would be a `data:` address, which the policy of these pages has no reason to allow.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      license,
    },
  },
  // What `countersign` runs: the program and its packages.
  program: {
    // Packages that few installations load, and those that read files from where they lie.
    ssr: {
      noExternal: true as const,
      external: [
        '@anthropic-ai/sdk',
        '@aws-sdk/client-s3',
        '@aws-sdk/client-sesv2',
        '@aws-sdk/s3-request-presigner',
        '@hyzyla/pdfium',
        '@modelcontextprotocol/ext-apps',
        'email-addresses',
        'file-type',
        'flydrive',
        'imapflow',
        'libpg-query',
        'nodemailer',
        'openai',
        'pg',
        'playwright-core',
        'wasm-vips',
      ],
    },
    ...inFewFiles(
      'dist/program',
      {
        countersign: 'server/cli/countersign.ts',
        // Threads are started from files of their own.
        ...byName(
          globSync(['server/sandbox/*/*-worker.ts', 'server/toolsets/pictures/*-worker.ts'], {
            exclude: [javascriptThread],
          }),
        ),
      },
      { license },
    ),
  },
  // What programs import, and once more what `countersign` runs, on the packages as they are installed.
  library: inFewFiles(
    'dist/library',
    {
      index: 'server/index.ts',
      testing: 'server/testing/index.ts',
      countersign: 'server/cli/countersign.ts',
    },
    // With the sources in them, which the package does not have: a debugger shows those, and so do stack traces with
    // `node --enable-source-maps`.
    { sourcemap: true },
  ),
  // The thread of the first program in JavaScript is waited for. As one file of CommonJS it does without Node's loader of
  // modules, which each thread would make for itself (ADR 61).
  thread: {
    ssr: { noExternal: true as const },
    build: {
      ssr: true,
      outDir: 'dist/program',
      emptyOutDir: false,
      target: 'node22',
      copyPublicDir: false,
      rollupOptions: {
        input: javascriptThread,
        output: {
          format: 'cjs' as const,
          entryFileNames: '[name].cjs',
          codeSplitting: false,
          dynamicImportInCjs: false,
          comments: false,
          charset: 'ascii' as const,
        },
      },
    },
  },
}

const isBuild = (mode: string): mode is keyof typeof builds => Object.hasOwn(builds, mode)

export default defineConfig(({ mode }) => ({
  ...(isBuild(mode) ? builds[mode] : {}),
  ...(isBuild(mode)
    ? {}
    : {
        oxc: preactJsx,
        test: {
          // The pages as they are now, and a PostgreSQL for the run, started when the first test asks for it.
          globalSetup: ['test/built-pages.ts', 'test/postgres-setup.ts'],
          // One for each core. With two more a run was not shorter and took a quarter more processor time: each loads the server
          // for itself, and they push each other out of the caches.
          maxWorkers: availableParallelism(),
          // A worker loads the server once, and not again for each of three hundred files.
          isolate: false,
          // Node runs the sources as they are: rewritten by Vite they take twice as long to load.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          // Few functions run long enough here to earn back what V8's last compiler takes, a sixth of the processor. Explorations
          // of a full run do.
          execArgv: mode === 'full' ? [] : ['--no-turbofan', '--max-semi-space-size=64'],
          setupFiles: ['test/journeys/each-file.ts'],
          // Against what hangs, not against what is slow: some explorations of a full run take minutes.
          testTimeout: mode === 'full' ? 5 * longest : longest,
          hookTimeout: mode === 'full' ? 5 * longest : longest,
          expect: { poll: { timeout: longest } },
          // What Node compiles is kept for the next process that runs it.
          env: {
            NODE_COMPILE_CACHE: fileURLToPath(new URL('./node_modules/.cache/compiled', import.meta.url)),
            // `npm run test:full`; an environment variable would be spelled another way on each system.
            ...(mode === 'full' ? { COUNTERSIGN_TEST: 'full' } : {}),
          },
          projects: [
            {
              extends: true,
              test: {
                name: 'unit',
                include: [
                  'test/{server,ui,types}/**/*.test.ts',
                  'test/{dependencies,full,house,linear-patterns,links,sources}.test.ts',
                ],
                exclude: [
                  '**/node_modules',
                  ...pageTests,
                  ...reloadingTests,
                  ...(mode === 'full' ? [] : slowUnitTests),
                  ...(mode === 'quick' ? notWhileWorking : []),
                ],
              },
            },
            {
              extends: true,
              // The unit tests that need a document. A worker has one environment, so among the others each of these files
              // would end a worker, and the next one would load the server anew.
              test: {
                name: 'page',
                environment: 'happy-dom',
                // Vite makes JavaScript of the JSX.
                experimental: { viteModuleRunner: true },
                include: pageTests,
                exclude: mode === 'quick' ? notWhileWorking : [],
              },
            },
            {
              extends: true,
              test: { name: 'reloading', experimental: { viteModuleRunner: true }, include: reloadingTests },
            },
            {
              extends: true,
              // The unit tests that have to do with the store, once more with PostgreSQL in place of a file.
              test: {
                name: 'postgres',
                include: storeTests,
                exclude: mode === 'full' ? [] : slowStoreTests,
                env: { COUNTERSIGN_TEST_DATABASE: 'postgres' },
              },
            },
            {
              extends: true,
              test: {
                name: 'journeys',
                include: ['test/{journeys,hosts}/**/*.test.ts'],
                exclude: mode === 'full' ? [] : slowJourneys,
                globalSetup: ['test/journeys/setup.ts'],
              },
            },
          ],
        },
      }),
}))
