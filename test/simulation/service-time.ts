// Service time as the product's own clock reads it: only as much of a transport as that needs.
import type { Transport } from '../../functions/shared/service/http.ts'
import type { Machine } from './machine.ts'

export interface TimedModel {
  /** What `/v2/time` says: service time, unless it is told wrong. */
  readonly toldMs: number
  readonly isDown: boolean
}

/** Each reading pauses, and may go unanswered as the schedule says. */
export function timeOf(model: TimedModel, machine: Machine): Transport {
  return {
    isPrivate: true,
    wireTarget: (target) => target,
    close: () => undefined,
    async exchange() {
      await machine.pause()
      if (model.isDown || machine.scheduler.takeFault(0.05))
        return { kind: 'unanswered', code: 'no_answer', text: 'no answer' }
      const body = Buffer.from(JSON.stringify({ now: new Date(model.toldMs).toISOString() }))
      await machine.pause()
      return { kind: 'answered', status: 200, contentType: 'application/json', date: '', body, fault: undefined }
    },
  }
}
