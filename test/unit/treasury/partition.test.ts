// Tests that a file names nothing of another partition of AWS than that of its region.
import { expect, test } from 'vitest'
import { parseTreasury } from '../../../core/treasury/config.ts'

const ACCOUNT = '123456789012'
const parsed = (region: string, { aws = {}, ...more }: Readonly<Record<string, object>>) =>
  parseTreasury(
    JSON.stringify({
      service: { url: 'https://service.example', stage: 'test' },
      aws: { account: ACCOUNT, region, ...aws },
      ...more,
    }),
  )
const topic = (partition: string, region: string) => `arn:${partition}:sns:${region}:${ACCOUNT}:on-call`

test.each<[string, string, Readonly<Record<string, object>>, RegExp]>([
  [
    'a bus',
    'eu-west-1',
    { aws: { eventBus: `arn:aws-cn:events:eu-west-1:${ACCOUNT}:event-bus/company` } },
    /^treasury\.json: aws\.eventBus: expected something of the partition aws \(commercial AWS\), as aws\.region is eu-west-1; got arn:aws-cn:events/,
  ],
  [
    'a table',
    'us-gov-west-1',
    { aws: { journalTable: `arn:aws:dynamodb:us-gov-west-1:${ACCOUNT}:table/records` } },
    /aws\.journalTable: expected something of the partition aws-us-gov \(AWS GovCloud \(US\)\)/,
  ],
  [
    'a boundary',
    'cn-north-1',
    { aws: { permissionsBoundary: `arn:aws:iam::${ACCOUNT}:policy/boundary` } },
    /aws\.permissionsBoundary: expected something of the partition aws-cn/,
  ],
  [
    'a topic of notices',
    'eu-west-1',
    { notices: [{ name: 'mail', to: { topicArn: topic('aws-us-gov', 'eu-west-1') }, about: ['halted'] }] },
    /notices\[0\]\.to\.topicArn: expected something of the partition aws /,
  ],
  ['a copy', 'eu-west-1', { journal: { copyRegion: 'cn-north-1' } }, /journal\.copyRegion: .*; got cn-north-1$/],
])('%s of another partition is refused by its field', (_what, region, more, line) => {
  expect(() => parsed(region, more)).toThrow(line)
})

test('resources of the same partition are accepted', () => {
  const alarms = { topicArn: topic('aws-us-gov', 'us-gov-west-1') }
  expect(parsed('us-gov-west-1', { alarms }).alarms?.topicArn).toBe(alarms.topicArn)
})
