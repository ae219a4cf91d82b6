// Provides a service that the doctor examines, and short forms of the doctor's findings.
import { afterAll, beforeAll } from 'vitest'
import type { Check } from '../../../operations/doctor/check.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type ArrangedService, startArrangedService } from './arranged-service.ts'

export let service: ArrangedService

/** Starts the service for the tests of a file. */
export function useService(): void {
  beforeAll(async () => {
    service = await startArrangedService('doctor')
  })
  afterAll(() => service.stop())
}

export async function examined(...argv: string[]) {
  const { exitCode, stdout } = await runInProcess(['setup', 'doctor', '--json', ...argv])
  return { exitCode, checks: JSON.parse(stdout) as Check[] }
}

/** Checks that are not ok, as `status check`. */
export const unwell = (checks: readonly Check[]) =>
  checks.filter(({ status }) => status !== 'ok').map(({ check, status }) => `${status} ${check}`)

export async function ask(...argv: string[]) {
  const { exitCode, checks } = await examined(...argv, ...service.flags())
  return { exitCode, checks, unwell: unwell(checks) }
}
