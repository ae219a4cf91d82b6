// Ends of executions as events on the default bus, for a rule of the template.
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbeddedAws } from '../../embedded-aws.ts'
import {
  ACCOUNT,
  type AssemblyFixture,
  oneTask,
  REGION,
  TRUSTS_SERVICES,
  temporaryDirectory,
  writeAssembly,
} from './fixture/assembly.ts'

const machineArn = (name: string) => `arn:aws:states:${REGION}:${ACCOUNT}:stateMachine:${name}`

/** The end of an execution of `Work` starts the machine `Reported` with the event's detail. */
const FIXTURE: AssemblyFixture = {
  functions: { echo: {} },
  machines: { Work: oneTask('echo'), Reported: oneTask('echo') },
  resources: {
    RuleRole: {
      Type: 'AWS::IAM::Role',
      Properties: {
        RoleName: 'rule',
        AssumeRolePolicyDocument: TRUSTS_SERVICES,
        Policies: [
          {
            PolicyName: 'own',
            PolicyDocument: {
              Version: '2012-10-17',
              Statement: [{ Effect: 'Allow', Action: 'states:StartExecution', Resource: machineArn('Reported') }],
            },
          },
        ],
      },
    },
    Rule: {
      Type: 'AWS::Events::Rule',
      Properties: {
        Name: 'ends',
        EventPattern: {
          source: ['aws.states'],
          detail: { status: ['SUCCEEDED', 'FAILED'], stateMachineArn: [{ Ref: 'MachineWork' }] },
        },
        Targets: [
          {
            Id: 'T',
            Arn: { Ref: 'MachineReported' },
            RoleArn: { 'Fn::GetAtt': ['RuleRole', 'Arn'] },
            InputPath: '$.detail',
          },
        ],
      },
    },
  },
}

async function boot(executionEvents: boolean) {
  const { directory, remove } = temporaryDirectory()
  const assemblyDir = await writeAssembly(path.join(directory, 'cdk.out'), FIXTURE)
  const aws = await startEmbeddedAws({ assemblyDir, stateDir: path.join(directory, 'state'), executionEvents })
  onTestFinished(async () => {
    await aws.stop()
    remove()
  })
  const { executionArn } = await aws.startExecution({ stateMachine: 'Work', name: 'a', input: '{"n":1}' })
  await aws.untilFinished(executionArn)
  await aws.untilDelivered()
  return aws
}

test('a rule gets the end of an execution of its machine and of no other machine', async () => {
  const aws = await boot(true)
  const reported = aws.listExecutions('Reported')
  expect(reported.map(({ input }) => JSON.parse(input))).toEqual([
    expect.objectContaining({ name: 'a', status: 'SUCCEEDED', input: '{"n":1}', output: '{"n":1}' }),
  ])
})

test('without the option executionEvents, nothing is reported', async () => {
  expect((await boot(false)).listExecutions('Reported')).toEqual([])
})
