// Conditions as people write them, misspell them, and abuse them. The other side is a tool's real JSON Schema.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileCondition, longestCondition } from '../../../server/policy/grant-condition.ts'
import { shapeOf } from '../../../server/policy/grant-shape.ts'
import { order as input, shape } from './order-shape.ts'
import { runsOf } from '../../full.ts'
import { anyCharacter } from '../../kit/any-character.ts'

const compiled = (text: string) => {
  const result = compileCondition(shape, text)
  if (!result.ok) throw new Error(`${result.failure.message} ${result.failure.next}`)
  return result.value
}
const problem = (text: string) => {
  const result = compileCondition(shape, text)
  if (result.ok) throw new Error(`It was accepted: ${text}`)
  return result.failure
}

describe('a condition holds, or does not', () => {
  test.each([
    ['total < 500', true],
    ['total < 437', false],
    ['total == 437.5', true],
    ['customer == "ACME" && total < 500', true],
    ['customer in ["ACME", "Initech"]', true],
    ['customer.startsWith("AC") && !urgent', true],
    ['pieces + 1 == 4', true],
    ['double(amount) < 500.0', true],
    ['args.type == "standard"', true],
    ['args["first-name"] == "Ada"', true],
    ['kind == "order"', true],
    ['note == null', true],
    ['anything == 1', false],
    ['lines.all(l, l.quantity <= 2)', true],
    ['lines.exists(l, l.sku.startsWith("LAMP"))', true],
    ['sum(lines.map(l, l.price)) < 300', true],
    ['sum(lines.map(l, l.quantity)) == 3', true],
    ['lines[0].parts.all(p, p.weight < 2)', true],
    ['lines.all(l, !has(l.parts) || l.parts.all(p, p.weight < 2))', true],
    ['size(tags) <= 2 && tags.all(t, t in ["a", "b", "c"])', true],
    ['labels.floor == 3 && "floor" in labels', true],
    ['address.city == "Ulm" && !has(address.zip)', true],
    ['has(args.pieces) && !has(args.constructor)', true],
    ['true', true],
  ])('%s is %s', (text, expected) => {
    expect(compiled(text).holds(input)).toBe(expected)
  })

  test.each([
    ['an argument is absent', 'pieces < 5', { customer: 'ACME', total: 1 }],
    ['a number is divided by zero', '1 / (pieces - 3) == 0 || true == false', input],
    ['a text is no number', 'double(customer) < 5.0', input],
    ['an index is beyond the list', 'lines[9].quantity == 1', input],
    ['a value is of another type', 'pieces < 5', { ...input, pieces: 'three' }],
    ['a whole number is expected and has a fraction', 'pieces < 5', { ...input, pieces: 2.5 }],
    ['a key of a map is absent', 'labels.roof == 1', input],
    ['null is compared with a number', 'note < 3', input],
    ['there are no arguments', 'true', undefined],
    ['the arguments are a list', 'true', [input]],
  ])('where %s, it does not hold', (_, text, given) => {
    expect(compiled(text).holds(given)).toBe(false)
  })
})

describe('what is misspelt is refused by its name, when it is written', () => {
  test.each([
    ['totl < 500', 'The tool has no argument "totl".', 'Did you mean total'],
    ['customer == "ACME" && has(args.nte)', 'There is no field "nte".', 'note'],
    ['lines.all(l, l.quantty < 5)', 'There is no field "quantty".', 'quantity'],
    ['!has(args.pices)', 'There is no field "pices".', 'pieces'],
    ['lines.all(l, has(l.sk))', 'There is no field "sk".', 'sku'],
    ['args["fist-name"] == "Ada"', 'There is no field "fist-name".', 'first-name'],
    ['address.town == "Ulm"', 'There is no field "town".', 'Known are'],
    ['type == "standard"', 'The word "type" means something else in a condition.', 'args.type'],
    ['total', 'The condition is of type double and not a boolean.', 'Compare'],
    ['total == 500', 'The types do not match', '500.0'],
    ['customer < 5', 'The types do not match', 'Compare texts with texts'],
    ['total <', 'The condition cannot be read', 'Write it like'],
    ['', 'The condition is empty.', 'true'],
  ])('%s: %s', (text, message, next) => {
    const found = problem(text)
    expect(found.message).toContain(message)
    expect(found.next).toContain(next)
  })

  test('the place is said, in characters', () => {
    const text = 'customer == "ACME" && totl < 500'
    const { at } = problem(text)
    expect(text.slice(at?.start, at?.end)).toBe('totl')
  })
})

