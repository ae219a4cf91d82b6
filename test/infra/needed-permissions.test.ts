// Tests the list of what roles need, by which doctor judges policies of the account, against the templates.
import { describe, expect, test } from 'vitest'
import { parseTreasury } from '../../core/treasury/config.ts'
import {
  neededPermissions,
  permissionsByService,
} from '../../operations/doctor/before-deploy/permissions/needed-permissions.ts'
import { textsIn } from '../docs/template-names.ts'
import { synthesizeTemplates } from './assembly.ts'
import type { Statement } from './permissions.ts'

const PLACE = { account: '123456789012', region: 'eu-west-1' }
const kmsKey = (region: string, id: string) =>
  `arn:aws:kms:${region}:123456789012:key/00000000-0000-0000-0000-0000000000${id}`
const service = { url: 'https://service.example', stage: 'test' }
const FILES = {
  plain: { service, aws: PLACE },
  'with every feature': {
    environment: 'desk-2',
    service: { ...service, keys: { trade: { secret: 'trade', kmsKey: 'alias/t' }, read: { secret: 'read' } } },
    webhooks: {},
    notices: [
      { name: 'chat', to: { webhook: { secret: 'chat-address' } }, about: ['halted'] },
      { name: 'mail', to: { sns: [] }, about: ['halted'] },
    ],
    encryption: {
      ...{ secrets: kmsKey('eu-west-1', '01'), journal: kmsKey('eu-west-1', '02') },
      copies: kmsKey('eu-central-1', '03'),
    },
    journal: { copyRegion: 'eu-central-1' },
    policies: {
      salaries: {
        ...{ kind: 'payouts', assets: ['EUR'], approval: { above: '0' } },
        files: { bucket: 'company-payouts', prefix: 'salaries/' },
      },
      hourly: { kind: 'rebalance', weights: { BTC: '0.5', USDC: '0.5' }, schedule: { expression: 'rate(1 hour)' } },
    },
    aws: { ...PLACE, vpc: { id: 'vpc-0123456789abcdef0', subnets: ['subnet-0000000a'] } },
  },
  'with a bus and a table of the account': {
    service,
    aws: { ...PLACE, eventBus: 'company-events', journalTable: 'company-records' },
  },
}

/** The name of a function, with :* where every version is meant. */
const FUNCTION = /[a-z0-9-]*sluice-[a-z-]+(:\*)?$/

const glob = (pattern: string) =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  )
/** The ARN from each of its parts on, because a reader of templates knows only the end of most ARNs. */
const endsOf = (arn: string) => [arn, ...[...arn.matchAll(/[:/]/g)].map(({ index }) => arn.slice(index + 1))]

describe.each(Object.entries(FILES))('the list of a file %s', (_name, file) => {
  const treasury = parseTreasury(JSON.stringify(file))
  const needed = neededPermissions(treasury, PLACE)
  const granted = () =>
    Object.values(synthesizeTemplates(treasury)).flatMap((template) => {
      const words = textsIn(template.toJSON().Resources)
      const policies: readonly {
        readonly Properties: { readonly PolicyDocument: { readonly Statement: Statement[] } }
      }[] = Object.values(template.findResources('AWS::IAM::Policy'))
      return policies
        .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
        .filter(({ Effect }) => Effect === 'Allow')
        .flatMap(({ Action, Resource }) =>
          [Action].flat().flatMap((action) => [Resource].flat().map((on) => ({ action, on: words(on) }))),
        )
    })

  test('has every permission of the roles, and no other action', () => {
    const roles = granted()
    const actions = (all: readonly { readonly action: string }[]) =>
      [...new Set(all.map(({ action }) => action))].sort()
    expect(actions(needed)).toEqual(actions(roles))
    const isListed = ({ action, on }: (typeof roles)[number]) =>
      needed.some(
        (each) =>
          each.action === action &&
          endsOf(each.resource).some((end) => glob(end).test(on) || glob(end).test(on.replace(/^[a-z0-9]+:/, ''))),
      )
    expect(roles.filter((each) => !isListed(each))).toEqual([])
  })

  test.each(['lambda:InvokeFunction', 'logs:PutLogEvents'])('names each function for %s as a role has it', (action) => {
    const names = (all: readonly string[]) => [...new Set(all.flatMap((on) => FUNCTION.exec(on)?.[0] ?? []))].sort()
    const own = needed.filter((each) => each.action === action).map(({ resource }) => resource)
    const roles = granted().filter((each) => each.action === action)
    const called = names(roles.map(({ on }) => on))
    expect(called.length).toBeGreaterThan(10)
    expect(names(own.map((on) => on.replace(':log-stream:*', '')))).toEqual(called)
  })
})

test('a file with payouts from files calls S3 and SQS, and a plain file calls neither', () => {
  const called = (file: object) =>
    Object.entries(permissionsByService(parseTreasury(JSON.stringify(file)), PLACE)).flatMap(([name, permissions]) =>
      permissions.length === 0 ? [] : [name],
    )
  expect(called(FILES.plain)).toEqual(['dynamodb', 'events', 'secretsmanager', 'states', 'sts', 'kms'])
  expect(called(FILES['with every feature'])).toEqual([
    'dynamodb',
    'events',
    'secretsmanager',
    'states',
    'sts',
    'kms',
    's3',
    'sns',
    'sqs',
  ])
})
