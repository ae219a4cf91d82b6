// The pin is the account at the service to which this journal belongs. It is recorded at first use and never changes. A
// key of another account would see no movement of this journal, so each movement could be taken for a zero.

import * as z from 'zod/mini'
import type { NewId } from '../clock.ts'
import { recordKey } from '../contract/records.ts'
import { KeyFault } from '../errors.ts'
import { checkRecord } from './record-format.ts'
import { putRecord, type RecordStore } from './record-store.ts'

export interface PinnedAccount {
  /**
   * `account`: account of the key in use; `undefined` where the key may not read it. `stage`: the stage of the key,
   * test or live. Account ids are unique only within a stage.
   * @returns the pin; `undefined` where no account is known yet.
   * @throws KeyFault for a key of another account or stage, Transient
   */
  settle(account: string | undefined, stage: string): Promise<Pin | undefined>
}

export interface Pin {
  /** The account's id at the service, unique within the stage. */
  readonly account: string
  readonly stage: string
}

const pinFields = z.object({ account: z.string(), stage: z.string() })

/** Reads only. @throws Transient, Defect */
export async function findPin(store: RecordStore): Promise<Pin | undefined> {
  const record = await store.read(recordKey.account)
  if (record === undefined) return undefined
  const { account, stage } = checkRecord(pinFields, record)
  return { account, stage }
}

/** `memory`: what the function's environment remembers. A pin never changes once it exists. */
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
        // Another process may have pinned first, so the stored pin decides.
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
