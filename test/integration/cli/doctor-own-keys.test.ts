// Tests the doctor's findings about one's own KMS keys, the key of decisions, and resources that should be under a key. AWS gives
// arranged answers.
import { expect, test } from 'vitest'
import { decisionKeyPolicy } from '../../../core/contract/decision-key-policy.ts'
import { parseTreasury } from '../../../core/treasury/config.ts'
import { decisionKeyCheck } from '../../../operations/doctor/deployed/key-policies.ts'
import { underOwnKeysChecks } from '../../../operations/doctor/deployed/under-own-keys.ts'
import { ownKeyChecks } from '../../../operations/doctor/own-keys.ts'
import { type Answer, named, PINNED_PLACE, toldAws } from './reported-aws.ts'

const tell = toldAws()
const kmsKey = (id: number, region = 'eu-west-1') =>
  `arn:aws:kms:${region}:123456789012:key/1234abcd-12ab-34cd-56ef-12345678900${id}`
const OURS = kmsKey(1)
const LOGS = kmsKey(2)
const COPIES = kmsKey(3, 'eu-central-1')
const WELL = {
  ...{ KeyId: OURS, KeyManager: 'CUSTOMER', KeyState: 'Enabled' },
  ...{ KeyUsage: 'ENCRYPT_DECRYPT', KeySpec: 'SYMMETRIC_DEFAULT' },
}
const described = (changes: object = {}): Answer => ({ body: { KeyMetadata: { ...WELL, ...changes } } })
const ROOT = '"arn:aws:iam::123456789012:root"'
const policy = (...principals: readonly string[]): Answer => ({
  body: { Policy: `{"Statement":[${principals.map((each) => `{"Principal":${each}}`).join()}]}` },
})
const OPEN = policy(ROOT, '"logs.eu-west-1.amazonaws.com"')

const treasuryOf = (encryption: object, more: object = {}) =>
  parseTreasury(
    JSON.stringify({
      service: { url: 'https://service.example', stage: 'test' },
      aws: PINNED_PLACE,
      encryption,
      ...more,
    }),
  )

test('enabled keys that admit their users pass, each is read once, and a copy’s key in its own region', async () => {
  tell({ 'TrentService.DescribeKey': described(), 'TrentService.GetKeyPolicy': OPEN })
  const more = { journal: { copyRegion: 'eu-central-1' } }
  const checks = await ownKeyChecks(treasuryOf({ secrets: OURS, journal: OURS, copies: COPIES, logs: LOGS }, more))
  expect(checks.map(({ check, detail, status }) => [check, status, detail])).toEqual([
    ['KMS key of secrets, journal', 'ok', `${OURS} is enabled`],
    ['KMS key of copies', 'ok', `${COPIES} is enabled`],
    ['KMS key of logs', 'ok', `${LOGS} is enabled`],
  ])
})

