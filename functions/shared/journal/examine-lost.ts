// Whether anything speaks against a person's word on an intent whose record the journal has lost: of its attempts
// nothing is known, so the person finds the movement, or finds that there is none. Reads only.
import { FOREIGN_OF_EITHER_KIND, IntentKind } from '../../contract/records.ts'
import type { Timing } from '../../contract/timing.ts'
import { Refused } from '../errors.ts'
import type { ConversionService, KeyReads, WithdrawalService } from '../service/ports.ts'
import type { Intent } from './intent.ts'
import type { Journal } from './journal.ts'
import { type KeyWord, SAY_SAME_ACCOUNT, stageOf } from './own-key.ts'
import type { Examine } from './resolution.ts'

export interface ExamineLostPorts {
  readonly journal: Pick<Journal, 'findClaim'>
  readonly service: KeyReads &
    Pick<ConversionService, 'clock' | 'findOrder'> &
    Pick<WithdrawalService, 'findWithdrawal'>
  readonly timing: Timing
  readonly word: KeyWord
}

/** As asked for: more is not known. */
interface Asked {
  readonly notAfter?: string
  readonly side?: string
}

export function examineLost({ journal, service, timing, word }: ExamineLostPorts): Examine<Intent> {
  return async (intent, movementId) => {
    await assertOfJournal(service, word)
    if (movementId === undefined) {
      const fenceMs = lastFenceMs(intent, timing)
      await service.clock.measure()
      if (service.clock.reachedMs() > fenceMs) return
      throw new Refused(`until ${new Date(fenceMs).toISOString()} what was sent for it may still be accepted`)
    }
    const { kind, params } = intent
    if (kind === IntentKind.Convert) {
      const order = await service.findOrder(movementId)
      if (!order) throw new Refused(`the service has no order ${movementId}`)
      const { side } = params as Asked
      if (order.side !== side)
        throw new Refused(`order ${movementId} is to ${order.side}, and asked for was to ${side}`)
    } else if (!(await service.findWithdrawal(movementId))) {
      throw new Refused(`the service has no withdrawal ${movementId}`)
    }
    const holder = await journal.findClaim(kind, movementId)
    if ([undefined, intent.intentId, FOREIGN_OF_EITHER_KIND].includes(holder)) return
    throw new Refused(`movement ${movementId} is already claimed by intent ${holder}`)
  }
}

/** Which key signed is lost too: the key that looks must be one of the journal's account. */
async function assertOfJournal(service: KeyReads, { pinned, isSameAccount }: KeyWord): Promise<void> {
  const own = await service.accountOfKey()
  const kid = await service.keyInUse()
  const isOther =
    pinned !== undefined && (stageOf(kid) !== pinned.stage || (own !== undefined && own !== pinned.account))
  if (isOther) throw new Refused(`the key in use is ${kid}, and not of account ${pinned.account} (${pinned.stage})`)
  if (isSameAccount || (own !== undefined && pinned !== undefined)) return
  throw new Refused(
    `nothing shows that the key in use, ${kid}, and those that signed are of one account; ${SAY_SAME_ACCOUNT}`,
  )
}

/** The end of its time, and then what may have been sent in the last moment of it. Epoch ms, service time. */
function lastFenceMs({ createdAt, params }: Intent, timing: Timing): number {
  const { tokenLifeSeconds, leewaySeconds, visibilitySeconds, orderVisibilitySeconds, intentLifeSeconds } = timing
  const { notAfter } = params as Asked
  const endMs = notAfter === undefined ? Date.parse(createdAt) + intentLifeSeconds * 1000 : Date.parse(notAfter)
  const shownSeconds = Math.max(visibilitySeconds, orderVisibilitySeconds)
  return endMs + (tokenLifeSeconds + leewaySeconds + shownSeconds) * 1000
}
