// The end of a halt is announced only after it is recorded and in force.
import { expect, test } from 'vitest'
import { SwitchEvent, type SwitchReport, switchDetail } from '../../../core/contract/events.ts'
import type { ResumeRequest } from '../../../core/contract/people.ts'
import type { ResumedBy } from '../../../core/contract/service-settings.ts'
import { Refused, Transient } from '../../../core/errors.ts'
import { createHalts } from '../../../core/journal/halts.ts'
import { resume } from '../../../functions/resume/resume.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'

const ADA = 'arn:aws:iam::123456789012:user/ada'
const BOB = 'arn:aws:iam::123456789012:user/bob'
const AT = '2026-01-31T09:00:00.000Z'
const said = (by: string) => ({ by, at: AT, spoken: 'N#resume#1' })
const HALT = { scope: 'core', by: ADA, because: 'an audit', at: '2026-01-31T08:00:00.000Z' }
const REQUEST: ResumeRequest = { action: 'resume', scope: 'core', because: 'over', halts: [HALT] }

async function halted(resumedBy?: ResumedBy) {
  const told: SwitchReport[] = []
  let ids = 0
  const halts = createHalts(createMemoryStore(), () => `id-${++ids}`, { resumedBy })
  await halts.halt(HALT)
  const publish = async (event: SwitchReport) => void told.push(event)
  return { told, halts, ports: { halts, publish } }
}

test('the end of a halt is announced in the published shape', async () => {
  const { halts, ports, told } = await halted()
  expect(await resume(REQUEST, said(ADA), ports)).toEqual({ outcome: 'RESUMED', by: ADA, at: AT })
  expect(await halts.findOf('core')).toEqual([])
  expect(switchDetail[SwitchEvent.Resumed].parse(told[0]?.detail)).toEqual({
    ...{ version: 1, scope: 'core', because: 'over', by: ADA, at: AT },
  })
})

test('if two people must resume, the first decision lifts nothing and is not announced as an end', async () => {
  const { halts, ports, told } = await halted('two-people')
  expect(await resume(REQUEST, said(ADA), ports)).toEqual({ outcome: 'WAITS', by: ADA, at: AT })
  expect(await resume(REQUEST, said(ADA), ports)).toMatchObject({ outcome: 'WAITS' })
  expect(await halts.findOf('core')).toEqual([HALT])
  expect(told).toEqual([])
  expect(await resume(REQUEST, said(BOB), ports)).toMatchObject({ outcome: 'RESUMED' })
  expect(told).toHaveLength(1)
})

test('an unrecorded end is not announced', async () => {
  const { ports, told } = await halted()
  const gone = { ...REQUEST, halts: [{ ...HALT, because: 'another' }] }
  await expect(resume(gone, said(ADA), ports)).rejects.toThrow(Transient)
  const foreign = { ...REQUEST, halts: [{ ...HALT, scope: 'other' }] }
  await expect(resume(foreign, said(ADA), ports)).rejects.toThrow(Refused)
  expect(told).toEqual([])
})
