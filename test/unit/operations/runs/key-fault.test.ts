// A fault of the key ends a waiting command only where nothing can have moved.

import { describe, expect, test } from 'vitest'
import { StateMachine } from '../../../../core/contract/states.ts'
import { createKeyFaultWatch, keyAtFault } from '../../../../operations/runs/key-fault.ts'
import type { WatchedEvent } from '../../../../place/executions/execution-history.ts'
import { spell } from '../../../helpers/spell.ts'

const arn = (machine: string) => `arn:aws:states:us-east-1:000000000000:execution:${machine}:cv-1`
const refused = (endpoint: string) => `${endpoint}: the service answered 403 insufficient_scope: lacks a scope`
const failed = (error: string) => ({
  type: 'LambdaFunctionFailed',
  lambdaFunctionFailedEventDetails: { error, cause: JSON.stringify({ errorMessage: refused('POST /v2/quotes') }) },
})
const exited = (name: string, outcome: string, why: string, more: object = {}) => ({
  type: 'TaskStateExited',
  stateExitedEventDetails: { name, output: JSON.stringify({ outcome, why, ...more }) },
})
const BEGAN_MS = Date.parse('2026-01-31T09:00:00Z')
const faultIn = (machine: StateMachine, ...events: object[]) => {
  const watch = createKeyFaultWatch(BEGAN_MS)
  return events.map((event) => watch(arn(machine), event as WatchedEvent)).at(-1)
}
const OTHER_KEY = 'sent with the key svc-1; the key in use is svc-2, and nothing shows that both are of one account'

test.each([
  ['a step that fails because of its key', StateMachine.Convert, failed('KeyFault'), true],
  ['another fault', StateMachine.Convert, failed('Transient'), false],
  [
    'a key fault in a planning step: its state machine does not wait for a key',
    StateMachine.Rebalance,
    failed('KeyFault'),
    false,
  ],
  [
    'an order that Order did not sign, because the key is wrong',
    StateMachine.Convert,
    exited('Order', 'HELD', refused('GET /v2/account'), { keyAtFault: true }),
    true,
  ],
  [
    'a key fault that a state after Order only passes on',
    StateMachine.Convert,
    exited('OrderOutcome', 'HELD', refused('POST /v2/o')),
    false,
  ],
  [
    'a withdrawal that waits for another withdrawal',
    StateMachine.Withdraw,
    exited('Withdraw', 'HELD', 'withdrawal wd-1 is not settled yet'),
    false,
  ],
  [
    'a refused send, before it is certain that nothing moved',
    StateMachine.Convert,
    exited('Order', 'UNCERTAIN', refused('POST /v2/orders')),
    false,
  ],
  [
    'a poll that the service refuses',
    StateMachine.Convert,
    exited('Order', 'UNCERTAIN', `lost; ${refused('GET /v2/orders/{id}')}`),
    true,
  ],
  [
    'a poll with a key of an unknown account',
    StateMachine.Withdraw,
    exited('Withdraw', 'UNCERTAIN', `lost; ${OTHER_KEY}; certifying`),
    true,
  ],
  [
    'an accepted withdrawal that PollWithdrawal could not read because of its key',
    StateMachine.Withdraw,
    exited('PollWithdrawal', 'PROCESSING', refused('GET /v2/withdrawals/{id}'), { keyAtFault: true }),
    true,
  ],
  ['a filled order', StateMachine.Convert, exited('Order', 'FILLED', ''), false],
])('is the key at fault? %s', (_name, machine, event, isAtFault) => {
  expect(faultIn(machine, event) !== undefined).toBe(isAtFault)
})

test('of an accepted movement it is not said that the same command sends it again', () => {
  const event = exited('Order', 'PROCESSING', refused('GET /v2/orders/{id}'), { keyAtFault: true, waitSeconds: 25 })
  const { next } = keyAtFault(faultIn(StateMachine.Convert, event) ?? expect.fail(), { do: 'same', id: 'a' })
  expect(next).toContainEqual({ do: 'same', id: 'a' })
  expect(spell(next)).toContain('reads the end of the movement, and sends nothing: ')
  expect(spell(next)).not.toContain('sends again')
})

describe.each([
  [StateMachine.Convert, 'Order', refused('POST /v2/orders')],
  [StateMachine.Withdraw, 'Withdraw', refused('POST /v2/withdrawals')],
])('in %s, a send that was refused because of its key', (machine, step, why) => {
  const uncertain = (waits: number) => exited(step, 'UNCERTAIN', `${why}; certifying until then`, { waits })
  const held = exited(step, 'HELD', why, { keyAtFault: true, waitSeconds: 15 })

  test('ends a command that saw the send, as soon as it is certain that nothing moved', () => {
    expect(faultIn(machine, uncertain(1), uncertain(2), held)).toEqual({ text: why, waitSeconds: 15 })
  })

  test('does not end a command that began after the send', () => {
    expect(faultIn(machine, held)).toBeUndefined()
    expect(faultIn(machine, uncertain(2), held)).toBeUndefined()
    expect(faultIn(machine, { ...uncertain(1), timestamp: '2026-01-31T08:59:59.999Z' }, held)).toBeUndefined()
  })

  test('does not count for another execution', () => {
    const watch = createKeyFaultWatch(BEGAN_MS)
    watch(`${arn(machine)}-other`, uncertain(1))
    expect(watch(arn(machine), held)).toBeUndefined()
  })
})

test("the remedy follows the service's error code; without a code, it asks for the right key", () => {
  const next = (text: string) => spell(keyAtFault({ text, waitSeconds: 15 }, { do: 'serve' }).next)
  expect(next(refused('POST /v2/quotes'))).toMatch(
    /^scopes are fixed .* within 15 s, with a permitted key: npx sluice serve$/,
  )
  expect(next('the key in use is of account 2')).toMatch(/^put the right key in its place; /)
})

test('a key fault from before the command began is ignored; a fault without a date is not', () => {
  const at = (timestamp: unknown) => faultIn(StateMachine.Convert, { ...failed('KeyFault'), timestamp })
  expect(at('2026-01-31T08:59:59.999Z')).toBeUndefined()
  expect(at('2026-01-31T09:00:00.000Z')).toMatchObject({ waitSeconds: 300 })
  expect(at(undefined)).toMatchObject({ waitSeconds: 300 })
})
