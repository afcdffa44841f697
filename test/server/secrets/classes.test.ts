// Not samples but classes: every name of a secret, in every form that joins it to a value, hides every value that somebody
// could use; and no form hides what only stands where a secret could.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redact, redactText } from '../../../server/policy/redact.ts'

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
  'a line below': (name, value) => `${name}:\n\n  ${value}\n`,
}

describe('a secret is hidden behind every name in', () => {
  test.each(Object.entries(forms))('%s', (_, form) => {
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