test.each<[string, Answer, Answer, object, string, RegExp]>([
  ['that does not exist', named('NotFoundException'), OPEN, { journal: OURS }, 'fail', /^there is no arn/],
  [
    'that is disabled',
    described({ KeyState: 'Disabled' }),
    OPEN,
    { journal: OURS },
    'fail',
    /is Disabled: nothing under it/,
  ],
  [
    'that is about to be deleted',
    described({ KeyState: 'PendingDeletion' }),
    OPEN,
    { journal: OURS },
    'fail',
    /about to be deleted, and with it all/,
  ],
  [
    'that signs',
    described({ KeyUsage: 'SIGN_VERIFY', KeySpec: 'RSA_2048' }),
    OPEN,
    { secrets: OURS },
    'fail',
    /is for SIGN_VERIFY with RSA_2048/,
  ],
  ['of AWS', described({ KeyManager: 'AWS' }), OPEN, { secrets: OURS }, 'fail', /a key that AWS manages/],
  ['that may not be read', named('AccessDeniedException'), OPEN, { logs: OURS }, 'warn', /^not known \(Access/],
  [
    'whose policy may not be read',
    described(),
    named('AccessDeniedException'),
    { logs: OURS },
    'warn',
    /^not known \(Access/,
  ],
  [
    'of logs that does not let CloudWatch in',
    described(),
    policy(ROOT),
    { logs: OURS },
    'fail',
    /does not let in logs.eu-west-1.amazonaws.com/,
  ],
  [
    'of logs that lets in CloudWatch of another region',
    described(),
    policy(ROOT, '"logs.eu-west-2.amazonaws.com"'),
    { logs: OURS },
    'fail',
    /does not let in logs.eu-west-1/,
  ],
  [
    'that leaves nothing to IAM',
    described(),
    policy('"arn:aws:iam::999999999999:root"'),
    { journal: OURS },
    'warn',
    /leaves nothing to IAM of account 123456789012/,
  ],
])('a key %s is reported, with what to do', async (_what, description, itsPolicy, encryption, status, detail) => {
  tell({ 'TrentService.DescribeKey': description, 'TrentService.GetKeyPolicy': itsPolicy })
  const checks = await ownKeyChecks(treasuryOf(encryption))
  expect(checks).toEqual([
    {
      ...{ check: expect.stringMatching(/^KMS key of \w+$/), status },
      ...{ detail: expect.stringMatching(detail), next: expect.stringMatching(/\w/) },
    },
  ])
})

const DECISIONS: Answer = { body: { KeyMetadata: { Arn: OURS, KeyState: 'Enabled' } } }
const place = { partition: 'aws', account: '123456789012', environment: undefined }
const WANTED = decisionKeyPolicy(place)
const [, signing] = WANTED.Statement
const others = { ...WANTED, Statement: [...WANTED.Statement, { ...signing, Sid: 'Another', Condition: undefined }] }
const says = (document: object): Answer => ({ body: { Policy: JSON.stringify(document) } })

test.each<[string, Answer, Answer, string, RegExp]>([
  ['with the policy of this release', DECISIONS, says(WANTED), 'ok', /only Decide signs/],
  ['with which another role may sign', DECISIONS, says(others), 'warn', /does not have: Another: others may sign/],
  ['that is disabled', described({ Arn: OURS, KeyState: 'Disabled' }), says(WANTED), 'fail', /no approval counts/],
  ['that is missing', named('NotFoundException'), says(WANTED), 'fail', /no approval counts/],
  ['without a policy', DECISIONS, named('NotFoundException'), 'fail', /no policy of alias/],
  ['that may not be read', DECISIONS, named('AccessDeniedException'), 'warn', /^not known \(Access/],
])('a key of decisions %s is reported', async (_what, description, itsPolicy, status, detail) => {
  tell({ 'TrentService.DescribeKey': description, 'TrentService.GetKeyPolicy': itsPolicy })
  expect(await decisionKeyCheck(treasuryOf({}))).toMatchObject({ status, detail: expect.stringMatching(detail) })
})

const table = (SSEDescription?: object): Answer => ({ body: { Table: { TableStatus: 'ACTIVE', SSEDescription } } })
const secret = (KmsKeyId?: string): Answer => ({ body: { Name: 'sluice/service-key', KmsKeyId } })
const JOURNAL = 'encryption of the journal'
const SECRET = 'encryption of secret sluice/service-key'

test.each<[string, Answer, Answer, string, string, RegExp]>([
  [
    'the journal under its key',
    table({ KMSMasterKeyArn: OURS }),
    secret(OURS),
    JOURNAL,
    'ok',
    /under the key of treasury/,
  ],
  ['the journal under a key of AWS', table(), secret(OURS), JOURNAL, 'warn', /^under a key of AWS, and not/],
  [
    'the journal under another',
    table({ KMSMasterKeyArn: LOGS }),
    secret(OURS),
    JOURNAL,
    'warn',
    /^under arn.*02, and not/,
  ],
  [
    'the journal, whose key cannot be used',
    table({ KMSMasterKeyArn: OURS, InaccessibleEncryptionDateTime: 1_790_000_000 }),
    secret(OURS),
    JOURNAL,
    'fail',
    /cannot use the key since 2026-09-21T.*; after seven days it archives the table/,
  ],
  ['a table that may not be read', named('AccessDeniedException'), secret(OURS), JOURNAL, 'warn', /^not known/],
  ['a secret under its key', table(), secret(OURS), SECRET, 'ok', /under the key of treasury/],
  ['a secret under a key of AWS', table(), secret(), SECRET, 'warn', /^under a key of AWS/],
  ['a secret that is not there', table(), named('ResourceNotFoundException'), SECRET, 'warn', /^not known/],
])('%s is reported', async (_what, described, itsSecret, name, status, detail) => {
  tell({ 'DynamoDB_20120810.DescribeTable': described, 'secretsmanager.DescribeSecret': itsSecret })
  const checks = await underOwnKeysChecks(treasuryOf({ journal: OURS, secrets: OURS }))
  expect(checks.map(({ check }) => check)).toEqual([JOURNAL, SECRET])
  expect(checks.find(({ check }) => check === name)).toMatchObject({ status, detail: expect.stringMatching(detail) })
})

test('where treasury.json names no key, nothing is asked', async () => {
  tell({})
  const treasury = treasuryOf({})
  expect(await underOwnKeysChecks(treasury)).toEqual([])
  expect(await ownKeyChecks(treasury)).toEqual([])
})
