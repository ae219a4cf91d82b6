// The inbox of webhooks lists the deliveries that were acted on, by the hash of their bytes. A delivery is recorded
// after the act, and the act is safe to repeat. After a crash in between, a repeated delivery acts again, so no
// delivery is lost.

import * as z from 'zod/mini'
import type { NewId } from '../clock.ts'
import { recordKey } from '../contract/records.ts'
import { checkRecord } from './record-format.ts'
import { putRecord, type RecordStore } from './record-store.ts'

export interface Inbox {
  /** @throws Transient, Defect */
  has(delivery: string): Promise<boolean>
  /** `executions`: those that the delivery started. An existing record of the same delivery stays. @throws Transient */
  put(delivery: string, receivedAt: string, executions: readonly string[]): Promise<void>
}

const deliveryFields = z.object({ receivedAt: z.string(), executions: z.array(z.string()) })

export function createInbox(store: RecordStore, newId: NewId): Inbox {
  return {
    async has(delivery) {
      const record = await store.read(recordKey.event(delivery))
      return record !== undefined && checkRecord(deliveryFields, record) !== undefined
    },
    async put(delivery, receivedAt, executions) {
      await putRecord({ store, newId }, recordKey.event(delivery), { receivedAt, executions })
    },
  }
}
