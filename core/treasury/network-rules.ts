// Finds faults in the network of treasury.json that its shape does not show: a certificate that cannot be read, and ports
// that do not exist. Pure.
import { X509Certificate } from 'node:crypto'
import type { Treasury } from '../contract/treasury.ts'
import { fault, type PolicyFault } from '../policies/policy-fault.ts'

export function findNetworkFaults({ aws }: Pick<Treasury, 'aws'>): PolicyFault[] {
  const { certificateAuthorities = [], proxy } = aws ?? {}
  return [
    ...portFaults(proxy?.url),
    ...certificateAuthorities.flatMap((pem, index) =>
      isReadable(pem)
        ? []
        : [
            fault(
              ['aws', 'certificateAuthorities', index],
              'expected a certificate in PEM, byte for byte as its authority gives it; got one that cannot be read',
            ),
          ],
    ),
  ]
}

function portFaults(url: string | undefined): PolicyFault[] {
  const found = (got: string) => [fault(['aws', 'proxy', 'url'], `expected a port from 1 to 65535; got ${got}`)]
  if (url === undefined) return []
  if (!URL.canParse(url)) return found('a larger one')
  return new URL(url).port === '0' ? found('0') : []
}

/** Node ignores a certificate that it cannot read, so functions would then not trust the authority. */
function isReadable(pem: string): boolean {
  try {
    new X509Certificate(pem)
    return true
  } catch {
    return false
  }
}
