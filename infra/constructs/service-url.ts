// Makes the service's address a parameter, so that one assembly can use another address: the embedded run uses the
// sandbox's. Each stack has its own, because a value that one stack imports from another can never change.
import { CfnParameter, Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import type { Treasury } from '../../core/contract/treasury.ts'

/**
 * Returns the address without `/v2`. The first function of a stack that needs it creates the parameter. The cdk command
 * would keep the old value over a new default, so `npm run deploy` tells it to use the value of treasury.json.
 */
export function serviceUrlParameter(scope: Construct, { service }: Treasury): string {
  const stack = Stack.of(scope)
  const made = stack.node.tryFindChild('ServiceUrl')
  if (made instanceof CfnParameter) return made.valueAsString
  const parameter = new CfnParameter(stack, 'ServiceUrl', {
    description: 'Address of the conversion service, without /v2.',
    default: service.url,
    // The address is the description of function versions (verb-function.ts), which has at most 256 characters.
    allowedPattern: 'https?://[^\\s?#@]{1,240}',
  })
  return parameter.valueAsString
}
