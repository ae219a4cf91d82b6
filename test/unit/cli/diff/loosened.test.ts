// Every field that bounds something is reported as loosened where it bounds less, whatever the name of a policy or an asset.
import { describe, expect, test } from 'vitest'
import { changesOf } from '../../../../core/treasury/changes.ts'
import { parseTreasury } from '../../../../core/treasury/config.ts'

const SERVICE = { url: 'https://service.example', stage: 'test' }
const FUND = { kind: 'fund', asset: 'SOL', atLeast: '5', target: '8', from: [{ asset: 'EUR', keep: '100' }] }
const SPREAD = {
  ...{ kind: 'rebalance', weights: { BTC: '0.5', USDC: '0.5' }, reserve: { BTC: '1' }, leaveAlone: ['ETH'] },
  ...{ turnover: { day: '200' }, largestTrade: '50', coolDownSeconds: 600 },
}
const SWEEP = { kind: 'sweep', rules: [{ assets: ['ADA'], contactId: 'c-1', keep: { target: '10', trigger: '20' } }] }
const APPROVAL = { above: '100', approvers: ['arn:aws:sts::1:assumed-role/boss/*'], requesterMayApprove: false }
const PAYOUT = {
  kind: 'convert-and-withdraw',
  from: 'DOT',
  into: 'GBP',
  contactId: 'c-1',
  amount: '5',
  approval: APPROVAL,
}
const POLICIES = { fund: FUND, spread: SPREAD, sweep: SWEEP, payout: PAYOUT }
const LISTENERS = { page: ['mailto:on-call@example.com'], ticket: ['https://alerts.example.com/key-1'] }
const ALARMS = { alarms: { topicArn: 'arn:aws:sns:eu-west-1:123456789012:t', ...LISTENERS } }
const PLACE = { aws: { account: '123456789012', region: 'eu-west-1' } }
const ASKED = { above: '100', assets: { BTC: '1' }, contacts: { 'c-1': '10' }, twoAbove: '500' }
const GUARDS = { total: { daily: '1000' }, dailyWindow: 'rolling', approval: ASKED }

