// Makes the service's address a stack parameter, so that the same assembly also runs against the sandbox. Each stack has
// its own parameter, because CloudFormation forbids a change of a value that another stack imports.
import { CfnParameter, Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import type { Treasury } from '../../core/contract/treasury.ts'

/**
 * Returns the address without `/v2`. The first call for a stack creates its parameter. The default is the address in
 * treasury.json. By itself, cdk would keep a deployed value, so `npm run deploy` passes `--no-previous-parameters`.
 */
export function serviceUrlParameter(scope: Construct, { service }: Treasury): string {
  const stack = Stack.of(scope)
  const existing = stack.node.tryFindChild('ServiceUrl')
  if (existing instanceof CfnParameter) return existing.valueAsString
  const parameter = new CfnParameter(stack, 'ServiceUrl', {
    description: 'Address of the conversion service, without /v2.',
    default: service.url,
    // verb-function.ts uses the address as the description of a function version. Lambda allows 256 characters there.
    allowedPattern: 'https?://[^\\s?#@]{1,240}',
  })
  return parameter.valueAsString
}
