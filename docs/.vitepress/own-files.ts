// What VitePress writes into each page, and the page's policy refuses: two scripts, which become one file, and the colours of code,
// which become classes. Beside each file lie its compressed forms, which the web door serves.
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { transformerStyleToClass } from '@shikijs/transformers'
import type { SiteConfig, UserConfig } from 'vitepress'

type Hooks = Required<Pick<UserConfig, 'transformHtml' | 'buildEnd'>>
type Transformers = NonNullable<NonNullable<UserConfig['markdown']>['codeTransformers']>

const inlineScript = /<script(?: id="[\w-]+")?>([\s\S]*?)<\/script>/g

/** What a script sets again as soon as the page runs, or `colours.css` says. */
const inlineStyle = / style="(?:position:relative;|--vp-vh:0px;)"/g

export function ownFiles(): Hooks & { readonly codeTransformers: Transformers } {
  const colours = transformerStyleToClass({ classPrefix: 'c-' })
  const written = new Map<string, string>()
  const named = (text: string, end: string): string => {
    const name = `assets/${createHash('sha256').update(text).digest('base64url').slice(0, 12)}.${end}`
    written.set(name, text)
    return name
  }
  return {
    codeTransformers: [colours],
    transformHtml: (html, _file, { siteConfig: { site } }) => {
      const scripts = [...html.matchAll(inlineScript)].map(([, script = '']) => script)
      const ours = `<script src="${site.base}${named(scripts.join('\n'), 'js')}"></script>`
      const sheet = `<link rel="stylesheet" href="${site.base}${named(colours.getCSS(), 'css')}">`
      return html
        .replace(inlineScript, '')
        .replace(inlineStyle, '')
        .replace('</head>', () => `${ours}${sheet}</head>`)
    },
    buildEnd: ({ outDir }: SiteConfig) => {
      mkdirSync(join(outDir, 'assets'), { recursive: true })
      for (const [name, text] of written) writeFileSync(join(outDir, name), text)
      for (const file of globSync('**/*.{html,js,css}', { cwd: outDir })) compress(join(outDir, file))
    },
  }
}

/** Every browser that shows these pages reads Brotli; at this quality a site takes a second. */
function compress(path: string): void {
  writeFileSync(
    `${path}.br`,
    brotliCompressSync(readFileSync(path), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  )
}
