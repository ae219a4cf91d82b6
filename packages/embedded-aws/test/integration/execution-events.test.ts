// Ends of executions on the default bus, to a rule of the template's own.
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

/** Ends of the machine `Work` start the machine `Told` with what is said of them. */
const FIXTURE: AssemblyFixture = {
  functions: { echo: {} },
  machines: { Work: oneTask('echo'), Told: oneTask('echo') },
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
              Statement: [{ Effect: 'Allow', Action: 'states:StartExecution', Resource: machineArn('Told') }],
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
            Arn: { Ref: 'MachineTold' },
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

test('a rule hears of the end of an execution, and of no other machine’s', async () => {
  const aws = await boot(true)
  const told = aws.listExecutions('Told')
  expect(told.map(({ input }) => JSON.parse(input))).toEqual([
    expect.objectContaining({ name: 'a', status: 'SUCCEEDED', input: '{"n":1}', output: '{"n":1}' }),
  ])
})

test('unless it is asked for, nothing is told', async () => {
  expect((await boot(false)).listExecutions('Told')).toEqual([])
})
