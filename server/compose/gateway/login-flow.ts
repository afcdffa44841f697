// What only `countersign login` and `logout` do: a server that is started loads none of it.
export { beginLogin, type BegunLogin } from '../../gateway/upstream/login/begin-login.ts'
export { revokeLogin } from '../../gateway/upstream/login/refresh.ts'
