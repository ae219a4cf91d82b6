// Adds what existed before the start: rows of others and of this journal's ended intents, the claims on them, and the
// lane as an ended intent left it.
import { FOREIGN, IntentKind, IntentState, recordKey } from '../../core/contract/records.ts'
import { EARLIER_HOLDER } from './drawn-guards.ts'
import type { JournalModel } from './journal-model.ts'
import { OWN_ACCOUNT } from './keys.ts'
import type { Past, Schedule } from './schedule.ts'
import type { ServiceModel } from './service-model.ts'
import { ASSET, CONTACT, PLANNED_CONTACT, type WithdrawnRow } from './withdrawal-model.ts'
import { START_MS } from './world-state.ts'

export const NO_PAST: Past = { rows: [], orders: 0 }

const DAY_SECONDS = 86_400
const TWO_DAYS_MS = 2 * DAY_SECONDS * 1_000

/**
 * Whether the journal can know that others write to its account: it has no record of a row, or only a person's
 * declaration.
 */
export function showOthers({ rows }: Past): boolean {
  return rows.some(({ whose }) => whose !== 'ours')
}

export function addPast(
  { past, feeMode, filledUntilMs, guards, truth }: Schedule,
  service: ServiceModel,
  journal: JournalModel,
): void {
  const end = (name: string, kind: IntentKind, state: IntentState, more: object = {}) =>
    journal.addEarlier({
      ...{
        pk: recordKey.intent(kind, name),
        version: 3,
        format: 1,
        stamp: name,
        intentId: name,
        kind,
        state,
        attemptNumber: 1,
      },
      ...{ params: {}, paramsHash: '', frozen: {}, createdAt: BEFORE, notAfter: BEFORE, ...more },
    })
  const claim = (kind: IntentKind, id: string, intentId: string) => {
    const pk = recordKey.claim(kind, id)
    journal.addEarlier({ pk, version: 1, format: 1, stamp: `${pk} claimed`, intentId })
  }
  let last: WithdrawnRow | undefined
  // The oldest row comes first, in the order of creation.
  for (const [at, { agoMs, whose }] of past.rows.toSorted((left, right) => right.agoMs - left.agoMs).entries()) {
    const row = service.withdrawals.addEarlier(feeMode, agoMs)
    const { id } = row
    if (whose === 'declared foreign') claim(IntentKind.Withdraw, id, FOREIGN)
    if (whose !== 'ours') continue
    last = row
    end(`earlier-${at + 1}`, IntentKind.Withdraw, IntentState.Done, { ref: id })
    claim(IntentKind.Withdraw, id, `earlier-${at + 1}`)
  }
  for (let nth = 1; nth <= past.orders; nth += 1) {
    const id = service.ids.next(IntentKind.Convert)
    end(`converted-${nth}`, IntentKind.Convert, IntentState.Done, { ref: id })
    claim(IntentKind.Convert, id, `converted-${nth}`)
  }
  const { dailyWindow, total } = guards?.everywhere ?? {}
  if (filledUntilMs !== undefined && total?.daily !== undefined && dailyWindow === 'rolling') {
    end('day-before', IntentKind.Withdraw, IntentState.Done)
    const dayBeforeMs = START_MS - truth.skewMs - DAY_SECONDS * 1000
    const untilSeconds = Math.floor((dayBeforeMs + filledUntilMs) / 1000)
    const pk = recordKey.budget('*', new Date(dayBeforeMs).toISOString().slice(0, 10), 'value:USD')
    journal.addEarlier({
      ...{ pk, version: 1, format: 1, stamp: 'filled' },
      reserved: { [EARLIER_HOLDER]: `${total.daily}@${untilSeconds}` },
    })
  }
  if (past.lane === undefined) return
  const pk = recordKey.lane(OWN_ACCOUNT, ASSET.assetSymbol)
  if (past.lane === IntentState.Rejected) {
    // The holder of the lane was refused before it sent anything, so the lane also names the intent that sent before.
    end('lane-holder', IntentKind.Withdraw, past.lane)
    end('lane-sender', IntentKind.Withdraw, IntentState.Exhausted, sentBeside(service, feeMode))
    journal.addEarlier({
      pk,
      version: 1,
      format: 1,
      stamp: 'lane taken',
      holders: ['lane-holder'],
      before: 'lane-sender',
    })
    return
  }
  const made = past.lane === IntentState.Done ? last : undefined
  const sent = sentBeside(service, feeMode, made)
  end('lane-holder', IntentKind.Withdraw, past.lane, { ...sent, ...(made && { ref: made.id }) })
  journal.addEarlier({ pk, version: 1, format: 1, stamp: 'lane taken', holders: ['lane-holder'] })
}

/** The sender from the lane has recorded the rows of the two days before. `made`: the row that it has made. */
function sentBeside(
  { withdrawals, longAgoMs }: ServiceModel,
  feeMode: Schedule['feeMode'],
  made?: WithdrawnRow,
): object {
  const atMs = made?.atMs ?? longAgoMs
  const since = new Date(atMs - TWO_DAYS_MS).toISOString()
  const recent = withdrawals.movements.filter((row) => row !== made && withdrawals.toldTime(row) >= since)
  const asked = { assetSymbol: ASSET.assetSymbol, amount: '100', feeMode, contactId: CONTACT.id }
  const route = {
    subTypes: ['EXTERNAL_CRYPTO'],
    networkId: CONTACT.networkId,
    fee: '1',
    total: '101',
    increment: '0.1',
  }
  const iat = Math.floor(atMs / 1000)
  return {
    ...{
      params: asked,
      frozen: { ...asked, ...route, account: OWN_ACCOUNT, stage: 'test', payee: { ...PLANNED_CONTACT, seenAt: since } },
    },
    attempt: {
      ...{ nonce: 'earlier', kid: 'svc_test_0', iat, exp: iat + 30, bodySha256: '', owner: 'earlier', fee: '1', since },
      fenceTiming: { leewaySeconds: 0, visibilitySeconds: 0 },
      known: recent.map((row) => ({ id: row.id, at: withdrawals.toldTime(row) })),
    },
  }
}

/** Nothing reads the times of an ended intent. */
const BEFORE = '2025-12-31T00:00:00.000Z'
