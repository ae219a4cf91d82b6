// Lets one deployment alone use a table or a bus of the account. With one journal two deployments would share budgets and
// ids, and with one bus both would act on one request. The parameter's name is unique in the account and region, so
// CloudFormation refuses the second deployment before it makes a function.
import { Stack } from 'aws-cdk-lib'
import { CfnParameter } from 'aws-cdk-lib/aws-ssm'
import { Construct } from 'constructs'
import { useParameter } from '../../core/contract/deployed-names.ts'

export class SoleUse extends Construct {
  /** `resource`: the name of the table or of the bus. */
  constructor(scope: Construct, what: 'bus' | 'journal', resource: string) {
    super(scope, 'SoleUse')
    new CfnParameter(this, 'Parameter', {
      name: useParameter(what, resource),
      type: 'String',
      value: Stack.of(this).stackName,
      description: `The stack that alone uses this ${what}. It goes with the stack.`,
    })
  }
}
