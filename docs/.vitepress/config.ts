// The documentation as a site: the same Markdown that the repository, the package and MCP clients read, with pages of the API that
// TypeDoc makes of the package's types. It is served from `/docs` under a policy that lets a page run nothing but its own files.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { alignedByClass, anchorOf, plainBraces, siteLinks, soughtByUsers } from './links.ts'
import { checkAnchors } from './anchors.ts'
import { checkMenus, nav, sidebar } from './navigation.ts'
import { ownFiles } from './own-files.ts'

const files = ownFiles()

export default defineConfig({
  lang: 'en',
  title: 'Countersign',
  description: "A person's signature between what an AI agent wants to do and what happens.",
  base: '/docs/',
  outDir: join(import.meta.dirname, '..', '..', 'dist', 'docs'),
  cacheDir: join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'vitepress'),
  cleanUrls: true,
  // It would switch transitions off by a style element, which the policy of the pages refuses.
  appearance: { disableTransition: false },
  markdown: {
    languageAlias: { caddy: 'nginx' },
    config: (markdown) => {
      siteLinks(markdown)
      plainBraces(markdown)
      soughtByUsers(markdown)
      alignedByClass(markdown)
    },
    codeTransformers: files.codeTransformers,
    // The anchors that GitHub gives, by which the pages link to each other.
    anchor: { slugify: anchorOf },
    // The themes that meet AA on the grounds of both looks.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  transformHtml: files.transformHtml,
  buildEnd: async (site) => {
    try {
      checkMenus(site.pages)
      checkAnchors(site.outDir)
      await files.buildEnd(site)
    } catch (error) {
      // Pages without the files of this step would count as built.
      rmSync(site.outDir, { recursive: true, force: true })
      throw error
    }
  },
  vite: { configFile: false, build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 2_000 } },
  themeConfig: {
    nav,
    sidebar,
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    externalLinkIcon: true,
  },
})
