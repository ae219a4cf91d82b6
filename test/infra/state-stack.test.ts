import { Match } from 'aws-cdk-lib/assertions'
import { beforeAll, expect, test } from 'vitest'
import { LISTED_INDEX, LISTED_KEY, RECORD_KEY } from '../../core/contract/records.ts'
import { synthesizeTemplates, type Templates, treasury } from './assembly.ts'

let templates: Templates
beforeAll(() => {
  templates = synthesizeTemplates()
})

test('the journal is protected, kept, restorable, and billed by use', () => {
  templates.state.hasResource('AWS::DynamoDB::Table', {
    Properties: {
      TableName: 'sluice-journal',
      KeySchema: [{ AttributeName: RECORD_KEY, KeyType: 'HASH' }],
      AttributeDefinitions: [
        { AttributeName: RECORD_KEY, AttributeType: 'S' },
        { AttributeName: LISTED_KEY, AttributeType: 'S' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: LISTED_INDEX,
          KeySchema: [{ AttributeName: LISTED_KEY, KeyType: 'HASH' }],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
      BillingMode: 'PAY_PER_REQUEST',
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      // A record that expired would be an intent forgotten.
      TimeToLiveSpecification: Match.absent(),
    },
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
  })
})

test('the secret has the name of treasury.json, no value, and is kept', () => {
  templates.state.hasResource('AWS::SecretsManager::Secret', {
    Properties: {
      Name: treasury.service.keySecret,
      SecretString: Match.absent(),
      GenerateSecretString: Match.absent(),
    },
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
  })
})

test('there is nothing else in the stack that must outlive deployments', () => {
  const types = Object.values(templates.state.toJSON().Resources as Record<string, { Type: string }>)
  expect(types.map((resource) => resource.Type).sort()).toEqual(['AWS::DynamoDB::Table', 'AWS::SecretsManager::Secret'])
})

test('a role with a key of its own has a secret of its own, kept like the first', () => {
  const keys = { read: { secret: 'team/read-key' }, trade: { secret: 'team/trade-key' } }
  const { state } = synthesizeTemplates({ service: { ...treasury.service, keys } })
  const secrets = Object.entries(state.findResources('AWS::SecretsManager::Secret'))
  expect(secrets.map(([, { Properties }]) => Properties.Name).sort()).toEqual(
    [treasury.service.keySecret, 'team/read-key', 'team/trade-key'].sort(),
  )
  expect(secrets.every(([, { DeletionPolicy }]) => DeletionPolicy === 'Retain')).toBe(true)
})

test('the resource of a secret follows from its name, whichever role it serves', () => {
  const idOf = (keys: object) => {
    const { state } = synthesizeTemplates({ service: { ...treasury.service, keys } })
    const secrets = state.findResources('AWS::SecretsManager::Secret', { Properties: { Name: 'a-key' } })
    return Object.keys(secrets)
  }
  const first = idOf({ trade: { secret: 'a-key' } })
  expect(first).toHaveLength(1)
  expect(idOf({ read: { secret: 'a-key' }, trade: { secret: 'b-key' } })).toEqual(first)
})

test('where every role has a key of its own, there is no other', () => {
  const key = { secret: 'the-key' }
  const service = { ...treasury.service, keys: { read: key, trade: key, transfer: key } }
  synthesizeTemplates({ service }).state.resourcePropertiesCountIs('AWS::SecretsManager::Secret', {}, 1)
})
