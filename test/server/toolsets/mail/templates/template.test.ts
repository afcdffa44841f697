// Contacts' data comes from strangers, and templates from a model: neither may become more than it is.
import * as fc from 'fast-check'
import MailComposer from 'nodemailer/lib/mail-composer/index.js'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { renderBody, unreadable } from '../../../../../server/toolsets/mail/send-external/body.ts'
import { createBodyRenderer } from '../../../../../server/toolsets/mail/templates/body-renderer.ts'
import { example } from '../../../../../server/toolsets/mail/templates/samples.ts'
import {
  readTemplate,
  type Rendered,
  type Template,
  type TemplateText,
} from '../../../../../server/toolsets/mail/templates/template.ts'
import { runsOf } from '../../../../full.ts'
import { anyCharacter } from '../../../../kit/any-character.ts'

const plain = { subject: 'News', body: 'Hello', variables: [], fallbacks: {} }

async function template(text: Partial<TemplateText>): Promise<Template> {
  const read = await readTemplate({ ...plain, ...text })
  if ('render' in read) return read
  throw new Error(read.map(({ field, problem }) => `${field}: ${problem}`).join(' '))
}

async function problems(text: Partial<TemplateText>): Promise<readonly string[]> {
  const read = await readTemplate({ ...plain, ...text })
  return 'render' in read ? [] : read.map(({ field, problem }) => `${field}: ${problem}`)
}

function mailOf(rendered: Rendered) {
  if (rendered.kind !== 'mail') throw new Error(JSON.stringify(rendered))
  return rendered
}

const written = async (text: Partial<TemplateText>, recipient = {}, given = {}): Promise<Rendered> =>
  (await template(text)).render({ ...example, ...recipient }, given)

const onlyAddress = { first_name: null, last_name: null, name: null, company: null }

describe('a mail from a template', () => {
  test('has the values of its recipient and of the call', async () => {
    const text = {
      subject: '{{ event }} for {{ company }}',
      body: 'Dear {{ first_name }} {{ last_name }} ({{ name }}, {{ email }}),\n\ncome to {{ event | upcase }}.',
      variables: ['event'],
    }
    expect(await written(text, {}, { event: 'Open day' })).toMatchObject({
      kind: 'mail',
      subject: 'Open day for Example Ltd',
      body: 'Dear Ann Lee \\(Ann Lee, ann\\.lee\\@example\\.org\\),\n\ncome to OPEN DAY.'.replace(/\\([()])/g, '$1'),
      fallbacks: [],
    })
  })

  test('has a fallback where a value is not known, and says so', async () => {
    const text = { body: '{{ first_name }}, how are you?', fallbacks: { first_name: 'Hello' } }
    expect(await written(text, onlyAddress)).toMatchObject({ body: 'Hello, how are you?', fallbacks: ['first_name'] })
    expect(await written(text)).toMatchObject({ body: 'Ann, how are you?', fallbacks: [] })
  })

  test('is none where values are missing, and all of them are named', async () => {
    const text = { subject: '{{ topic }}', body: '{{ first_name }} at {{ company }}', variables: ['topic'] }
    expect(await written(text, onlyAddress)).toStrictEqual({
      kind: 'missing',
      variables: ['topic', 'first_name', 'company'],
    })
  })

  test('misses nothing that a condition asks for or that has a default', async () => {
    const text = { body: '{% if company %}All at {{ company }}{% else %}All of {{ name | default: "you" }}{% endif %}' }
    expect(await written(text, onlyAddress)).toMatchObject({ body: 'All of you' })
  })

  test('takes nothing from a call that the template does not name, least of all a name of the recipient', async () => {
    const text = { body: 'Hello {{ first_name }}' }
    expect(await written(text, onlyAddress, { first_name: 'Bob' })).toMatchObject({ kind: 'missing' })
  })

  test('takes the full name from its parts', async () => {
    expect(await written({ body: '{{ name }}' }, { name: null })).toMatchObject({ body: 'Ann Lee' })
  })

  test('is refused where it would be empty or too long', async () => {
    const subject = '{% if company == "x" %}y{% endif %}'
    expect(await written({ subject })).toMatchObject({ problem: 'The subject is empty.' })
    expect(await written({ subject: 'a{{ company }}' }, { company: 'x'.repeat(250) })).toMatchObject({
      problem: 'The subject has 251 characters, and 250 is the most.',
    })
  })
})

