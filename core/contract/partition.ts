// Knows the partitions of AWS: China, the US government and others have ARNs and host names of their own, and no way across.
// Every address of AWS that is made here ends as the partition of its region ends.

export interface Partition {
  readonly id: string
  /** For a person. */
  readonly name: string
  /** The end of its services' host names. */
  readonly domain: string
}

const COMMERCIAL: Partition = { id: 'aws', name: 'commercial AWS', domain: 'amazonaws.com' }
const SECRET = 'a secret region of AWS'

/**
 * By the beginning of their regions' names. Source: AWS General Reference, "Amazon Resource Names (ARNs)"; a test holds it
 * against the partitions of the SDK.
 */
const OTHERS: Readonly<Record<string, Partition>> = {
  'cn-': { id: 'aws-cn', name: 'Amazon Web Services in China', domain: 'amazonaws.com.cn' },
  'us-gov-': { id: 'aws-us-gov', name: 'AWS GovCloud (US)', domain: 'amazonaws.com' },
  'eusc-': { id: 'aws-eusc', name: 'the AWS European Sovereign Cloud', domain: 'amazonaws.eu' },
  'us-iso-': { id: 'aws-iso', name: SECRET, domain: 'c2s.ic.gov' },
  'us-isob-': { id: 'aws-iso-b', name: SECRET, domain: 'sc2s.sgov.gov' },
  'eu-isoe-': { id: 'aws-iso-e', name: SECRET, domain: 'cloud.adc-e.uk' },
  'us-isof-': { id: 'aws-iso-f', name: SECRET, domain: 'csp.hci.ic.gov' },
}

export function partitionOf(region: string): Partition {
  return Object.entries(OTHERS).find(([prefix]) => region.startsWith(prefix))?.[1] ?? COMMERCIAL
}

export function isCommercial(region: string): boolean {
  return partitionOf(region) === COMMERCIAL
}

/** The host of a service of AWS in a region: `sts.eu-west-1.amazonaws.com`. */
export function hostOfAws(service: string, region: string): string {
  return `${service}.${region}.${partitionOf(region).domain}`
}
