// A deployment is refused where a role does not let its service assume it, for this account and machine.
import { expect, test } from 'vitest'
import { planDeployment } from '../../assembly/plan-deployment.ts'

const ACCOUNT = '111122223333'
const MACHINE_ARN = `arn:aws:states:eu-west-1:${ACCOUNT}:stateMachine:m`

function plan(Service: string, Condition?: object): unknown {
  const Statement = [
    { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service }, ...(Condition && { Condition }) },
  ]
  const resource = (type: string, properties: object) => ({ type, properties, path: type, condition: undefined })
  const resources = {
    Role: resource('AWS::IAM::Role', { RoleName: 'x', AssumeRolePolicyDocument: { Statement } }),
    Machine: resource('AWS::StepFunctions::StateMachine', {
      ...{ StateMachineName: 'm', DefinitionString: '{}', RoleArn: `arn:aws:iam::${ACCOUNT}:role/x` },
    }),
  }
  const template = { parameters: {}, outputs: {}, resources }
  return planDeployment(
    { stacks: [{ name: 'S', account: ACCOUNT, region: 'eu-west-1', template }], assetDirs: new Map() },
    {},
  )
}

test('a service assumes a role that trusts it, for this account and this machine', () => {
  const own = { StringEquals: { 'aws:SourceAccount': ACCOUNT }, ArnLike: { 'aws:SourceArn': MACHINE_ARN } }
  expect(() => plan('states.amazonaws.com', own)).not.toThrow()
  expect(() => plan('states.amazonaws.com')).not.toThrow()
})

test.each<[string, string, object | undefined]>([
  ['another service', 'lambda.amazonaws.com', undefined],
  ['another account', 'states.amazonaws.com', { StringEquals: { 'aws:SourceAccount': '444455556666' } }],
  ['another machine', 'states.amazonaws.com', { ArnEquals: { 'aws:SourceArn': `${MACHINE_ARN}2` } }],
  ['an unknown condition', 'states.amazonaws.com', { StringEquals: { 'sts:ExternalId': 'x' } }],
])('a role that trusts only %s is refused at the start', (_name, service, condition) => {
  expect(() => plan(service, condition)).toThrow(expect.objectContaining({ name: 'Refusal' }))
})
