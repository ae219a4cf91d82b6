import { expect, test } from 'vitest'
import { SwitchEvent, switchDetail } from '../../../core/contract/events.ts'
import { Transient } from '../../../core/errors.ts'
import { createHalts } from '../../../core/journal/halts.ts'
import { type SwitchTold, throwSwitch } from '../../../functions/throw-switch/throw-switch.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'

const ADA = 'arn:aws:iam::123456789012:user/ada'
const NOW_MS = Date.UTC(2026, 0, 31, 9)

function setUp() {
  const told: SwitchTold[] = []
  let ids = 0
  const halts = createHalts(
    createMemoryStore(() => undefined),
    () => `id-${++ids}`,
  )
  const tell = async (event: SwitchTold) => void told.push(event)
  return { told, halts, ports: { halts, clock: { nowMs: () => NOW_MS }, tell } }
}

test('a halt and its end are told in the published shape, after they are recorded', async () => {
  const { halts, ports, told } = setUp()
  let inForce: unknown
  const tell = async (event: SwitchTold) => {
    inForce ??= await halts.findOf('core')
    told.push(event)
  }
  await throwSwitch({ action: 'halt', scope: 'core', because: 'an audit' }, ADA, { ...ports, tell })
  expect(inForce).toMatchObject([{ scope: 'core', by: ADA }])
  const shown = (await halts.findOf('core')).map(({ trip: _, ...halt }) => halt)
  await throwSwitch({ action: 'resume', scope: 'core', because: 'over', halts: shown }, ADA, ports)
  const [halted, resumed] = told
  const at = '2026-01-31T09:00:00.000Z'
  expect(switchDetail[SwitchEvent.Halted].parse(halted?.detail)).toEqual({
    ...{ version: 1, scope: 'core', because: 'an audit', by: ADA, at, isBreaker: false },
  })
  expect(switchDetail[SwitchEvent.Resumed].parse(resumed?.detail)).toEqual({
    ...{ version: 1, scope: 'core', because: 'over', by: ADA, at },
  })
})

test('what was not recorded is not told', async () => {
  const { ports, told } = setUp()
  const gone = [{ scope: 'core', by: ADA, because: 'an audit', at: '2026-01-31T08:00:00.000Z' }]
  const resumed = throwSwitch({ action: 'resume', scope: 'core', because: 'over', halts: gone }, ADA, ports)
  await expect(resumed).rejects.toThrow(Transient)
  expect(told).toEqual([])
})
