import { describe, expect, test } from 'vitest'
import { StateMachine } from '../../../../core/contract/states.ts'
import type { WatchedEvent } from '../../../../operations/runs/execution-events.ts'
import { createKeyFaultWatch, keyAtFault } from '../../../../operations/runs/key-fault.ts'

const arn = (machine: string) => `arn:aws:states:us-east-1:000000000000:execution:${machine}:cv-1`
const refused = (endpoint: string) => `${endpoint}: the service answered 403 insufficient_scope: lacks a scope`
const failed = (error: string) => ({
  type: 'LambdaFunctionFailed',
  lambdaFunctionFailedEventDetails: { error, cause: JSON.stringify({ errorMessage: refused('POST /v2/quotes') }) },
})
const left = (name: string, outcome: string, why: string, more: object = {}) => ({
  type: 'TaskStateExited',
  stateExitedEventDetails: { name, output: JSON.stringify({ outcome, why, ...more }) },
})
const BEGAN = Date.parse('2026-01-31T09:00:00Z')
const faultIn = (machine: StateMachine, ...events: object[]) => {
  const watch = createKeyFaultWatch(BEGAN)
  return events.map((event) => watch(arn(machine), event as WatchedEvent)).at(-1)
}
const OTHER_KEY = 'sent with the key svc-1; the key in use is svc-2, and nothing shows that both are of one account'

test.each([
  ['a step that fails because of its key', StateMachine.Convert, failed('KeyFault'), true],
  ['another fault', StateMachine.Convert, failed('Transient'), false],
  ['a fault of the planning step, which ends by itself', StateMachine.Rebalance, failed('KeyFault'), false],
  [
    'an order that was not signed for want of another key',
    StateMachine.Convert,
    left('Order', 'HELD', refused('GET /v2/account'), { keyAtFault: true }),
    true,
  ],
  [
    'a fault that an earlier command saw, passed on',
    StateMachine.Convert,
    left('OrderOutcome', 'HELD', refused('POST /v2/o')),
    false,
  ],
  [
    'one that waits for its turn',
    StateMachine.Withdraw,
    left('Withdraw', 'HELD', 'withdrawal wd-1 is not settled yet'),
    false,
  ],
  [
    'a refused send that is certified',
    StateMachine.Convert,
    left('Order', 'UNCERTAIN', refused('POST /v2/orders')),
    false,
  ],
  ['a refused poll', StateMachine.Convert, left('Order', 'UNCERTAIN', `lost; ${refused('GET /v2/orders/{id}')}`), true],
  [
    'a poll by another key',
    StateMachine.Withdraw,
    left('Withdraw', 'UNCERTAIN', `lost; ${OTHER_KEY}; certifying`),
    true,
  ],
  ['an end', StateMachine.Convert, left('Order', 'FILLED', ''), false],
])('whether the key is at fault: %s', (_name, machine, event, isAtFault) => {
  expect(faultIn(machine, event) !== undefined).toBe(isAtFault)
})

describe.each([
  [StateMachine.Convert, 'Order', refused('POST /v2/orders')],
  [StateMachine.Withdraw, 'Withdraw', refused('POST /v2/withdrawals')],
])('in %s a refused send', (machine, step, why) => {
  const uncertain = (waits: number) => left(step, 'UNCERTAIN', `${why}; certifying until then`, { waits })
  const held = left(step, 'HELD', why, { keyAtFault: true, waitSeconds: 15 })

  test('is its fault if this command saw it made, once it is certain that nothing moved', () => {
    expect(faultIn(machine, uncertain(1), uncertain(2), held)).toEqual({ text: why, waitSeconds: 15 })
  })

  test('is history if an earlier command made it, however late it is certified', () => {
    expect(faultIn(machine, held)).toBeUndefined()
    expect(faultIn(machine, uncertain(2), held)).toBeUndefined()
    expect(faultIn(machine, { ...uncertain(1), timestamp: '2026-01-31T08:59:59.999Z' }, held)).toBeUndefined()
  })

  test('is no fault of another execution', () => {
    const watch = createKeyFaultWatch(BEGAN)
    watch(`${arn(machine)}-other`, uncertain(1))
    expect(watch(arn(machine), held)).toBeUndefined()
  })
})

test("the remedy fits the service's answer, and is the right key if there was no answer", () => {
  const next = (text: string) => keyAtFault({ text, waitSeconds: 15 }, 'the line').next
  expect(next(refused('POST /v2/quotes'))).toMatch(/^scopes are fixed .* within 15 s, with a permitted key: the line$/)
  expect(next('the key in use is of account 2')).toMatch(/^put the right key in its place; /)
})

test('a fault from before the command began is history, and an undated fault is not', () => {
  const at = (timestamp: unknown) => faultIn(StateMachine.Convert, { ...failed('KeyFault'), timestamp })
  expect(at('2026-01-31T08:59:59.999Z')).toBeUndefined()
  expect(at('2026-01-31T09:00:00.000Z')).toMatchObject({ waitSeconds: 300 })
  expect(at(undefined)).toMatchObject({ waitSeconds: 300 })
})
