// Where a service of AWS answers: at the address that the environment names, else at its own in the function's region.
// In the place of the SDK's rules, which also know endpoints of accounts, of two stacks and of FIPS: a function has none.
// Sources: AWS SDKs and Tools Reference Guide, "Service-specific endpoints"; AWS General Reference, "AWS service endpoints".

interface Endpoint {
  readonly host: string
  readonly target: { readonly protocol: string; readonly hostname: string; readonly port: number | undefined }
}

/** By what a region's name begins with. All others are of the partition `aws`, or of `aws-us-gov`, which has the same one. */
const SUFFIXES: readonly (readonly [string, string])[] = [
  ['cn-', 'amazonaws.com.cn'],
  ['eusc-', 'amazonaws.eu'],
  ['us-iso-', 'c2s.ic.gov'],
  ['us-isob-', 'sc2s.sgov.gov'],
  ['eu-isoe-', 'cloud.adc-e.uk'],
  ['us-isof-', 'csp.hci.ic.gov'],
  ['eu-isof-', 'csp.hci.ic.gov'],
]

/** Its name is what is told of it (core/aws-fault.ts). */
class EndpointNotUsable extends Error {
  override readonly name = 'EndpointNotUsable'

  constructor(variable: string) {
    super(`${variable} must be an address and no more, such as http://127.0.0.1:8000`)
  }
}

export function endpointOf(serviceId: string, service: string, region: string): Endpoint {
  const named = `AWS_ENDPOINT_URL_${serviceId.toUpperCase().replaceAll(' ', '_')}`
  const { [named]: own, AWS_ENDPOINT_URL: common } = process.env
  const [, suffix] = SUFFIXES.find(([start]) => region.startsWith(start)) ?? ['', 'amazonaws.com']
  const address = own || common || `https://${service}.${region}.${suffix}`
  const { host, hostname, href, port, protocol } = new URL(address)
  if (href !== `${protocol}//${host}/`) throw new EndpointNotUsable(own ? named : 'AWS_ENDPOINT_URL')
  return { host, target: { protocol, hostname, port: port === '' ? undefined : Number(port) } }
}