describe('a template is refused', () => {
  test.each([
    ['{{ frist_name }}', 'body: There is no variable “frist_name”. Did you mean first_name?'],
    ['{{ order }}', 'there are first_name, last_name, name, email and company.'],
    ['{{ first_name.size }}', 'There is no variable “first_name.size”'],
    ['{% if vip %}x{% endif %}', 'There is no variable “vip”'],
    ['{{ constructor }}', 'There is no variable “constructor”'],
    ['{% include "/etc/passwd" %}', 'tag "include" not found, line:1, col:1; there are assign, case'],
    ['{% render "x" %}', 'tag "render" not found'],
    ['{% layout "x" %}', 'tag "layout" not found'],
    ['{% capture x %}{% endcapture %}', 'tag "capture" not found'],
    ['{% for i in (1..9) %}{% endfor %}', 'tag "for" not found'],
    ['{% liquid\necho name %}', 'tag "liquid" not found'],
    ['{% echo name %}', 'tag "echo" not found'],
    ['{{ name | raw }}', 'undefined filter: raw, line:1, col:1; there are append'],
    ['{{ name | url_decode }}', 'undefined filter: url_decode'],
    ['{{ "now" | date: "%s" }}', 'undefined filter: date'],
    ['{% if name %}', 'not closed'],
    ['{{ name', 'not closed'],
  ])('for %j', async (body, problem) => {
    expect((await problems({ body })).join(' ')).toContain(problem)
  })

  test.each([
    ['of its length', 'x'.repeat(50_001), 'parse length limit exceeded.'],
    ['its Markdown is nested too deep', '>'.repeat(30_000), `It ${unreadable}.`],
    ['of lists in a list', '- 1. '.repeat(3000), `It ${unreadable}.`],
    ['it has more emphasis than a reader takes', '**a_'.repeat(7500), `It ${unreadable}.`],
  ])('because %s', async (_, body, problem) => {
    expect(await problems({ body })).toStrictEqual([`body: ${problem}`])
  })

  test.each([
    ['`{{ name }}`', 'code'],
    ['```\n{{ name }}\n```', 'code'],
    ['Hi\n\n    {{ name }}', 'code'],
    ['<a href="{{ email }}">x</a>', 'HTML'],
    ['<div>\n{{ name }}\n</div>', 'HTML'],
    ['<{{ name }}>', 'directly behind'],
    ['<!{{ name }}', 'directly behind'],
    ['<![{{ name }}[', 'directly behind'],
    ['<?{{ name }}', 'directly behind'],
    ['&{{ name }};', 'directly behind'],
    ['\\{{ name }}', 'directly behind'],
    ['{% if name %}\\{% else %}x{% endif %}{{ name }}', 'directly behind'],
    ['{{ name }}. Hello', 'list'],
    ['Hi\n{{ name }}) Hello', 'list'],
    ['1{{ name }}. Hello', 'list'],
    ['> - {{ name }}2) Hello', 'list'],
    ['a ` b {{ name }}', 'backtick'],
    ['[x]: {{ name }}', 'definition'],
    ['[{{ name }}] Hello', 'square brackets'],
    ['- [{{ name }}] Hello', 'square brackets'],
    ['[{{ name }}]: https://example.org', 'square brackets'],
    ['[site]({{ company }})', 'where a link leads'],
    ['[site]({{ company | url_encode }})', 'where a link leads'],
    ['[site](https://{{ company | url_encode }}/)', 'where a link leads'],
    ['[site](https://example.org{{ company | url_encode }}/)', 'where a link leads'],
    ['[site]({% if name %}https://example.org/{% endif %}{{ company | url_encode }})', 'where a link leads'],
    ['[site]\n\n[site]: {{ company | url_encode }}', 'where a link leads'],
    ['![logo](https://{{ company | url_encode }}.org/)', 'where a link leads'],
    ['https://{{ company }}/', 'stands by itself'],
    ['www.{{ company }}.org', 'stands by itself'],
    ['https://example.org({{ name }})', 'stands by itself'],
    ['<mailto:{% if name %}{{ name }}{% endif %}', 'stands by itself'],
    ['mail info@{{ company }}.org', 'stands by itself'],
    ['<https://example.org/{{ name | url_encode }}>', 'stands by itself'],
    ['[you](https://example.org/?for={{ email }})', 'url_encode'],
  ])('where a value would be more than text: %j', async (body, problem) => {
    expect((await problems({ body })).join(' ')).toContain(problem)
  })

  test.each([
    '{{ name }}.example costs 1.5 \\` or `code`',
    'Dear **{{ name }}**, _{{ company }}_',
    '# {{ company }}\n\n- {{ name }}\n- {{ email }}',
    '| Name | Address |\n| --- | --- |\n| {{ name }} | {{ email }} |',
    '[for {{ name }}](https://example.org/?for={{ email | url_encode }}#x)',
    '[write](mailto:help@example.org?subject={{ company | url_encode }})',
    '{% if company %}1. {{ company }}{% endif %}\n\n{% if name %}[site](https://example.org){% endif %}',
    '`code` and <b>HTML</b> beside {{ name }}',
    '{% comment %}{{ nothing }}{% endcomment %}{% raw %}{{ shown }}{% endraw %}{% # as it is %}',
    '{% assign short = name | split: " " | first %}Hi {{ short }}',
  ])('but not for %j', async (body) => {
    expect(await problems({ body })).toStrictEqual([])
  })

  test('for names that a call cannot give, and fallbacks of nothing', async () => {
    expect(await problems({ variables: ['email', 'true', 'forloop'], fallbacks: { compani: 'x' } })).toStrictEqual([
      'variables: “email” is a variable of the recipient; take another name.',
      'variables: “true” is no name for a variable.',
      'fallbacks: There is no variable “compani”. Did you mean company?',
    ])
  })
})

