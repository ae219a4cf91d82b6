// The time at which a run ends, where the service may not tell it.
import { SluiceError } from '../../errors.ts'
import type { RunPorts } from '../ports.ts'

/**
 * Epoch ms of the service's clock. Where it does not tell the time, the run may have ended for that very reason:
 * `startedAt` (ISO-8601) has to do.
 */
export async function serviceTimeMs(startedAt: string, { service }: Pick<RunPorts, 'service'>): Promise<number> {
  try {
    await service.clock.measure()
    return service.clock.nowMs()
  } catch (error) {
    if (error instanceof SluiceError) return Date.parse(startedAt)
    throw error
  }
}
