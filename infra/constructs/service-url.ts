// The address of the service as a parameter, so that one assembly can be pointed at another address: the embedded run
// points it at the sandbox. Each stack that needs it has its own, because a value that one stack imports from another
// can never change.
import { CfnParameter, Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import type { Treasury } from '../../core/contract/treasury.ts'

/**
 * Without `/v2`, made for the first function of a stack that asks for it. The cdk command would keep the value of the deployment before over a new default: `npm run deploy`
 * tells it not to, so that treasury.json is what counts.
 */
export function serviceUrlParameter(scope: Construct, { service }: Treasury): string {
  const stack = Stack.of(scope)
  const made = stack.node.tryFindChild('ServiceUrl')
  if (made instanceof CfnParameter) return made.valueAsString
  const parameter = new CfnParameter(stack, 'ServiceUrl', {
    description: 'Address of the conversion service, without /v2.',
    default: service.url,
    // It describes the versions of the functions that have it (verb-function.ts): a description has at most 256 characters.
    allowedPattern: 'https?://[^\\s?#@]{1,240}',
  })
  return parameter.valueAsString
}
