// Names the values of condition keys that every request of a deployment's roles has, whatever it asks for. Pure.
import type { Place } from '../place.ts'
import type { KnownValues } from './limiting-policy.ts'

export function knownOf({ account, region }: Place): KnownValues {
  return {
    ...{ 'aws:principalaccount': account, 'aws:resourceaccount': account, 'aws:requestedregion': region },
    // The SDK and the services of AWS send by TLS alone.
    'aws:securetransport': 'true',
  }
}
