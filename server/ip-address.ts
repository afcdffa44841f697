// What kind of network an IP address lies in decides who may call, and whom a server may call. The ranges are those of
// the IANA registries as `ipaddr.js` keeps them; this adds what is no range of theirs: the addresses at which clouds
// answer their own machines, and all of IPv6 that is not assigned to the internet.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * `public`: the internet. `private`: behind a router (RFC 1918, 4193, 6598). `special`: everything else, such as
 * link-local, multicast, reserved, IPv6 addresses that a gateway turns into IPv4 ones, and clouds' own services.
 */
export type Network = 'loopback' | 'private' | 'public' | 'special'

const cidr = (text: string) => ipaddr.parseCIDR(text)

/** Where clouds hand credentials and settings to their machines, outside of the link-local range. */
const cloudInternal = [
  '168.63.129.16/32', // Azure
  '100.100.100.200/32', // Alibaba Cloud
  'fd00:ec2::/32', // AWS
  'fd20:ce::/32', // Google Cloud
].map(cidr)

/** All of IPv6 that is assigned for the internet (RFC 3587); "IPv4-compatible" addresses (`::169.254.169.254`) lie outside. */
const globalIpv6 = cidr('2000::/3')

const isIn = (address: ipaddr.IPv4 | ipaddr.IPv6, [net, prefix]: [ipaddr.IPv4 | ipaddr.IPv6, number]): boolean =>
  address.kind() === net.kind() && address.match(net, prefix)

/** `ipaddr.js` takes `::10.0.0.1` for `::ffff:10.0.0.1`, which is another address; in the URL standard's form it cannot. */
const inHex = (ipv6: string): string => new URL(`http://[${ipv6.replace(/%[^]*/, '')}]`).hostname.slice(1, -1)

/** An IP address; `undefined` where the text is none. An IPv4-mapped address is the IPv4 one it means. */
function parsed(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const family = isIP(text)
  return family === 0 ? undefined : ipaddr.process(family === 6 ? inHex(text) : text)
}

/** The addresses that a gateway writes for IPv4 ones where there is IPv6 alone (RFC 6052, 2.1). */
const throughGateway = cidr('64:ff9b::/96')

/**
 * Who is counted as one by an IP address, the text itself where that is none. Of IPv6 it is the network, because whoever has
 * one address of that has 2^64 (RFC 4291, 2.5.4). IPv4 is counted whole, also where it is written within IPv6.
 */
export function countedAs(text: string): string {
  const address = parsed(text)
  if (address === undefined) return text
  if (address instanceof ipaddr.IPv4) return address.toString()
  if (isIn(address, throughGateway)) return ipaddr.fromByteArray(address.toByteArray().slice(12)).toString()
  const network = address.parts.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/** The network of an IP address; `undefined` where the text is none. */
export function networkOf(text: string): Network | undefined {
  const address = parsed(text)
  if (address === undefined) return undefined
  if (cloudInternal.some((net) => isIn(address, net))) return 'special'
  switch (address.range()) {
    case 'loopback':
      return 'loopback'
    case 'private':
    case 'uniqueLocal':
    case 'carrierGradeNat':
      return 'private'
    case 'unicast':
      return address.kind() === 'ipv4' || isIn(address, globalIpv6) ? 'public' : 'special'
    default:
      return 'special'
  }
}

/** Whether a host name, as it stands in a URL or a setting, is this machine's own. IPv6 with brackets or without. */
export const isLoopbackHost = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || networkOf(host.replace(/^\[(.*)\]$/, '$1')) === 'loopback'

/** Whether what goes to this address can be read by nobody on the way: https, or http on this machine. */
export function isProtected(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))
}
