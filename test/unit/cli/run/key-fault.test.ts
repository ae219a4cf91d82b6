import { expect, test } from 'vitest'
import { isBefore, keyAtFault, keyFaultIn } from '../../../../cli/run/key-fault.ts'
import { StateMachine } from '../../../../core/contract/states.ts'

const arn = (machine: string) => `arn:aws:states:us-east-1:000000000000:execution:${machine}:cv-1`
const refused = (endpoint: string) => `${endpoint}: the service answered 403 insufficient_scope: lacks a scope`
const failed = (error: string) => ({
  type: 'LambdaFunctionFailed',
  lambdaFunctionFailedEventDetails: { error, cause: JSON.stringify({ errorMessage: refused('POST /v2/quotes') }) },
})
const left = (name: string, outcome: string, why: string) => ({
  type: 'TaskStateExited',
  stateExitedEventDetails: { name, output: JSON.stringify({ outcome, why }) },
})
const OTHER_KEY = 'sent with the key svc-1; the key in use is svc-2, and nothing shows that both are of one account'

test.each([
  ['a step that fails because of its key', StateMachine.Convert, failed('KeyFault'), true],
  ['another fault', StateMachine.Convert, failed('Transient'), false],
  ['a fault of what plans, which ends by itself', StateMachine.Rebalance, failed('KeyFault'), false],
  [
    'an order that waits for another key',
    StateMachine.Convert,
    left('Order', 'HELD', refused('POST /v2/orders')),
    true,
  ],
  ['a withdrawal that does', StateMachine.Withdraw, left('Withdraw', 'HELD', refused('POST /v2/withdrawals')), true],
  [
    'what a former command was told, handed on',
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
  [
    'a look that is refused',
    StateMachine.Convert,
    left('Order', 'UNCERTAIN', `lost; ${refused('GET /v2/orders/{id}')}`),
    true,
  ],
  [
    'a look of another key',
    StateMachine.Withdraw,
    left('Withdraw', 'UNCERTAIN', `lost; ${OTHER_KEY}; certifying`),
    true,
  ],
  ['an end', StateMachine.Convert, left('Order', 'FILLED', ''), false],
])('whether the key is at fault: %s', (_name, machine, event, isAtFault) => {
  expect(keyFaultIn(arn(machine), event) !== undefined).toBe(isAtFault)
})

test('the remedy is the one for what the service said, and the right key where it said nothing', () => {
  expect(keyAtFault(refused('POST /v2/quotes'), 'the line').next).toMatch(/^scopes are fixed .*: the line$/)
  expect(keyAtFault('the key in use is of account 2', 'the line').next).toMatch(/^put the right key in its place; /)
})

test('a fault of before the command began is history, and one without a date is not', () => {
  const at = (timestamp: unknown) => ({ ...failed('KeyFault'), timestamp })
  const beganMs = Date.parse('2026-01-31T09:00:00Z')
  expect(isBefore(at('2026-01-31T08:59:59.999Z'), beganMs)).toBe(true)
  expect(isBefore(at('2026-01-31T09:00:00.000Z'), beganMs)).toBe(false)
  expect(isBefore(failed('KeyFault'), beganMs)).toBe(false)
})
