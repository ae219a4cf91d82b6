// Tests the checks before a deployment that ask nothing, or only the files of the CDK.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseTreasury } from '../../../../core/treasury/config.ts'
import { partitionCheck } from '../../../../operations/doctor/before-deploy/before-deploy.ts'
import { bootstrapQualifier } from '../../../../operations/doctor/before-deploy/bootstrap.ts'
import { functionUrlCheck } from '../../../../operations/doctor/before-deploy/place.ts'
import { placeholderCheck } from '../../../../operations/doctor/placeholder.ts'
import { temporaryFolder } from '../../../helpers/folders.ts'

function filesOf(contents: Readonly<Record<string, object>>): string[] {
  const folder = temporaryFolder()
  for (const [name, content] of Object.entries(contents))
    writeFileSync(path.join(folder, name), JSON.stringify(content))
  return ['cdk.json', 'cdk.context.json', '.cdk.json'].map((name) => path.join(folder, name))
}

const named = (qualifier: string) => ({ '@aws-cdk/core:bootstrapQualifier': qualifier })

test.each<[string, Record<string, object>, string]>([
  ['no file', {}, 'hnb659fds'],
  ['a cdk.json without one', { 'cdk.json': { app: 'x' } }, 'hnb659fds'],
  ['cdk.json', { 'cdk.json': { context: named('corp01') }, 'cdk.context.json': named('other') }, 'corp01'],
  ['cdk.context.json', { 'cdk.json': { app: 'x' }, 'cdk.context.json': named('corp02') }, 'corp02'],
  ['.cdk.json of the person', { '.cdk.json': { context: named('corp03') } }, 'corp03'],
])('the qualifier of the bootstrap comes from %s, in the order of the CDK', (_what, contents, qualifier) => {
  expect(bootstrapQualifier(filesOf(contents))).toBe(qualifier)
})

const treasuryWith = (changes: object) =>
  parseTreasury(JSON.stringify({ service: { url: 'https://service.example', stage: 'test' }, ...changes }))
const topic = (partition: string, region: string) => ({
  alarms: { topicArn: `arn:${partition}:sns:${region}:123456789012:on-call` },
})

test.each<[string, object, string, RegExp]>([
  [
    'GovCloud',
    topic('aws', 'us-gov-west-1'),
    'us-gov-west-1',
    /aws-us-gov \(AWS GovCloud \(US\)\); alarms\.topicArn is arn:aws:sns/,
  ],
  ['China', topic('aws', 'cn-north-1'), 'cn-north-1', /aws-cn \(Amazon Web Services in China\); alarms\.topicArn is/],
  ['a copy across', { journal: { copyRegion: 'cn-north-1' } }, 'eu-west-1', /; journal\.copyRegion is cn-north-1$/],
])('%s: what belongs to another partition is refused by its field', (_what, changes, region, detail) => {
  expect(partitionCheck(treasuryWith(changes), { region })).toMatchObject({
    status: 'fail',
    detail: expect.stringMatching(detail),
  })
})

test('resources of the same partition are in order', () => {
  expect(partitionCheck(treasuryWith(topic('aws-us-gov', 'us-gov-west-1')), { region: 'us-gov-west-1' }).status).toBe(
    'ok',
  )
  expect(partitionCheck(treasuryWith(topic('aws', 'eu-west-1')), { region: 'eu-west-1' }).status).toBe('ok')
})

test.each([
  ['us-gov-west-1', /aws-us-gov \(AWS GovCloud \(US\)\), where Lambda has no function URLs/],
  ['cn-north-1', /aws-cn \(Amazon Web Services in China\), where Lambda has no function URLs/],
])('%s is refused by the name of its partition, as nobody could halt there', (region, detail) => {
  expect(functionUrlCheck({ region })).toMatchObject({ status: 'fail', detail: expect.stringMatching(detail) })
})

test.each([
  ['https://api.example.com', true],
  ['https://example.org/v9', true],
  ['https://api.example.company', false],
  ['https://notexample.com', false],
  ['http://127.0.0.1:8080', false],
])('%s: that it is a placeholder is %s', (url, isPlaceholder) => {
  expect(placeholderCheck(url) !== undefined).toBe(isPlaceholder)
})
