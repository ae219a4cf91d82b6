// Compares the runbook's policy for customer keys with what a deployment creates.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Template } from 'aws-cdk-lib/assertions'
import { expect, test } from 'vitest'
import { BREAK_GLASS_ROLE } from '../../core/contract/journal-policy.ts'
import { synthesizeTemplates } from '../infra/assembly.ts'
import { ROOT } from './pages.ts'

const runbook = readFileSync(path.join(ROOT, 'docs', 'runbook.md'), 'utf8')
const [, document = ''] = /\*\*Make each key\*\*.*?```json\n(.*?)```/s.exec(runbook) ?? []
const [byIam, logs, stays, ...others] = JSON.parse(document).Statement

test("the policy leaves permissions to the account's IAM, so that nobody is locked out", () => {
  expect(byIam).toMatchObject({
    ...{ Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::ACCOUNT:root' }, Action: 'kms:*', Resource: '*' },
  })
  expect(others).toEqual([])
})

test('the policy admits CloudWatch Logs for every log group of a deployment, and for no other', () => {
  const templates: readonly Template[] = Object.values(
    synthesizeTemplates({ webhooks: { signatureHeader: 'X-Signature' } }),
  )
  const names = templates.flatMap((template) =>
    Object.values(template.findResources('AWS::Logs::LogGroup')).map(({ Properties }) => Properties.LogGroupName),
  )
  const patterns: readonly string[] = logs.Condition.ArnLike['kms:EncryptionContext:aws:logs:arn']
  const isLetIn = (name: string) =>
    patterns.some((pattern) => `arn:aws:logs:REGION:ACCOUNT:log-group:${name}`.startsWith(pattern.replace(/\*$/, '')))
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !isLetIn(name))).toEqual([])
  expect(['/aws/lambda/other', '/aws/vendedlogs/states/other', 'sluice-'].filter(isLetIn)).toEqual([])
  expect(logs.Principal).toEqual({ Service: 'logs.REGION.amazonaws.com' })
})

test('the policy allows only break-glass to disable or delete the key', () => {
  expect(stays).toMatchObject({
    ...{ Effect: 'Deny', Principal: { AWS: '*' }, Action: ['kms:DisableKey', 'kms:ScheduleKeyDeletion'] },
    Condition: { ArnNotLike: { 'aws:PrincipalArn': `arn:aws:iam::ACCOUNT:role/${BREAK_GLASS_ROLE}` } },
  })
})
