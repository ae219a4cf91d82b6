// Names the ports that deployed functions send to. Pure.
import type { Treasury } from '../contract/treasury.ts'

const HTTPS = 443
/** Default ports of an address. */
const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': HTTPS }

/** Ports of AWS, of the service and of the proxy. */
export function portsOf({ aws, service }: Pick<Treasury, 'aws' | 'service'>): readonly number[] {
  return [HTTPS, portOf(service.url), ...(aws?.proxy === undefined ? [] : [portOf(aws.proxy.url)])]
}

function portOf(address: string): number {
  const { port, protocol } = new URL(address)
  return port === '' ? (PORTS[protocol] ?? 0) : Number(port)
}