/** Texts that would be something in Markdown, HTML, Liquid or a header, with anything between them. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 6 }),
      fc.constantFrom(
        ...'[click](http://evil.example) ![](http://evil.example/p.gif) <b> </p> <script> **bold** _em_ ~~x~~ `code` ``` --- === # > | 1. 2) - + * [x] &lt; &#60; \\ http://evil.example www.evil.example a@evil.example {{company}} {%raw%} =?utf-8?Q?Hi?= \r\nBcc:x@evil.example'.split(
          ' ',
        ),
        '\r\n\r\n',
        '\n\n    code',
        '\u202E',
        ' ',
        '\t',
        '1',
      ),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.join(''))

/** What a reader is to see of a value. */
const seen = (value: string): string =>
  value
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/(?![\u200C\u200D])[\p{Cf}\p{Co}]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()

const tagsIn = (html: string): readonly string[] => html.match(/<[^>]*>/g) ?? []
const decoded = (html: string): string =>
  html.replace(
    /&(lt|gt|quot|#39|amp);/g,
    (_, name: string) => ({ lt: '<', gt: '>', quot: '"', '#39': "'" })[name] ?? '&',
  )

describe('whatever a contact is called', () => {
  test.each([
    'Dear {{ name }}, hello',
    '{{ name }}\n\nhello',
    'Hello\n{{ name }}\nbye',
    '- {{ name }}\n- x',
    '# To {{ name }} from us',
    '> {{ name }} wrote',
    'Dear ( {{ name }} ) [x](https://example.org/) {{ name }} .',
    '[for {{ name }} now](https://example.org/)',
    '| a | b |\n| --- | --- |\n| {{ name }} | x |',
    '{{ name }}{{ name }} x',
  ])('it is text in %j, and nothing around it changes', async (body) => {
    const read = await template({ body })
    const usual = await renderBody(mailOf(read.render({ ...example, name: 'Zyx' }, {})).body)
    await fc.assert(
      fc.asyncProperty(hostile, async (name) => {
        fc.pre(seen(name) !== '')
        const found = await renderBody(mailOf(read.render({ ...example, name }, {})).body)
        expect(tagsIn(found.html)).toStrictEqual(tagsIn(usual.html))
        expect(found.text).toBe(usual.text.replaceAll('Zyx', () => seen(name)))
        expect(decoded(found.html)).toBe(decoded(usual.html).replaceAll('Zyx', () => seen(name)))
        expect(found.links.map(({ url }) => url)).toStrictEqual(usual.links.map(({ url }) => url))
      }),
      { numRuns: runsOf(500) },
    )
  })

  test.each([
    ['{% if company == "x" %}x{% endif %}{{ name }}. of May', '12'],
    ['[{{ name }}](https://a.example)', 'a.example'],
    ['{{ name }}@a.org{{ name }}-', 'Smith & Co'],
  ])('a campaign writes %j for %j as its preview shows it', async (body, name) => {
    const renderRepeatedly = createBodyRenderer()
    const read = await template({ body })
    for (const each of ['Ann', name]) {
      const { bodyParts, body: whole } = mailOf(read.render({ ...example, name: each }, {}))
      const { text, html } = await renderBody(whole)
      expect(await renderRepeatedly(bodyParts)).toMatchObject({ text, html })
    }
  })

  test('a campaign writes what the preview of each of its mails shows, in any template that is accepted', async () => {
    const pieces = [
      ...'{{name}} {{company}} {{email}} {{name|url_encode}} {{name|first}} {{"x"}} {%else%} {%endif%} qxzjvqk'.split(
        ' ',
      ),
      ...'[x](https://a.org/?a= ) [ ]( https://a.org ://a.org www. @a.org . : # 1 > * ** _ ~~ ` < & ! | \\ a - --- ? /'.split(
        ' ',
      ),
      '{% if name == "Ann" %}',
      '# ',
      '- ',
      'word ',
      ' ',
      '\n',
      '\n\n',
      '\n| a | b |\n| --- | --- |\n| ',
      '\n---\n',
    ]
    const bodies = fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 9 }).map((parts) => parts.join(''))
    const words = fc.constantFrom(
      'Ann',
      'Ann Lee',
      '7',
      '1',
      'x',
      'http',
      'www',
      'Ltd.',
      'Smith & Co',
      'a.b@c.example',
      'O’Brien',
    )
    await fc.assert(
      fc.asyncProperty(
        bodies,
        fc.array(fc.oneof(words, hostile), { minLength: 2, maxLength: 4 }),
        async (body, names) => {
          const read = await readTemplate({ ...plain, body })
          if (!('render' in read)) return
          const renderRepeatedly = createBodyRenderer()
          for (const name of names) {
            const rendered = read.render({ ...example, name, company: names[0] ?? '' }, {})
            if (rendered.kind !== 'mail') continue
            const { text, html } = await renderBody(rendered.body)
            expect(await renderRepeatedly(rendered.bodyParts)).toMatchObject({ text, html })
          }
        },
      ),
      { numRuns: runsOf(5000) },
    )
  })

  test('it changes nothing in any template that is accepted, but how emphasis of the template ends', async () => {
    const pieces = [
      ...'{{name}} {{company}} {{name|url_encode}} {{name|first}} {%else%} {%endif%} {{"x"}}'.split(' '),
      ...'[ ] ( ) ]( [x]( https:// https://a.org https://a.org/ mailto: @ . : # 1 > ` `` < </ <b> & ; &# ! ![ | \\ a " = --- [x]: ? / +'.split(
        ' ',
      ),
      '{% if name %}',
      '# ',
      '- ',
      '1. ',
      'word ',
      ' ',
      '\n',
      '\n\n',
      '\n    ',
      '\n---\n',
      '\n===\n',
    ]
    const bodies = fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 9 }).map((parts) => parts.join(''))
    const shape = async (read: Template, name: string) => {
      const rendered = read.render({ ...example, name, company: name }, {})
      if (rendered.kind !== 'mail') return undefined
      const { html, links } = await renderBody(rendered.body)
      return [tagsIn(html).map((tag) => tag.replace(/href=".*"/, 'href')), links.map(({ url }) => new URL(url).origin)]
    }
    await fc.assert(
      fc.asyncProperty(bodies, hostile, async (body, name) => {
        const read = await readTemplate({ ...plain, body })
        fc.pre('render' in read && seen(name) !== '')
        if (!('render' in read)) return
        const found = await shape(read, name)
        if (found !== undefined) expect(found).toStrictEqual(await shape(read, 'Zyx'))
      }),
      // Always the same: a template that is found some day is a row above, and no red of somebody else's change.
      { numRuns: runsOf(5000), seed: 16 },
    )
  })

  test('an address with it leads where the template says', async () => {
    const read = await template({ body: '[x](https://example.org/a?for={{ name | url_encode }}&b=1)' })
    await fc.assert(
      fc.asyncProperty(hostile, async (name) => {
        fc.pre(seen(name) !== '')
        const { links } = await renderBody(mailOf(read.render({ ...example, name }, {})).body)
        const url = new URL(links[0]?.url ?? '')
        expect([links.length, url.origin, url.pathname, [...url.searchParams.keys()]]).toStrictEqual([
          1,
          'https://example.org',
          '/a',
          ['for', 'b'],
        ])
      }),
      { numRuns: runsOf(500) },
    )
  })

  test('a mail with it in its subject has the headers of every mail, and that subject', async () => {
    const read = await template({ subject: 'For {{ name }} now' })
    const headers = async (name: string) => {
      const { subject, body } = mailOf(read.render({ ...example, name }, {}))
      const raw = await new MailComposer({ from: 'a@example.org', to: 'b@example.org', subject, text: body })
        .compile()
        .build()
      const mail = await PostalMime.parse(raw)
      return { subject: mail.subject, keys: mail.headers.map(({ key }) => key).sort(), sent: subject }
    }
    const usual = await headers('Ann')
    await fc.assert(
      fc.asyncProperty(hostile, async (name) => {
        fc.pre(seen(name) !== '')
        const found = await headers(name)
        expect(found.keys).toStrictEqual(usual.keys)
        expect(found.sent).toBe(`For ${seen(name).replaceAll('=?', '= ?')} now`)
        expect(found.subject?.replace(/\s+/g, ' ')).toBe(found.sent.replace(/\s+/g, ' '))
      }),
      { numRuns: runsOf(500) },
    )
  })
})

