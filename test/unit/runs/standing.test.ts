// Tests the effect of people's decisions on a plan: properties over any decisions, in any order.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSamePerson } from '../../../core/contract/person.ts'
import type { Requester } from '../../../core/contract/runs.ts'
import { type Decision, decisionStateOf, disregardOf } from '../../../core/runs/approval/standing.ts'

const PEOPLE = [
  'ana',
  'ANA',
  'ana (not verified)',
  'arn:aws:iam::1:user/ana',
  'arn:aws:sts::1:assumed-role/Op/ana',
  'bob',
  'r/Bob',
  'cy',
]
const word = fc.record<Decision>({
  decision: fc.constantFrom('approved', 'approved', 'approved', 'rejected'),
  by: fc.constantFrom(...PEOPLE),
  because: fc.constant('looked at it'),
  at: fc.constant('2026-01-01T00:00:00Z'),
  secondBecause: fc.constantFrom(undefined, undefined, 'ana alone approved much'),
})
const approvers = fc.constantFrom<string[] | undefined>(undefined, ['*'], ['arn:*'], ['*:user/*', 'bob'], ['nobody'])
const AT = '2026-01-01T00:00:00Z'
const requester = fc.oneof(
  fc.constant(undefined),
  fc.record<Requester>({ kind: fc.constant('person'), by: fc.constantFrom(...PEOPLE), at: fc.constant(AT) }),
  fc.record<Requester>({
    kind: fc.constantFrom('schedule', 'event', 'deposit'),
    // Whatever its name, it is no person.
    by: fc.constantFrom('ana', '2026-01-01T00:00:00Z'),
    at: fc.constant(AT),
  }),
)
const rules = fc
  .record({
    ...{ turnover: fc.constantFrom('10', '100', '1000'), approvers, requester },
    requesterMayApprove: fc.constantFrom(undefined, true, false),
  })
  .map(({ turnover, approvers, requester, requesterMayApprove }) => ({
    ...{ turnover, requester },
    approval: {
      ...{ above: '1', twoAbove: '100', expiresAfterSeconds: 60, priceBoundBps: 1 },
      ...(approvers && { approvers }),
      ...(requesterMayApprove !== undefined && { requesterMayApprove }),
    },
  }))

test('a plan above the value for two, or of a person who alone approved much, needs two different people, and one more if an event asked', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), rules, (words, asked) => {
      const { decision, approvals } = decisionStateOf(words, asked)
      const isUnnamed = asked.approval.requesterMayApprove === false && asked.requester?.kind === 'event'
      const isSecondNeeded = approvals.some(({ secondBecause }) => secondBecause !== undefined)
      const needed = (asked.turnover === '1000' || isSecondNeeded ? 2 : 1) + (isUnnamed ? 1 : 0)
      expect(approvals.length <= needed).toBe(true)
      for (const [at, one] of approvals.entries()) {
        for (const other of approvals.slice(at + 1)) expect(isSamePerson(one.by, other.by)).toBe(false)
      }
      expect(decision === 'approved').toBe(approvals.length === needed && decision !== 'rejected')
    }),
  )
})

test('a rejection before the last approval ends the wait, whoever rejects', () => {
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 6 }),
      fc.array(word, { maxLength: 3 }),
      word,
      rules,
      (before, after, no, asked) => {
        if (decisionStateOf(before, asked).decision === 'approved') return
        const words = [...before, { ...no, decision: 'rejected' as const }, ...after]
        expect(decisionStateOf(words, asked).decision).toBe('rejected')
      },
    ),
  )
})

test('a decided plan stays decided, whatever people decide afterwards', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), fc.array(word, { maxLength: 3 }), rules, (words, more, asked) => {
      const { decision } = decisionStateOf(words, asked)
      if (decision !== undefined) expect(decisionStateOf([...words, ...more], asked).decision).toBe(decision)
    }),
  )
})

test("if the policy forbids it, the requester's approval does not count, and nobody's does if the requester is unknown", () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), rules, (words, asked) => {
      const { approvals } = decisionStateOf(words, asked)
      if (asked.approval.requesterMayApprove !== false) return
      if (asked.requester === undefined) expect(approvals).toEqual([])
      if (asked.requester?.kind !== 'person') return
      for (const { by } of approvals) expect(isSamePerson(by, asked.requester.by)).toBe(false)
    }),
  )
})

test('one person in two roles is the requester, and without a recorded requester nobody counts', () => {
  const approval = { above: '1', expiresAfterSeconds: 60, priceBoundBps: 1, requesterMayApprove: false }
  const asked = { kind: 'person', by: 'arn:aws:sts::1:assumed-role/Ops/ana', at: AT } as const
  const why = (by: string, requester: Requester | undefined) => disregardOf(by, { turnover: '10', approval, requester })
  expect(why('arn:aws:sts::1:assumed-role/Approver/Ana', asked)).toBe('requester')
  expect(why('arn:aws:sts::1:assumed-role/Ops/bob', asked)).toBeUndefined()
  expect(why('bob', undefined)).toBe('unrecorded')
})

test('nobody counts whom no pattern of the approvers fits', () => {
  const asked = {
    ...{ turnover: '10', requester: undefined },
    approval: { above: '1', expiresAfterSeconds: 60, priceBoundBps: 1, approvers: ['a*c*e'] },
  }
  const by = (name: string) =>
    decisionStateOf([{ decision: 'approved', by: name, because: '', at: '' }], asked).decision
  expect(['ace', 'abcde', 'acce'].map(by)).toEqual(['approved', 'approved', 'approved'])
  expect(['ac', 'ae', 'xace', 'acex', 'aec'].map(by)).toEqual([undefined, undefined, undefined, undefined, undefined])
})

test('an unchecked name belongs to the approvers under the given name, and is the same person as the one that STS knows by it', () => {
  const rules = { turnover: '10', requester: undefined, approval: { approvers: ['ana', 'arn:*'] } }
  expect(disregardOf('ana (not verified)', rules)).toBeUndefined()
  expect(disregardOf('bob (not verified)', rules)).toBe('no approver')
  expect(isSamePerson('Ana (not verified)', 'arn:aws:sts::1:assumed-role/Op/ana')).toBe(true)
})
