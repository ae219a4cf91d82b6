// Owns the managed policies of people on AWS, to attach to their roles or permission sets. They are for operators,
// resumers, approvers, resolvers, declarers, and break-glass, which writes the journal itself with a second factor.
// Creates no roles: the account decides who a person is (docs/runbook.md).
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Construct } from 'constructs'
import { ASKED_INDEX, LISTED_INDEX } from '../../core/contract/records.ts'
import { ResumedBy } from '../../core/contract/service-settings.ts'
import { Verb } from '../../core/contract/states.ts'
import { nameIn } from './deployed-name.ts'
import { acknowledgeExecutions, executionsOf, type NamedMachine } from './machine-role.ts'
import { mayDecrypt } from './own-keys.ts'
import { functionArnOf } from './verb-function.ts'

const EXECUTIONS_REASON = 'People look at any run, and the names of executions are not known before.'

export interface PeoplePoliciesProps {
  readonly journal: ITable
  readonly machines: readonly NamedMachine[]
  readonly resumedBy: ResumedBy | undefined
}

export class PeoplePolicies extends Construct {
  constructor(scope: Construct, id: string, { journal, machines, resumedBy }: PeoplePoliciesProps) {
    super(scope, id)
    const looks = [
      new PolicyStatement({ actions: ['dynamodb:DescribeTable', 'dynamodb:GetItem'], resources: [journal.tableArn] }),
      new PolicyStatement({
        actions: ['dynamodb:Query'],
        resources: [LISTED_INDEX, ASKED_INDEX].map((index) => `${journal.tableArn}/index/${index}`),
      }),
      ...mayDecrypt(this, 'journal', 'dynamodb'),
      // To show the deployed configuration.
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArnOf(this, Verb.Describe)] }),
      // To show a run step by step.
      new PolicyStatement({
        actions: ['states:DescribeStateMachine', 'states:ListExecutions'],
        resources: machines.map(({ machine }) => machine.stateMachineArn),
      }),
      new PolicyStatement({
        actions: ['states:DescribeExecution', 'states:GetExecutionHistory'],
        resources: machines.map((each) => executionsOf(this, each)),
      }),
    ]
    const policy = (name: string, description: string, statements: readonly PolicyStatement[]) => {
      const managed = new ManagedPolicy(this, name, {
        managedPolicyName: nameIn(this, `sluice-${kebab(name)}`),
        description,
        statements: [...statements],
      })
      for (const machine of machines) acknowledgeExecutions(managed, machine, EXECUTIONS_REASON)
    }
    const resumes = this.asks(Verb.Resume)
    // Never change a description: CloudFormation would replace the policy and fail, because its name is taken.
    policy('Operator', 'Looks into the journal, asks for runs, halts sending and lets it go on.', [
      ...looks,
      ...this.asks(Verb.RequestRun),
      ...this.asks(Verb.ThrowSwitch),
      ...(resumedBy === ResumedBy.AnotherRole ? [] : resumes),
    ])
    policy('Resumer', 'Looks into the journal, and lets sending go on.', [...looks, ...resumes])
    policy('Approver', 'Looks into the journal, approves and rejects plans.', [...looks, ...this.asks(Verb.Decide)])
    policy('Resolver', 'Looks into the journal, and settles what is in doubt.', [...looks, ...this.asks(Verb.Resolve)])
    // Never combine with Resolver: one person could hide a movement and then declare that nothing moved, so that it
    // would be made again.
    policy('Declarer', "Looks into the journal, and declares movements and what runs left to be others' business.", [
      ...looks,
      ...this.asks(Verb.DeclareForeign),
      ...this.asks(Verb.Release),
    ])
    policy('BreakGlass', 'Writes the journal itself, and may take its resource policy away: with a second factor.', [
      ...looks,
      new PolicyStatement({
        actions: [
          ...['dynamodb:PutItem', 'dynamodb:Scan'],
          ...['GetResourcePolicy', 'PutResourcePolicy', 'DeleteResourcePolicy'].map((each) => `dynamodb:${each}`),
        ],
        resources: [journal.tableArn],
        conditions: { Bool: { 'aws:MultiFactorAuthPresent': 'true' } },
      }),
    ])
  }

  /** Permissions to find the function's URL, and to call the function only by it. */
  private asks(verb: Verb): readonly PolicyStatement[] {
    const arn = functionArnOf(this, verb)
    return [
      new PolicyStatement({
        actions: ['lambda:GetFunctionUrlConfig', 'lambda:InvokeFunctionUrl'],
        resources: [arn],
      }),
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: [arn],
        conditions: { Bool: { 'lambda:InvokedViaFunctionUrl': 'true' } },
      }),
    ]
  }
}

function kebab(name: string): string {
  return name.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()
}
