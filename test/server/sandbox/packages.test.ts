// The packages that ship, each used for what it is there for.
import { afterAll, describe, expect, test } from 'vitest'
import { shipped } from '../../../sandbox-packages/packages.ts'
import { measured } from '../../../sandbox-packages/measure.ts'
import { casesOf } from '../../full.ts'
import { once, opened } from './opened.ts'

const { sandbox, run, session } = opened()
afterAll(() => sandbox.close())
const shared = once(() => session('python'))
const printed = async (code: string): Promise<string> => {
  const limits = { budget: 50_000_000_000, timeoutMs: 120_000 }
  const { stdout, stderr } = await run('python', code, { ...limits, sessionId: await shared() })
  return stdout + stderr
}

const uses = [
  ['et_xmlfile', 'from et_xmlfile import xmlfile\nprint(callable(xmlfile))', 'True\n'],
  ['jinja2', 'import jinja2\nprint(jinja2.Template("{{ a|upper }} & {{ b|e }}").render(a="x", b="<"))', 'X & &lt;\n'],
  [
    'markdown',
    'import markdown\nprint(markdown.markdown("# A\\n\\n|x|\\n|-|\\n|1|", extensions=["tables"])[:30])',
    '<h1>A</h1>\n<table>\n<thead>\n<tr\n',
  ],
  ['markupsafe', 'import markupsafe\nprint(markupsafe.escape("<b>"))', '&lt;b&gt;\n'],
  [
    'openpyxl',
    'import openpyxl\nbook = openpyxl.Workbook()\nbook.active.append(["a", 1])\nbook.save("t.xlsx")\nprint([c.value for c in openpyxl.load_workbook("t.xlsx").active[1]])',
    "['a', 1]\n",
  ],
  [
    'python-dateutil',
    'from dateutil import parser, relativedelta\nprint(parser.parse("3 May 2024 10:00Z") + relativedelta.relativedelta(months=1))',
    '2024-06-03 10:00:00+00:00\n',
  ],
  ['six', 'import six\nfrom six.moves import range\nprint(six.text_type(list(range(2))))', '[0, 1]\n'],
  ['tabulate', 'from tabulate import tabulate\nprint(tabulate([["a", 1]], tablefmt="plain"))', 'a  1\n'],
] as const

test.each(casesOf(uses, ([name]) => name, ['tabulate', 'python-dateutil']))('%s runs', async (_, code, prints) => {
  expect(await printed(code)).toBe(prints)
})

describe('the table', () => {
  test('has a row for each package that ships, with its licence', () => {
    const rows = sandbox
      .packages()
      .map(({ name, version, licence, modules, note }) => [name, version, licence, modules, note])
    expect(rows).toStrictEqual(
      shipped.map(({ name, version, licence, modules, note }) => [name, version, licence, modules, note]),
    )
    expect(uses.map(([name]) => name)).toStrictEqual(shipped.map(({ name }) => name))
  })

  test.each(casesOf(shipped, ({ name }) => name, ['tabulate']))('says what importing $name consumes', async (one) => {
    const row = sandbox.packages().find(({ name }) => name === one.name)
    const { firstImport, nextImport } = await measured(one, sandbox)
    expect([firstImport.fuel, nextImport.fuel]).toStrictEqual([row?.firstImport.fuel, row?.nextImport.fuel])
  })

  test('knows that a licence lies beside every package', async () => {
    const code = 'import os\nprint("\\n".join(sorted(os.listdir("/packages/licences"))))'
    expect((await printed(code)).trimEnd().split('\n')).toStrictEqual(
      shipped.map(({ name }) => `${name}.txt`).toSorted(),
    )
  })
})

test('packages cannot be written to', async () => {
  const code = 'try:\n    open("/packages/tabulate.py", "w")\nexcept OSError as error:\n    print(error.strerror)'
  expect(await printed(code)).toBe('Read-only file system\n')
})
