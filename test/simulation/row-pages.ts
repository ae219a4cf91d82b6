// Answers GET /v2/withdrawals as on the wire. Each page shows the rows as they are listed at that moment, so new rows
// or another order shift the rest.
import type { Reader } from '../../core/service/reader.ts'
import { windowOf } from './row-lists.ts'
import type { Read } from './service-time.ts'
import { ASSET, type WithdrawalModel, type WithdrawnRow } from './withdrawal-model.ts'

export function pagesOf(model: WithdrawalModel, read: Read): Reader {
  const { rowsAPage } = model.truth
  const readPage = ({ target }: { readonly target: string }): Promise<never> => {
    const page = Number(/[?&]page=(\d+)/.exec(target)?.[1] ?? 1)
    const isSettled = target.includes('assetFormat=base')
    const window = windowOf(target)
    return read((account) => {
      const rows = model.listRows(account, window)
      const from = (page - 1) * rowsAPage
      const data = rows.slice(from, from + rowsAPage).map((row) => rawRow(model, row, isSettled))
      return { data, pagination: { page, totalItems: rows.length } } as never
    })
  }
  return { read: readPage, readOpenly: readPage, write: readPage }
}

/** Top-level figures have the requested units, and settled figures are always beside them. */
export function rawRow(model: WithdrawalModel, row: WithdrawnRow, isSettled: boolean): object {
  const { amount, fee, total, assetSymbol, networkId, id, subType, transactionHash, bankReference } = row
  const settled = { amount, fee, total }
  const top = isSettled ? settled : { amount: doubled(amount), fee: doubled(fee), total: doubled(total) }
  return {
    ...{ id, subType, createdAt: model.toldTime(row), transactionHash, bankReference },
    ...top,
    assetSymbol: isSettled ? assetSymbol : ASSET.rebasedSymbol,
    status: model.statusOf(row),
    multiplier: ASSET.multiplier,
    base: { asset: model.toldAsset, ...settled },
    withdrawalData: { networkId, networkName: null, networkNativeAsset: null, evmChainId: null, assetType: null },
  }
}

/** Multiplies by the asset's factor. Figures here have at most one decimal. */
function doubled(figure: string): string {
  return String(Number(figure) * Number(ASSET.multiplier))
}
