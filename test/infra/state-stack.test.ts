import { Match } from 'aws-cdk-lib/assertions'
import { beforeAll, expect, test } from 'vitest'
import { RECORD_KEY } from '../../functions/contract/records.ts'
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
      AttributeDefinitions: [{ AttributeName: RECORD_KEY, AttributeType: 'S' }],
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
