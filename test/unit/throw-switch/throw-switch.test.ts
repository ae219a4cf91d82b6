// The function that halts records before it announces, and can lift no halt.
import { expect, test } from 'vitest'
import { SwitchEvent, type SwitchReport, switchDetail } from '../../../core/contract/events.ts'
import { haltRequest } from '../../../core/contract/people.ts'
import { createHalts } from '../../../core/journal/halts.ts'
import { throwSwitch } from '../../../functions/throw-switch/throw-switch.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'

const ADA = 'arn:aws:iam::123456789012:user/ada'

test('a halt is announced in the published shape, after it is recorded', async () => {
  const halts = createHalts(createMemoryStore(), () => 'id')
  const events: SwitchReport[] = []
  let inForce: unknown
  const publish = async (event: SwitchReport) => {
    inForce = await halts.findOf('core')
    events.push(event)
  }
  const said = { by: ADA, at: '2026-01-31T09:00:00.000Z', spoken: 'N#throwSwitch#1' }
  await throwSwitch({ action: 'halt', scope: 'core', because: 'an audit' }, said, { halts, publish })
  expect(inForce).toMatchObject([{ scope: 'core', by: ADA }])
  expect(events).toHaveLength(1)
  expect(switchDetail[SwitchEvent.Halted].parse(events[0]?.detail)).toEqual({
    ...{ version: 1, scope: 'core', because: 'an audit', by: ADA, at: '2026-01-31T09:00:00.000Z', isBreaker: false },
  })
})

test('the function that halts takes no request to resume', () => {
  const halts = [{ scope: 'core', by: ADA, because: 'an audit', at: '2026-01-31T09:00:00.000Z' }]
  expect(haltRequest.safeParse({ action: 'resume', scope: 'core', because: 'over', halts }).success).toBe(false)
})
