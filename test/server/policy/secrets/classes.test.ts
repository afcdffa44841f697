// Not samples but classes: every name of a secret, in every form that joins it to a value, hides every value that somebody
// could use; and no form hides what only stands where a secret could.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redact, redactText } from '../../../../server/policy/redact.ts'

const names =
  'password db_password DB_PASS userPassword api-key API_KEY apiToken client_secret refreshToken passphrase Passwort contraseña mot_de_passe senha wachtwoord hasło пароль DB_PASSWORD_PROD password2 encryption_key spring.datasource.password WEBHOOK_SECRET'.split(
    ' ',
  )
const values = ['Wolke#77', 'herbst9wind', 'k7Q!x92-mW', 'aB3dE5gH7jK9mN1pQ2rS', 'Regen*bogen_12'] as const

const forms: Readonly<Record<string, (name: string, value: string) => string>> = {
  'an assignment': (name, value) => `${name}=${value}`,
  'an assignment with blanks and quotes': (name, value) => `${name} = "${value}"`,
  YAML: (name, value) => `a:\n  ${name}: ${value}\n  b: 1`,
  JSON: (name, value) => `sent {"a":1,"${name}":"${value}"} to b`,
  'JSON in a text of JSON': (name, value) => JSON.stringify({ text: JSON.stringify({ [name]: value }) }),
  'a literal of Ruby': (name, value) => `{ '${name}' => '${value}' }`,
  'a typed constant': (name, value) => `const ${name}: string = '${value}'`,
  'a call that sets': (name, value) => `config.set("${name}", "${value}")`,
  'a long option': (name, value) => `deploy --${name} ${value} --verbose`,
  'a long option with a sign': (name, value) => `deploy --${name}='${value}'`,
  'an element': (name, value) => `<x><${name}>${value}</${name}></x>`,
  'an attribute': (name, value) => `<add key="${name}" value="${value}" />`,
  'an attribute, the other way round': (name, value) => `<input value="${value}" name="${name}">`,
  'a property list': (name, value) => `<key>${name}</key>\n<string>${value}</string>`,
  'a table': (name, value) => `| user | ${name} |\n| --- | --- |\n| ada | ${value} |`,
  'lines with commas': (name, value) => `user,${name}\nada,${value}`,
  Markdown: (name, value) => `- **${name}:** \`${value}\``,
  'a part of a form': (name, value) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--x--`,
  'an INSERT': (name, value) => `INSERT INTO t (id, ${name}) VALUES (1, '${value}')`,
  'an UPDATE': (name, value) => `UPDATE t SET ${name} = '${value}' WHERE id = 1`,
  'what holds where a variable is not set': (name, value) => `a=\${${name.replace(/[^\p{L}\d]/gu, '_')}:-${value}}`,
  'what holds where nothing is configured': (name, value) => `settings["${name}"] ?? "${value}"`,
  'a text that a function turns into bytes': (name, value) => `${name} = []byte("${value}")`,
  'an element in an element': (name, value) => `<${name}>\n  <Value>${value}</Value>\n</${name}>`,
  'columns apart by blanks': (name, value) => `id   user   ${name}\n1    ada    ${value}`,
  'a line of dots': (name, value) => `${name} ........ ${value}`,
  'a line of settings': (name, value) => `host db1\n${name} ${value}\nport 1`,
  'a line below': (name, value) => `${name}:\n\n  ${value}\n`,
}

describe('a secret is hidden behind every name in', () => {
  test.each(Object.entries(forms))('the form: %s', (_, form) => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.constantFrom(...values), (name, value) => {
        expect(redactText(form(name, value))).not.toContain(value)
      }),
    )
  })
})

test('a secret is hidden in a field of JSON under every name, and beside every field that names it', () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.constantFrom(...values), (name, value) => {
      const all = [
        { [name]: value },
        { name, value },
        { key: name, value },
        { columns: ['a', name], rows: [[1, value]] },
      ]
      expect(JSON.stringify(redact(all))).not.toContain(value)
    }),
  )
})

test.each([
  ['the line names it', 'Hei, passordet til ruteren ble byttet, bruk Fjelltur#7 fra nå'],
  ['in a language of which no word for "is" is known', 'Parola e la recepție: Fjelltur#7'],
  ['the line tells how to sign in', 'login at the gate, ada, Fjelltur#7'],
])('a word of letters, figures and signs is hidden where %s', (_, text) => {
  expect(redactText(text)).toBe(text.replace('Fjelltur#7', '[redacted]'))
})

test.each([
  'fix(password): trim the new line',
  'POST /oauth/token HTTP/1.1',
  'IMEI 490154203237518',
  "password: ['', [Validators.required, Validators.minLength(10)]]",
  'TOKEN=database/creds/app',
  'ca-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUMy',
  'Login works again, see Issue#12 and docs/setup.md#step-2',
  'read `password=` in the file',
  '--auth-algorithm HS256, secret algorithm: HS256',
])('is no secret: %s', (text) => {
  expect(redactText(text)).toBe(text)
})

test('messages about a field that holds a secret stay, in a list and beside a mask', () => {
  const value = {
    errors: { password: ["can't be blank", 'is too short (minimum is 12 characters)'], token: 'has expired' },
    'spring.datasource.password': { value: '******', origin: 'environment' },
    grants: ['authorization_code', 'refresh_token'],
  }
  expect(redact(value)).toEqual(value)
  expect(redact({ password: ['Wolke#77'], token: { value: '***', last: 'Wolke#77' } })).toEqual({
    password: '[redacted]',
    token: '[redacted]',
  })
})

const standIns =
  '********|<your-token>|${DB_PASSWORD}|{{ vault_password }}|$(cat /run/secret)|%s|REPLACE_ME|your_password_here|process.env.TOKEN|/run/secrets/db|op://vault/item/field|null|string|$1'.split(
    '|',
  )
const plainForms = ['an assignment', 'YAML', 'JSON', 'a long option with a sign', 'an UPDATE', 'a table'] as const

test('what stands in for a secret stays in every form', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.constantFrom(...standIns),
      fc.constantFrom(...plainForms),
      (name, value, form) => {
        const text = forms[form]?.(name, value) ?? ''
        expect(redactText(text)).toBe(text)
      },
    ),
  )
})

test.each([
  'token_count',
  'password_policy',
  'tokenService',
  'secretsManagerArn',
  'next_page_token',
  'password_reset_at',
])('a name that ends with something else (%s) hides no plain value', (name) => {
  for (const value of ['12', 'strong', 'eu-central-1', '2026-11-22']) {
    expect(redact({ [name]: value })).toEqual({ [name]: value })
    expect(redactText(`${name}=${value}`)).toBe(`${name}=${value}`)
  }
})
