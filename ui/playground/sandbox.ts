// The outer frame of the double iframe (MCP Apps 2026-01-26, "Sandbox proxy"). It lives on an origin of its own, under
// the policy that its header brings, and does two things: it puts the view's HTML into an inner frame, and it carries
// messages between that frame and the host. It never writes a message of its own but the first.
//
// The inner frame gets an opaque origin (no `allow-same-origin`), so that views cannot reach this page, its storage or
// each other. `srcdoc` inherits this page's policy; `form-action 'none'` in it keeps `allow-forms` to submit events.
const innerSandbox = 'allow-scripts allow-forms'

const host = new URLSearchParams(location.search).get('host') ?? ''
const reserved = 'ui/notifications/sandbox-'
let inner: HTMLIFrameElement | undefined

interface Message {
  readonly method?: unknown
  readonly params?: { readonly html?: unknown; readonly permissions?: unknown; readonly theme?: unknown }
  readonly result?: { readonly hostContext?: { readonly theme?: unknown } }
}

const isMessage = (data: unknown): data is Message =>
  typeof data === 'object' && data !== null && (data as { jsonrpc?: unknown }).jsonrpc === '2.0'

const isReserved = (message: Message): boolean =>
  typeof message.method === 'string' && message.method.startsWith(reserved)

const features: Readonly<Record<string, string>> = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'geolocation',
  clipboardWrite: 'clipboard-write',
}

const allowOf = (permissions: unknown): string =>
  typeof permissions === 'object' && permissions !== null
    ? Object.keys(permissions)
        .flatMap((name) => features[name] ?? [])
        .join('; ')
    : ''

function load(params: NonNullable<Message['params']>): void {
  if (typeof params.html !== 'string') return
  inner?.remove()
  inner = document.createElement('iframe')
  inner.setAttribute('sandbox', innerSandbox)
  inner.setAttribute('allow', allowOf(params.permissions))
  inner.title = 'View'
  inner.srcdoc = params.html
  document.body.append(inner)
}

/**
 * A browser paints a frame's corners white or black where the frame and the page in it disagree about dark and light, so
 * this page in the middle takes the theme that the host tells the view.
 */
function applyTheme({ params, result }: Message): void {
  const theme = params?.theme ?? result?.hostContext?.theme
  if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme
}

window.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (!isMessage(event.data)) return
  if (event.source === window.parent && event.origin === host) {
    if (event.data.method === `${reserved}resource-ready`) load(event.data.params ?? {})
    else if (!isReserved(event.data)) {
      applyTheme(event.data)
      inner?.contentWindow?.postMessage(event.data, '*')
    }
  } else if (inner !== undefined && event.source === inner.contentWindow && !isReserved(event.data))
    window.parent.postMessage(event.data, host)
})

if (window.parent !== window && host !== '')
  window.parent.postMessage({ jsonrpc: '2.0', method: `${reserved}proxy-ready`, params: {} }, host)