describe('hostile expressions', () => {
  test.each([
    ['regular expressions', 'customer.matches("(a+)+$")', 'Regular expressions'],
    ['a way around the types', 'dyn(args).totl == 1', '"dyn"'],
    ['the type of a value', 'type(total) == double', '"type"'],
    ['a loop within a loop over something else', 'lines.all(a, lines.all(b, true))', 'A loop within a loop'],
    ['the same, hidden in a list', 'lines.all(a, [lines, lines].all(b, true))', 'A loop within a loop'],
    ['a name that is only known later', 'args[customer] == "x"', 'only a literal'],
    ['methods of the host', 'total.toString() == "1"', '"toString"'],
    ['the prototype of a value', 'customer.constructor == "x"', 'types do not match'],
    ['the prototype of an object', 'lines.all(l, l.__proto__ == null)', ''],
    ['a special name', '__proto__ == 1', ''],
    ['a variable of its own', 'cel.bind(x, 1, x == 1)', '"bind"'],
    ['an environment', 'process.env == null', 'no argument "process"'],
    ['a constructor call', 'args.constructor.constructor("x") == 1', ''],
    ['text that never ends', `customer == "${'x'.repeat(longestCondition)}"`, 'characters'],
    ['depth', `${'('.repeat(400)}true${')'.repeat(400)}`, 'cannot be read'],
    ['depth without brackets', `${'!'.repeat(600)}urgent`, ''],
    ['breadth', Array.from({ length: 180 }, () => 'urgent').join('||'), 'characters'],
    ['a list without end', `pieces in [${Array.from({ length: 300 }, () => '1').join(',')}]`, ''],
  ])('%s are refused', (_, text, message) => {
    expect(problem(text).message).toContain(message)
  })

  test('a field of the host’s own names is only ever a field', () => {
    expect(compiled('args.constructor == "x"').holds(input)).toBe(false)
    expect(compiled('args.constructor == "x"').holds({ ...input, constructor: 'x' })).toBe(true)
    expect(compiled('has(args.constructor)').holds(input)).toBe(false)
    const labelled = JSON.parse('{"labels":{"__proto__":1,"toString":2}}') as object
    expect(compiled('labels.toString == 2').holds(labelled)).toBe(true)
    expect(compiled('labels.valueOf == 2').holds(labelled)).toBe(false)
  })

  test('arguments that are too large are not looked at, and looping ones much sooner', () => {
    const long = { ...input, customer: 'x'.repeat(20_000) }
    expect(compiled('total < 500').holds(long)).toBe(true)
    expect(compiled('lines.all(l, l.quantity < 9)').holds(long)).toBe(false)
    expect(compiled('total < 500').holds({ ...input, customer: 'x'.repeat(300_000) })).toBe(false)
  })

  test('a schema of somebody else’s may be anything', () => {
    const deep = (levels: number): object =>
      levels === 0 ? { type: 'string' } : { type: 'object', properties: { inner: deep(levels - 1) } }
    const circle = { $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } } }
    for (const odd of [
      null,
      7,
      [],
      { properties: 'none' },
      {
        properties: {
          a: { $ref: '#/nowhere' },
          b: { $ref: 'https://example.com' },
          c: true,
          d: { type: ['string', 'null'] },
        },
      },
      { properties: { a: deep(300) } },
      { ...circle, properties: { a: { $ref: '#/$defs/node' } } },
      { properties: Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`a${i}`, deep(3)])) },
      JSON.parse('{"properties":{"__proto__":{"type":"string"},"a b":{"type":"object","properties":{"":{}}}}}'),
    ]) {
      const result = compileCondition(shapeOf(odd), 'true')
      expect(result.ok && result.value.holds({})).toBe(true)
    }
  })

  test('whatever is written, it answers, and never throws', () => {
    const word = fc.constantFrom(
      'total',
      'customer',
      'lines',
      'args',
      '.',
      '(',
      ')',
      '[',
      ']',
      '<',
      '==',
      '&&',
      '||',
      '!',
      '500',
      '"a"',
      'all',
      'map',
      'l',
      ',',
      'l.quantity',
      'has',
      'size',
      'sum',
      'in',
      '?',
      ':',
      '-',
      '+',
      '*',
      '/',
      '%',
      'null',
      'b"x"',
      '1u',
      '0xFF',
      '1e400',
      '__proto__',
      'constructor',
      'matches',
      '{',
      '}',
      "'",
      '\\',
      '`',
      '\u0000',
      '👩‍🚒',
      '//',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: anyCharacter }),
          fc.array(word).map((words) => words.join(' ')),
        ),
        (text) => {
          const result = compileCondition(shape, text)
          if (result.ok) expect(typeof result.value.holds(input)).toBe('boolean')
          else expect(result.failure.message).not.toBe('')
        },
      ),
      { numRuns: runsOf(2000) },
    )
  })

  test('whatever comes as arguments, it answers, and never throws', () => {
    const texts = [
      'total < 500',
      'lines.all(l, l.quantity < 5)',
      'labels.a == 1',
      'note == anything',
      'has(address.zip)',
    ]
    const conditions = texts.map(compiled)
    const noise = fc.record(
      Object.fromEntries(
        ['total', 'lines', 'labels', 'note', 'anything', 'address'].map((name) => [name, fc.jsonValue()]),
      ),
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(noise, (given) => {
        for (const condition of conditions) expect(typeof condition.holds(given)).toBe('boolean')
      }),
      { numRuns: runsOf(1000) },
    )
  })
})