const written = (file: object) => JSON.parse(JSON.stringify(parseTreasury(JSON.stringify(file))))
const ENCRYPTION = { journal: 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab' }
const before = {
  ...{ service: SERVICE, guards: GUARDS, policies: POLICIES, ...ALARMS, ...PLACE },
  encryption: ENCRYPTION,
}
const changesIn = (is: object, was: object = before) =>
  changesOf(written(was), written(is)).map(({ kind, path, text }) => `${kind} ${path}: ${text}`)
const policies = (changes: object) => ({ ...before, policies: { ...POLICIES, ...changes } })
const guards = (changes: object) => ({ ...before, guards: { ...GUARDS, ...changes } })
const ruleOf = (changes: object) => ({ sweep: { ...SWEEP, rules: [{ ...SWEEP.rules[0], ...changes }] } })
const approvedBy = (changes: object) => ({ payout: { ...PAYOUT, approval: { ...APPROVAL, ...changes } } })

describe('loosened', () => {
  test.each<[string, object]>([
    ['encryption.journal', { ...before, encryption: {} }],
    ['encryption.journal', { ...before, encryption: undefined }],
    ['guards.total.daily', guards({ total: { daily: `1${'0'.repeat(23)}` } })],
    ['guards.approval.above', guards({ approval: { ...ASKED, above: '101' } })],
    ['guards.approval.above', guards({ approval: { ...ASKED, above: undefined } })],
    ['guards.approval.assets.BTC', guards({ approval: { ...ASKED, assets: { BTC: '2' } } })],
    ['guards.approval.contacts.c-1', guards({ approval: { ...ASKED, contacts: {} } })],
    ['guards.approval.twoAbove', guards({ approval: { ...ASKED, twoAbove: '501' } })],
    ['guards.valuationAsset', guards({ valuationAsset: 'BTC' })],
    ['guards.dailyWindow', guards({ dailyWindow: 'calendar' })],
    ['policies.spread.valuationAsset', policies({ spread: { ...SPREAD, valuationAsset: 'BTC' } })],
    ['policies.spread.reserve.BTC', policies({ spread: { ...SPREAD, reserve: { BTC: '0.1' } } })],
    ['policies.spread.reserve.BTC', policies({ spread: { ...SPREAD, reserve: {} } })],
    ['policies.spread.leaveAlone', policies({ spread: { ...SPREAD, leaveAlone: [] } })],
    ['policies.spread.turnover.day', policies({ spread: { ...SPREAD, turnover: {} } })],
    ['policies.spread.largestTrade', policies({ spread: { ...SPREAD, largestTrade: '51' } })],
    ['policies.spread.coolDownSeconds', policies({ spread: { ...SPREAD, coolDownSeconds: 0 } })],
    ['policies.fund.target', policies({ fund: { ...FUND, target: '8000' } })],
    ['policies.fund.from.0.keep', policies({ fund: { ...FUND, from: [{ asset: 'EUR' }] } })],
    ['policies.fund.from.1.asset', policies({ fund: { ...FUND, from: [...FUND.from, { asset: 'CHF' }] } })],
    ['policies.sweep.rules.0.assets', policies(ruleOf({ assets: ['ADA', 'ATOM'] }))],
    ['policies.sweep.rules.0.keep.trigger', policies(ruleOf({ keep: { target: '10' } }))],
    ['policies.payout.amount', policies({ payout: { ...PAYOUT, amount: undefined } })],
    ['policies.payout.approval.approvers', policies(approvedBy({ approvers: [...APPROVAL.approvers, '*'] }))],
    ['policies.payout.approval.approvers', policies(approvedBy({ approvers: undefined }))],
    ['policies.payout.approval.requesterMayApprove', policies(approvedBy({ requesterMayApprove: undefined }))],
    ['policies.payout.approval.above', policies({ payout: { ...PAYOUT, approval: undefined } })],
    ['alarms.topicArn', { ...before, alarms: LISTENERS }],
    ['alarms.page', { ...before, alarms: { ...ALARMS.alarms, page: undefined } }],
    ['alarms.ticket', { ...before, alarms: { ...ALARMS.alarms, ticket: [] } }],
    ['aws.account', { ...before, aws: undefined }],
    ['webhooks.signatureHeader', { ...before, webhooks: {} }],
  ])('is %s', (path, is) => {
    expect(changesIn(is)[0]).toMatch(new RegExp(`^loosened ${path.replaceAll('.', '\\.')}: `))
    expect(changesIn(before, is).find((line) => line.includes(` ${path}: `))).not.toMatch(
      /valuationAsset/.test(path) ? /^tightened/ : /^loosened/,
    )
  })

  test('is every asset but some, where only some were sent', () => {
    const { assets: _assets, ...rule } = SWEEP.rules[0] ?? {}
    const all = { service: SERVICE, policies: { sweep: { ...SWEEP, rules: [{ ...rule, allBut: ['BTC'] }] } } }
    const some = { service: SERVICE, policies: { sweep: SWEEP } }
    expect(changesIn(all, some)[0]).toBe(
      'loosened policies.sweep.rules.0.allBut: assets that are not sent: from none to ["BTC"]',
    )
    expect(changesIn(some, all).join()).toContain('tightened policies.sweep.rules.0.allBut')
  })
})

test('receivers of alarms are named by name or host, without the key that an address may hold', () => {
  const of = (page: readonly string[]) => ({ ...{ service: SERVICE, alarms: { page } } })
  expect(changesIn(of(['https://alerts.example.com/key-2']), of(['mailto:on-call@example.com']))).toEqual([
    'loosened alarms.page: address mailto:on-call@example.com: no longer hears urgent alarms',
    'tightened alarms.page: address https://alerts.example.com/…: newly hears urgent alarms',
  ])
})

test('approvers are named, and stating a default loosens nothing', () => {
  const was = policies(approvedBy({ requesterMayApprove: undefined }))
  const is = policies(approvedBy({ requesterMayApprove: true, approvers: ['anna'] }))
  expect(changesIn(is, was)).toEqual([
    'loosened policies.payout.approval.approvers: approver anna: may newly approve',
    'changed policies.payout.approval.requesterMayApprove: whether who asked may approve: from none to true',
    'tightened policies.payout.approval.approvers: approver arn:aws:sts::1:assumed-role/boss/*: may no longer approve',
  ])
})

test.each(['mode', 'canary', 'requesters', 'keep'])('a policy called %s is compared field by field', (name) => {
  const fund = (worstSlippageBps: number) => ({
    ...{ service: SERVICE, policies: { [name]: { ...FUND, target: undefined, guards: { worstSlippageBps } } } },
  })
  expect(changesIn(fund(9999), fund(40))).toEqual([
    `loosened policies.${name}.guards.worstSlippageBps: the worst price of a conversion: from 40 to 9999 basis points`,
  ])
})

test('an asset called mode is reported as an asset', () => {
  const mix = (mode: string, other: string) => ({
    ...{ service: SERVICE, policies: { mix: { kind: 'rebalance', weights: { mode, BTC: other } } } },
  })
  expect(changesIn(mix('0.6', '0.4'), mix('0.5', '0.5'))).toEqual([
    'changed policies.mix.weights.mode: from 0.5 to 0.6',
    'changed policies.mix.weights.BTC: from 0.5 to 0.4',
  ])
})

test('a renamed policy is compared with itself, so that its loosened bounds are reported', () => {
  const { fund, ...others } = POLICIES
  const renamed = { ...fund, was: 'fund', guards: { worstSlippageBps: 9999 } }
  const was = { ...before, policies: { ...others, fund: { ...fund, guards: { worstSlippageBps: 40 } } } }
  expect(changesIn({ ...before, policies: { ...others, gas: renamed } }, was)).toEqual([
    'loosened policies.gas.guards.worstSlippageBps: the worst price of a conversion: from 40 to 9999 basis points',
    'changed policies.gas.was: the name before, which halts and used days may have: from none to fund',
  ])
  const again = { ...fund, was: 'gas' }
  for (const [policies, text] of [
    [{ ...others, gas: fund }, 'gas.was: the name before, which halts and used days may have: from fund to none'],
    [{ ...others, oil: again }, 'oil.was: the name before, which halts and used days may have: from fund to gas'],
  ] as const)
    expect(
      changesIn({ ...before, policies }, { ...before, policies: { ...others, gas: { ...fund, was: 'fund' } } }),
    ).toEqual([`loosened policies.${text}`])
})

test('another spelling of one amount loosens and tightens nothing', () => {
  expect(changesIn(policies(ruleOf({ keep: { target: '10.0', trigger: '20' } })))).toEqual([
    'changed policies.sweep.rules.0.keep.target: what stays of an asset: from 10 to 10.0',
  ])
})
