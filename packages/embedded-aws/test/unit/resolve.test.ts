// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Fn::Sub and DefinitionSubstitutions write their placeholders like this.
import { describe, expect, test } from 'vitest'
import type { Assembly, Stack } from '../../assembly/read-assembly.ts'
import { Resolver } from '../../assembly/resolve.ts'

function stack(name: string, template: Partial<Stack['template']>): Stack {
  return {
    name,
    account: '111122223333',
    region: 'eu-west-1',
    template: { parameters: {}, resources: {}, outputs: {}, ...template },
  }
}

const resource = (type: string, properties: object = {}) => ({ type, properties, path: 'path', condition: undefined })

const STATE = stack('State', {
  resources: {
    Table: resource('AWS::DynamoDB::Table'),
    Secret: resource('AWS::SecretsManager::Secret', { Name: 'team/key' }),
    Log: resource('AWS::Logs::LogGroup', { LogGroupName: '/aws/x' }),
  },
  outputs: {
    TableArn: {
      Value: { 'Fn::GetAtt': ['Table', 'Arn'] },
      Export: { Name: { 'Fn::Sub': '${AWS::StackName}:TableArn' } },
    },
    Plain: { Value: { Ref: 'Table' } },
  },
})
const WORK = stack('Work', {
  parameters: {
    Url: { Type: 'String', Default: 'https://default', AllowedPattern: 'https://.*' },
    Size: { Type: 'Number' },
    Mode: { Type: 'String', Default: 'a', AllowedValues: ['a', 'b'] },
    Version: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/x' },
  },
  resources: {
    Function: resource('AWS::Lambda::Function', { FunctionName: { 'Fn::Join': ['-', ['my', { Ref: 'Mode' }]] } }),
    Machine: resource('AWS::StepFunctions::StateMachine', { StateMachineName: 'convert' }),
    Circle: resource('AWS::Lambda::Function', { FunctionName: { Ref: 'Circle' } }),
  },
})
const ASSEMBLY: Assembly = { stacks: [STATE, WORK], assetDirs: new Map() }

const resolved = (value: unknown, parameters = {}) => new Resolver(ASSEMBLY, parameters).resolve(WORK, value, 'here')

describe('a value', () => {
  test.each<[object | string, unknown]>([
    [{ Ref: 'Url' }, 'https://default'],
    [{ Ref: 'AWS::Region' }, 'eu-west-1'],
    [{ Ref: 'AWS::AccountId' }, '111122223333'],
    [{ Ref: 'AWS::StackName' }, 'Work'],
    [{ Ref: 'Function' }, 'my-a'],
    [{ 'Fn::GetAtt': ['Function', 'Arn'] }, 'arn:aws:lambda:eu-west-1:111122223333:function:my-a'],
    [{ 'Fn::GetAtt': 'Function.Arn' }, 'arn:aws:lambda:eu-west-1:111122223333:function:my-a'],
    [{ Ref: 'Machine' }, 'arn:aws:states:eu-west-1:111122223333:stateMachine:convert'],
    [{ 'Fn::GetAtt': ['Machine', 'Name'] }, 'convert'],
    [{ 'Fn::Join': [':', ['a', { Ref: 'Mode' }]] }, 'a:a'],
    [{ 'Fn::Select': [1, { 'Fn::Split': [',', 'x,y'] }] }, 'y'],
    [{ 'Fn::Select': ['0', ['x', 'y']] }, 'x'],
    [
      { 'Fn::Sub': '${Mode}-${AWS::Region}-${Function.Arn}-${!literal}' },
      'a-eu-west-1-arn:aws:lambda:eu-west-1:111122223333:function:my-a-${literal}',
    ],
    [{ 'Fn::Sub': ['${X}/${Mode}', { X: { Ref: 'Url' } }] }, 'https://default/a'],
    [{ 'Fn::ImportValue': 'State:TableArn' }, 'arn:aws:dynamodb:eu-west-1:111122223333:table/State-Table'],
    [{ 'Fn::GetStackOutput': { StackName: 'State', Region: 'eu-west-1', OutputName: 'Plain' } }, 'State-Table'],
    [{ a: [{ Ref: 'Mode' }, 1], b: { Ref: 'AWS::NoValue' } }, { a: ['a', 1] }],
    ['plain', 'plain'],
  ])('%j becomes %j', (value, expected) => {
    expect(resolved(value)).toEqual(expected)
  })

  test('the value of a parameter can replace its default', () => {
    expect(resolved({ Ref: 'Url' }, { Url: 'https://given' })).toBe('https://given')
    expect(resolved({ Ref: 'Size' }, { Size: '12' })).toBe('12')
  })

  test('the value of a secret is its ARN, the same at every start', () => {
    const once = new Resolver(ASSEMBLY, {}).resolve(STATE, { Ref: 'Secret' }, 'here')
    expect(once).toMatch(/^arn:aws:secretsmanager:eu-west-1:111122223333:secret:team\/key-[0-9a-f]{6}$/)
    expect(new Resolver(ASSEMBLY, {}).resolve(STATE, { Ref: 'Secret' }, 'here')).toBe(once)
  })

  test('the value of a log group’s ARN is known, for the policies that name it', () => {
    expect(new Resolver(ASSEMBLY, {}).resolve(STATE, { 'Fn::GetAtt': ['Log', 'Arn'] }, 'here')).toBe(
      'arn:aws:logs:eu-west-1:111122223333:log-group:/aws/x:*',
    )
  })
})

describe('an unsupported reference is refused', () => {
  test.each<[string, unknown, Record<string, string>, string]>([
    ['Fn::If', { 'Fn::If': ['C', 1, 2] }, {}, 'here: Fn::If is not supported'],
    ['Fn::FindInMap', { 'Fn::FindInMap': ['A', 'b', 'c'] }, {}, 'Fn::FindInMap is not supported'],
    ['an unknown resource', { Ref: 'Nothing' }, {}, 'refers to Nothing'],
    ['an unknown attribute', { 'Fn::GetAtt': ['Function', 'SnapStart'] }, {}, 'attribute SnapStart of Function'],
    ['an unknown export', { 'Fn::ImportValue': 'Other:X' }, {}, 'exports Other:X'],
    ['an unknown output', { 'Fn::GetStackOutput': { StackName: 'Other', OutputName: 'X' } }, {}, 'no output X'],
    ['a dynamic reference', '{{resolve:ssm:/x}}', {}, 'dynamic reference'],
    ['a circle', { Ref: 'Circle' }, {}, 'circle'],
    ['a parameter without a value', { Ref: 'Size' }, {}, 'parameter Size: has no default'],
    ['a number that is not numeric', { Ref: 'Size' }, { Size: 'many' }, 'must be a number'],
    ['a value that does not match its pattern', { Ref: 'Url' }, { Url: 'http://x' }, 'must match https://.*'],
    ['a value outside its list', { Ref: 'Mode' }, { Mode: 'c' }, 'must be one of a, b'],
    ['a parameter from SSM', { Ref: 'Version' }, {}, 'AWS::SSM::Parameter::Value<String> is not supported'],
    ['a parameter that no stack declares', 'x', { Uri: 'x' }, 'parameter Uri: no stack'],
    ['a selection past the end', { 'Fn::Select': [2, ['a']] }, {}, 'Fn::Select finds no item 2'],
  ])('%s', (_name, value, parameters, message) => {
    expect(() => resolved(value, parameters)).toThrow(message)
  })
})
