// What ships for Python programs: each package as Debian has it, with the digest of the file that it is taken from.

export interface Shipped {
  readonly name: string
  readonly version: string
  readonly licence: string
  /** Modules that programs import, the first of which is measured where nothing else is said. */
  readonly modules: readonly string[]
  readonly measured?: string
  /** Debian's package, its version and its SHA-256. */
  readonly debian: readonly [name: string, version: string, sha256: string]
  readonly note?: string
}

export const shipped: readonly Shipped[] = [
  {
    name: 'et_xmlfile',
    version: '1.0.1',
    licence: 'MIT',
    modules: ['et_xmlfile'],
    debian: ['python3-et-xmlfile', '1.0.1-2.1', 'a80d31fe47b34f693ea31ba08c1c9783e073c562258a47bf22cc51c05ed666ec'],
  },
  {
    name: 'jinja2',
    version: '3.1.2',
    licence: 'BSD-3-Clause',
    modules: ['jinja2'],
    debian: ['python3-jinja2', '3.1.2-1+deb12u3', '914e3a26742b488bca661dd12dc06198262c3a99b68f2f20ef7310aecdf82cae'],
    note: 'Templates come from strings, dictionaries and files of the workspace.',
  },
  {
    name: 'markdown',
    version: '3.4.1',
    licence: 'BSD-3-Clause',
    modules: ['markdown'],
    debian: ['python3-markdown', '3.4.1-2+deb12u1', '7f98e975cf0cc5d6b63d1ea76f1e1f2c88df91d873eac58eef8bc89a25a25d93'],
    note: 'The extension codehilite has no pygments and marks code without colours.',
  },
  {
    name: 'markupsafe',
    version: '2.1.2',
    licence: 'BSD-3-Clause',
    modules: ['markupsafe'],
    debian: ['python3-markupsafe', '2.1.2-1+b1', '38310d680386db2d1b166be3ac839aa5bc7ead3de235466bd3e13a3ef4962601'],
    note: 'Without its C speedups.',
  },
  {
    name: 'openpyxl',
    version: '3.0.9',
    licence: 'MIT',
    modules: ['openpyxl'],
    debian: ['python3-openpyxl', '3.0.9-1', '468490fc3f43f338efc03af25987956ca541b866378d8482a33d63d988e58ce9'],
    note: 'No pictures (Pillow), no numpy, no lxml.',
  },
  {
    name: 'python-dateutil',
    version: '2.8.2',
    licence: 'Apache-2.0 or BSD-3-Clause',
    modules: ['dateutil'],
    measured: 'dateutil.parser',
    debian: ['python3-dateutil', '2.8.2-2', '59d696282ffeaf54395452e012715410dc414c6baaa54d4cdae56ac7c217eb31'],
    note: 'There is no time zone data: dateutil.tz has UTC and fixed offsets, and gettz answers None for others.',
  },
  {
    name: 'six',
    version: '1.16.0',
    licence: 'MIT',
    modules: ['six'],
    debian: ['python3-six', '1.16.0-4', 'fd189e9cecbcf17a1fc20aec30055c8afa9c1eec00cd6e7ab385087a2ab3b0d3'],
  },
  {
    name: 'tabulate',
    version: '0.8.9',
    licence: 'MIT',
    modules: ['tabulate'],
    debian: ['python3-tabulate', '0.8.9-1', '80715ccbff14c93a11de864a7d6a219492ac3a5fb35d7c165540e22a91774a20'],
  },
]
