// Three jobs: `--mode card` builds the iframe as one file, `--mode playground` builds the chat host (and, in `sandbox`,
// the outer frame that cards live in), and Vitest reads its two projects from here.
import preact from '@preact/preset-vite'
import type { Plugin } from 'vite'
import { viteSingleFile } from 'vite-plugin-singlefile'
import { defineConfig } from 'vitest/config'

/** The preset's types follow an older Vite; its plugins are plain hooks. */
const jsx = (): Plugin[] => preact({ devToolsEnabled: false, prefreshEnabled: false }) as Plugin[]

const builds = {
  card: {
    root: 'ui/card',
    plugins: [jsx(), viteSingleFile({ removeViteModuleLoader: true })],
    build: {
      outDir: '../../dist/ui/card',
      emptyOutDir: true,
      target: 'es2022',
      cssCodeSplit: false,
      modulePreload: false,
      reportCompressedSize: false,
    },
  },
  playground: {
    root: 'ui/playground',
    base: '/playground/',
    plugins: [jsx()],
    build: {
      outDir: '../../dist/ui/playground',
      emptyOutDir: true,
      target: 'es2022',
      chunkSizeWarningLimit: 1500,
      reportCompressedSize: false,
      rollupOptions: { input: ['ui/playground/index.html', 'ui/playground/sandbox.html'] },
    },
  },
}

export default defineConfig(({ mode }) => ({
  ...(mode === 'card' ? builds.card : mode === 'playground' ? builds.playground : {}),
  ...(mode === 'card' || mode === 'playground'
    ? {}
    : {
        oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
        test: {
          projects: [
            {
              extends: true,
              test: { name: 'unit', include: ['test/{server,ui,types}/**/*.test.{ts,tsx}', 'test/house.test.ts'] },
            },
            {
              extends: true,
              test: {
                name: 'journeys',
                include: ['test/{journeys,hosts}/**/*.test.ts'],
                testTimeout: 60_000,
                hookTimeout: 120_000,
                fileParallelism: false,
              },
            },
          ],
        },
      }),
}))
