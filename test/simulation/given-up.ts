// Says what intents of each kind sell or send. The drawn guards and their judge use it.

import type { ConvertRequest } from '../../core/contract/convert.ts'
import { IntentKind } from '../../core/contract/records.ts'
import type { OpenConversion, OpenWithdrawal } from '../../core/journal/intent.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import { MARKET, WITHDRAWN_ASSET } from './deals.ts'
import type { GivenUp } from './drawn-guards.ts'
import type { Giving } from './guard-judge.ts'
import { ASSET, CONTACT } from './withdrawal-model.ts'
import { START_MS } from './world-state.ts'

export const CONVERTED: Readonly<Record<'BUY' | 'SELL', GivenUp>> = {
  BUY: { assetSymbol: 'USDC', units: 50_000, startMs: START_MS, market: MARKET },
  SELL: { assetSymbol: 'BTC', units: 1, startMs: START_MS, market: MARKET },
}
export const WITHDRAWN: GivenUp = {
  ...{ assetSymbol: ASSET.assetSymbol, ticker: ASSET.rebasedSymbol, units: 100 },
  ...{ startMs: START_MS, contactId: CONTACT.id },
}

/** Reads the attempt that a record holds. */
export function giving({ kind, params, attempt, frozen }: StoredRecord): Giving {
  if (kind === IntentKind.Convert) {
    const { side, baseAsset } = params as ConvertRequest
    const { baseAmount = '0', quoteAmount = '0' } = (attempt as OpenConversion['attempt'])?.terms ?? {}
    const given = baseAsset === WITHDRAWN_ASSET ? { assetSymbol: baseAsset } : CONVERTED[side]
    return { ...given, amount: side === 'SELL' ? baseAmount : quoteAmount }
  }
  const { contactId, total } = frozen as OpenWithdrawal['frozen']
  return { assetSymbol: ASSET.assetSymbol, ticker: ASSET.rebasedSymbol, contactId, amount: total }
}
