// What only a server needs that stands in front of others: their connections, the ratings of their tools, their profiles.
// `compose.ts` loads it where there are any, because it is most of what such a server loads.
export { serverCheatsheets } from '../settings/gateway-files.ts'
export { fromStore } from './from-store.ts'
export { composeGateway } from './gateway.ts'
export { serverLogins } from './logins.ts'
