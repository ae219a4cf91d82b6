// Names the figures of an asset, a market or a balance that the service wrote in another notation. No plan uses what has one. Pure.
import { UNREADABLE } from '../../contract/amount.ts'

interface AssetFigures {
  readonly assetSymbol: string
  readonly amountIncrement: string
  readonly maxIndicativeQuoteAmount: string
  readonly minimumWithdrawal: string
  readonly minimumInternalWithdrawal: string
  readonly networks: readonly { readonly withdrawalFee: string; readonly minimumWithdrawal: string }[]
}

/** One sentence. `undefined`: each figure that a plan needs can be read. */
export function unreadableAsset({ assetSymbol, networks, amountIncrement, ...more }: AssetFigures): string | undefined {
  const { maxIndicativeQuoteAmount, minimumWithdrawal, minimumInternalWithdrawal } = more
  const own = { amountIncrement, maxIndicativeQuoteAmount, minimumWithdrawal, minimumInternalWithdrawal }
  const ofNetworks = networks.map((each) => ({
    withdrawalFee: each.withdrawalFee,
    minimumWithdrawal: each.minimumWithdrawal,
  }))
  return [own, ...ofNetworks].map((each) => unreadableIn(assetSymbol, each)).find((each) => each !== undefined)
}

/** The same for other figures. `name`: of the asset or the market that has these. */
export function unreadableIn(name: string, figures: Readonly<Record<string, string>>): string | undefined {
  const found = Object.entries(figures).find(([, figure]) => figure.startsWith(UNREADABLE))
  return found && `${found[0]} of ${name} is ${found[1]}`
}
