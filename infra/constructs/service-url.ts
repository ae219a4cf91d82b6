// The address of the service as a parameter, so that one assembly can be pointed at another address: the embedded run
// points it at the sandbox. Each stack that needs it has its own, because a value that one stack imports from another
// can never change.
import { CfnParameter, type Stack } from 'aws-cdk-lib'
import type { Treasury } from '../../core/contract/treasury.ts'

/**
 * Without `/v2`. The cdk command would keep the value of the deployment before over a new default: `npm run deploy`
 * tells it not to, so that treasury.json is what counts.
 */
export function serviceUrlParameter(stack: Stack, { service }: Treasury): string {
  const parameter = new CfnParameter(stack, 'ServiceUrl', {
    description: 'Address of the conversion service, without /v2.',
    default: service.url,
    // It describes the versions of the functions that have it (verb-function.ts): a description has at most 256 characters.
    allowedPattern: 'https?://[^\\s?#@]{1,240}',
  })
  return parameter.valueAsString
}