describe('a hostile template ends within its bounds', () => {
  test.each([
    ['doubles a text', `{% assign x = name %}${'{% assign x = x | append: x %}'.repeat(60)}{{ x }}`, 'memory alloc'],
    [
      'writes a long text often',
      `{% assign x = name %}${'{% assign x = x | append: x %}'.repeat(12)}${'{{ x }}'.repeat(3000)}`,
      'memory alloc',
    ],
    [
      'multiplies a text',
      `{% assign x = name %}${'{% assign x = x | append: x %}'.repeat(12)}{{ x | replace: "A", x | replace: "n", x }}`,
      'memory alloc',
    ],
    ['makes a range', '{{ (1..1000000000) }}', 'memory alloc'],
    ['compares ranges', '{% if (1..999999999) contains 5 %}x{% endif %}', 'memory alloc'],
    ['writes more than a mail may have', '{{ name }}'.repeat(4700), 'characters, and 30000 is the most'],
    ['puts quotes into each other', '{% if name %}> {% else %}a{% endif %}'.repeat(1000), unreadable],
    ['nests conditions', `${'{% if name %}'.repeat(1000)}x{{ name }}${'{% endif %}'.repeat(1000)}`, ''],
    ['counts out of bounds', '{{ name | truncate: 99999999999, name }}{{ name | truncatewords: 99999999999 }}', ''],
  ])('that %s', async (_, body, problem) => {
    const rendered = await written({ body })
    if (problem === '') expect(rendered).toMatchObject({ kind: 'mail' })
    else expect(rendered).toMatchObject({ problem: expect.stringContaining(problem) as string })
  })

  test('and has no way to the prototype of anything', async () => {
    for (const name of ['__proto__', 'toString', 'hasOwnProperty'])
      expect(await problems({ body: `{{ name["${name}"] }}` })).toHaveLength(1)
    expect(await written({ body: '{{ [first_name] }}' }, { first_name: 'constructor' })).toMatchObject({
      problem: 'The body cannot be rendered: There is no variable “constructor”.',
    })
  })
})
