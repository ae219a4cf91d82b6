// The runbook's steps after an outage find every send from just before it, each as one movement.
import { expect, test } from 'vitest'
import { StateMachine } from '../../core/contract/states.ts'
import { drill, startDesk } from './drill.ts'
import { runInVirtualTime } from './virtual-time.ts'

const weights = { BTC: '0.6', ETH: '0.4' }
const treasury = { policies: { core: { kind: 'rebalance', weights, breaker: { failures: 1 } } } }
const purchase = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }
const BY_CALL = { by: 'call' }

test('after an outage of hours, sends from just before it are found, each as one movement', async () => {
  const desk = await startDesk(treasury)
  const moved = async () => (await desk.control<{ movements: unknown[] }>('/oracle')).movements.length
  const always = { times: 'always' }
  const down = { kind: 'errorBeforeCommit', status: 503, code: 'internal_error' }
  await desk.close()
  // The service's last act is to book orders and lose the answers. From then on nobody can look up an order.
  await desk.control('/rules', {
    match: { ...always, method: 'POST', path: '/v2/orders' },
    fault: { kind: 'dropAfterCommit' },
  })
  await desk.control('/rules', { match: { ...always, method: 'GET', path: '/v2/orders/*' }, fault: down })
  const ends = await runInVirtualTime(desk, [
    { stateMachine: StateMachine.Rebalance, name: 'month-end', input: { policy: 'core', trigger: BY_CALL } },
    { stateMachine: StateMachine.Convert, name: 'purchase', input: purchase },
  ])
  expect(ends).toEqual(['NEEDS_ATTENTION', 'NEEDS_ATTENTION'])
  const sent = await moved()
  expect(sent).toBeGreaterThanOrEqual(2)
  await fetch(`${desk.sandbox.controlUrl}/rules`, { method: 'DELETE' })

  // Nobody serves, because LookAgain would enter all of it before a person could check.
  const outputs = await drill('The service was down for hours', desk, { values: {}, byHand: {} })
  const outputOf = (command: string) => outputs.find(({ line }) => line.startsWith(`npx sluice ${command}`))
  expect(outputOf('cases list')?.stdout).toContain('purchase')
  expect(outputOf('cases again')?.stdout).toContain('purchase')
  expect(outputOf('resume')?.stdout).toContain('core')
  expect(await moved()).toBe(sent)
})
