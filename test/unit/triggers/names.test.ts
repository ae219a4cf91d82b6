// One cause has one name for ever, so it starts one run.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RequestEvent } from '../../../core/contract/events.ts'
import { executionName, intentIdOf } from '../../../core/contract/fields.ts'
import { requestedName, runNameOfDeposit } from '../../../core/triggers/names.ts'
import { scheduledName } from '../../../core/triggers/scheduled-name.ts'

const policy = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,47}$/)
const id = fc.stringMatching(/^[A-Za-z0-9-]{1,76}$/)
const account = fc.stringMatching(/^[0-9]{12}$/)
const detailType = fc.constantFrom(...Object.values(RequestEvent))
const time = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((at) => at.toISOString())
const hash = fc.stringMatching(/^[0-9a-f]{64}$/)

/** The start of an execution: its kind, and the name that it gets. */
const named = fc.oneof(
  fc.tuple(policy, time).map((of) => ({ of: ['schedule', ...of], name: scheduledName(...of) })),
  fc.tuple(policy, hash).map((of) => ({ of: ['deposit', ...of], name: runNameOfDeposit(...of) })),
  fc
    .record({ detailType, account, id })
    .map((of) => ({ of: ['event', of.detailType, of.account, of.id], name: requestedName(of) })),
)

test('every name belongs to an intent, and enters it for the first time', () => {
  fc.assert(
    fc.property(named, ({ name }) => {
      expect(executionName.safeParse(name).success).toBe(true)
      expect(intentIdOf(name)).toBe(name)
    }),
  )
})

test('the same scheduled time, event or deposit has one name, and two have two', () => {
  fc.assert(
    fc.property(named, named, (one, other) => {
      const digest = (name: string) => name.slice(name.lastIndexOf('-'))
      expect(digest(one.name) === digest(other.name)).toBe(JSON.stringify(one.of) === JSON.stringify(other.of))
    }),
  )
})

test('near misses have separate names: another kind, account, detail-type, id or time', () => {
  const request = { detailType: RequestEvent.Sweep, account: '111111111111', id: 'a' }
  const names = [
    scheduledName('a', '2026-01-31T09:00:00Z'),
    scheduledName('a', '2026-01-31T09:00:01Z'),
    scheduledName('b', '2026-01-31T09:00:00Z'),
    runNameOfDeposit('a', '2026-01-31T09:00:00.000Z'),
    requestedName(request),
    requestedName({ ...request, id: 'b' }),
    requestedName({ ...request, account: '222222222222' }),
    requestedName({ ...request, detailType: RequestEvent.Rebalance }),
  ]
  expect(new Set(names).size).toBe(names.length)
})

test('a time counts, and not its spelling', () => {
  expect(scheduledName('a', '2026-01-31T10:00:00+01:00')).toBe(scheduledName('a', '2026-01-31T09:00:00.000Z'))
})

test('the name is permanent: a deployment of another version gives the same', () => {
  expect(scheduledName('daily-sweep', '2026-01-31T09:00:00Z')).toBe('daily-sweep-778def973a8f30c9675c9bf417')
})
