// The functions of WASI that are not about files: arguments, clock, chance, the end. And those that nobody gets here, which
// are links, sockets and room in advance.
import { workOf } from '../instance.ts'
import { errno, type GuestMemory, type Wasi, type WasiHost } from './wasi-host.ts'

/** What an instance may ask of its process. */
export const processFunctions = (host: WasiHost, memory: GuestMemory): Wasi => ({
  args_get: (list, buffer) => memory.putStrings(host.args, list, buffer),
  args_sizes_get: (count, size) => memory.putSizes(host.args, count, size),
  environ_get: (list, buffer) => memory.putStrings(host.environment, list, buffer),
  environ_sizes_get: (count, size) => memory.putSizes(host.environment, count, size),
  clock_res_get: (_clock, out) => memory.u64(out, 1_000_000n),
  clock_time_get: (clock, _precision, out) => memory.u64(out, host.now(clock)),
  random_get: (pointer, length) => {
    host.pay(workOf.text(length >>> 0))
    host.random(memory.bytes(pointer, length))
    return 0
  },
  proc_exit: (code) => host.exit(code),
  sched_yield: () => 0,
  // Sleeping takes no time: the clock goes on by itself.
  poll_oneoff: (subscriptions, events, count, out) => {
    for (let index = 0; index < count; index += 1) {
      host.pay(workOf.text(32))
      const from = subscriptions + 48 * index
      const to = events + 32 * index
      memory.bytes(to, 32).fill(0)
      memory.bytes(to, 8).set(memory.bytes(from, 8))
      const kind = memory.bytes(from + 8, 1)[0] ?? 0
      memory.bytes(to + 10, 1)[0] = kind
      if (kind === 0) host.sleep(memory.view.getBigUint64(from + 24, true))
    }
    return memory.u32(out, count)
  },
  fd_allocate: () => errno.notsup,
  path_link: () => errno.notsup,
  path_symlink: () => errno.notsup,
  sock_accept: () => errno.notsup,
  sock_recv: () => errno.notsup,
  sock_send: () => errno.notsup,
  sock_shutdown: () => errno.notsup,
})
