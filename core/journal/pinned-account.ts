// The account at the service that this journal is about. It is written down at the first use, and never changes. A key
// of another account would see none of the movements, and each could be taken for a zero.

import * as z from 'zod/mini'
import type { NewId } from '../clock.ts'
import { recordKey } from '../contract/records.ts'
import { KeyFault } from '../errors.ts'
import { checkRecord } from './record-format.ts'
import { putRecord, type RecordStore } from './record-store.ts'

export interface PinnedAccount {
  /**
   * `account`: of the key in use; `undefined` where that may not read it. `stage`: the environment that the key is
   * of, in which accounts have their ids.
   * @returns the pinned account with its stage; `undefined` where none is known yet. @throws KeyFault for a key of another one,
   * Transient
   */
  settle(account: string | undefined, stage: string): Promise<Pin | undefined>
}

export interface Pin {
  /** Its id at the service, which is unique within the stage. */
  readonly account: string
  readonly stage: string
}

const pinFields = z.object({ account: z.string(), stage: z.string() })

/** Changes nothing. @throws Transient, Defect */
export async function findPin(store: Pick<RecordStore, 'read'>): Promise<Pin | undefined> {
  const record = await store.read(recordKey.account)
  if (record === undefined) return undefined
  const { account, stage } = checkRecord(pinFields, record)
  return { account, stage }
}

/** `memory`: what the environment remembers; a pin never changes once it is there. */
export function createPinnedAccount(
  store: RecordStore,
  newId: NewId,
  memory: { pinned?: Pin | undefined } = {},
): PinnedAccount {
  return {
    async settle(account, stage) {
      memory.pinned ??= await findPin(store)
      if (memory.pinned === undefined && account !== undefined) {
        await putRecord({ store, newId }, recordKey.account, { account, stage })
        // Whoever was first has pinned it.
        memory.pinned = await findPin(store)
      }
      const { pinned } = memory
      if (pinned === undefined) return undefined
      if (stage !== pinned.stage || (account !== undefined && account !== pinned.account)) {
        throw new KeyFault(
          `the key in use is of ${account === undefined ? 'an account' : `account ${account}`} (${stage}) at the service, and this journal is of account ${pinned.account} (${pinned.stage}); put a key of that account in its place`,
        )
      }
      return pinned
    },
  }
}
