// Pages of a few words for a browser that is let no further. Who comes without the secret of the start is mostly whoever
// started the server, with an address from before the last start: that page says where the new one stands.

/** A page with this content, HTML; nothing in it may come from outside. */
export const plainPage = (content: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Countersign</title>
    <style>
      :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
      main { max-width: 40rem; margin: 15vh auto 0; padding: 0 1.5rem; }
      h1 { font-size: 1.375rem; line-height: 1.3; }
      li { margin: 0.375rem 0; }
    </style>
  </head>
  <body>
    <main>
      ${content}
    </main>
  </body>
</html>
`

/** What a browser sees that comes without the secret of the start. */
export const closedPage = plainPage(`<h1>This page opens with the address that the server printed</h1>
      <p>The address ends with <code>?token=…</code>, which is another one at each start. Copy all of it</p>
      <ul>
        <li>from the terminal in which the server was started,</li>
        <li>or, where it had no terminal, from the file that its log names.</li>
        <li>Where <code>COUNTERSIGN_ACCESS_SECRET</code> is set, put that value behind <code>?token=</code> yourself.</li>
      </ul>
      <p>Once opened, this browser is known until the server is started again.</p>`)

/** What a browser sees where what it asks for cannot be opened. */
export const troublePage = ({ message, next }: { readonly message: string; readonly next: string }): string =>
  plainPage(`<h1>${escaped(message)}</h1>
      <p>${escaped(next)}</p>`)

/** A text as HTML. */
export const escaped = (text: string): string => text.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Such a page runs nothing, loads nothing, and stands in no frame. */
export const closedPageHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
} as const
