// Three jobs: `--mode card` builds the iframe as one file, `--mode playground` builds the chat host (and, in `sandbox`,
// the outer frame that cards live in), and Vitest reads its two projects from here.
import { fileURLToPath } from 'node:url'
import preact from '@preact/preset-vite'
import type { Plugin } from 'vite'
import { viteSingleFile } from 'vite-plugin-singlefile'
import { defineConfig } from 'vitest/config'

const jsx = (): Plugin[] => preact({ devToolsEnabled: false, prefreshEnabled: false })

const preactJsx = { jsx: { runtime: 'automatic', importSource: 'preact' } } as const

const builds = {
  card: {
    root: 'ui/card',
    plugins: [viteSingleFile({ removeViteModuleLoader: true })],
    oxc: preactJsx,
    // The card is written for Preact and shipped on a quarter of it (ADR 12).
    resolve: {
      alias: ['preact/jsx-runtime', 'preact/hooks', 'preact'].map((find) => ({
        find: new RegExp(`^${find}$`),
        replacement: fileURLToPath(new URL('./ui/card/runtime.ts', import.meta.url)),
      })),
    },
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
        oxc: preactJsx,
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
