// The arguments of an order, with every kind of type that a condition of a grant meets.
import { shapeOf } from '../../../server/policy/grant-shape.ts'

const schema = {
  type: 'object',
  required: ['customer', 'total'],
  properties: {
    customer: { type: 'string' },
    total: { type: 'number' },
    pieces: { type: 'integer' },
    urgent: { type: 'boolean' },
    amount: { type: 'string' },
    type: { type: 'string' },
    'first-name': { type: 'string' },
    constructor: { type: 'string' },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    anything: {},
    kind: { enum: ['gift', 'order'] },
    tags: { type: 'array', items: { type: 'string' } },
    lines: { type: 'array', items: { $ref: '#/$defs/line' } },
    labels: { type: 'object', additionalProperties: { type: 'integer' } },
    address: { type: 'object', properties: { city: { type: 'string' }, zip: { type: 'string' } } },
  },
  $defs: {
    line: {
      type: 'object',
      properties: {
        sku: { type: 'string' },
        quantity: { type: 'integer' },
        price: { type: 'number' },
        parts: { type: 'array', items: { type: 'object', properties: { weight: { type: 'number' } } } },
      },
    },
  },
} as const
export const shape = shapeOf(schema)

/** Arguments of that shape. */
export const order = {
  customer: 'ACME',
  total: 437.5,
  pieces: 3,
  urgent: false,
  amount: '437.50',
  type: 'standard',
  'first-name': 'Ada',
  note: null,
  kind: 'order',
  tags: ['a', 'b'],
  lines: [
    { sku: 'DESK-01', quantity: 2, price: 200, parts: [{ weight: 1.5 }] },
    { sku: 'LAMP-02', quantity: 1, price: 37.5 },
  ],
  labels: { floor: 3 },
  address: { city: 'Ulm' },
}
