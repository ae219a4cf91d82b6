// Holds reference data: the assets, their networks, and the opening balances of the seeded account. Users recognise the
// codes, chains and precisions; the figures are invented.
import { type Amount, amount, divideDown, ONE, powerOfTen, ZERO } from './amount.ts'

export type AssetClass = 'FIAT' | 'STABLECOIN' | 'STOCK' | 'CRYPTO'

export interface Network {
  readonly networkName: string
  readonly networkId: string
  readonly evmChainId: number | null
  readonly networkNativeAsset: string
  readonly assetType: string
  readonly withdrawalFee: Amount
  readonly minimumWithdrawal: Amount
}

export interface Asset {
  /** Settled code, as the ledger and market ids use it. */
  readonly symbol: string
  /** Equals `symbol` for everything except tokenised equities. */
  readonly rebasedSymbol: string
  readonly name: string
  readonly assetClass: AssetClass
  readonly increment: Amount
  readonly displayIncrement: Amount
  readonly minimumDeposit: Amount
  readonly minimumWithdrawal: Amount
  readonly minimumInternalWithdrawal: Amount
  /** Fee of the cheapest network. A withdrawal costs its own network's fee. */
  readonly withdrawalFee: Amount
  readonly maxIndicativeAmount: Amount
  readonly networks: readonly Network[]
  /** Multiplier when the world opens. Corporate actions change it later. */
  readonly openingMultiplier: Amount
  /** US dollars per settled unit, before the seeded process changes it. */
  readonly openingUsd: Amount
  readonly openingBalance: Amount
}

const CHAINS = {
  BITCOIN: ['Bitcoin', null, 'BTC', 'BASE_ASSET'],
  ETH: ['Ethereum', 1, 'ETH', 'ERC20'],
  POLYGON: ['Polygon', 137, 'POL', 'ERC20'],
  BSC: ['BNB Smart Chain', 56, 'BNB', 'BEP20'],
  TRON: ['Tron', null, 'TRX', 'TRC20'],
  SOLANA: ['Solana', null, 'SOL', 'SOL_ASSET'],
  STELLAR_NETWORK: ['Stellar', null, 'XLM', 'STELLAR_ASSET'],
  LITECOIN: ['Litecoin', null, 'LTC', 'BASE_ASSET'],
  DOGECOIN: ['Dogecoin', null, 'DOGE', 'BASE_ASSET'],
  XRPL: ['XRP Ledger', null, 'XRP', 'BASE_ASSET'],
} as const

type Row = readonly [
  symbol: string,
  name: string,
  assetClass: AssetClass,
  increment: string,
  usd: string,
  balance: string,
  networks: string,
  multiplier?: string,
]

const ROWS: readonly Row[] = [
  ['USD', 'US dollar', 'FIAT', '0.01', '1', '250000', ''],
  ['EUR', 'Euro', 'FIAT', '0.01', '1.0842', '80000', ''],
  ['GBP', 'Pound sterling', 'FIAT', '0.01', '1.2671', '0', ''],
  ['CHF', 'Swiss franc', 'FIAT', '0.01', '1.1284', '0', ''],
  ['BRL', 'Brazilian real', 'FIAT', '0.01', '0.1816', '0', ''],
  ['MXN', 'Mexican peso', 'FIAT', '0.01', '0.0544', '0', ''],
  ['COP', 'Colombian peso', 'FIAT', '0.01', '0.00024', '0', ''],
  ['CLP', 'Chilean peso', 'FIAT', '1', '0.00107', '0', ''],
  [
    'USDC',
    'USD Coin',
    'STABLECOIN',
    '0.000001',
    '1',
    '100000',
    'ETH 4 10, POLYGON 0.1 1, SOLANA 0.5 1, STELLAR_NETWORK 0.05 1',
  ],
  ['USDT', 'Tether', 'STABLECOIN', '0.000001', '0.9998', '50000', 'TRON 1.5 5, ETH 5 10, BSC 0.3 2'],
  ['EURC', 'Euro Coin', 'STABLECOIN', '0.000001', '1.0842', '0', 'ETH 4 10, SOLANA 0.5 1'],
  ['DAI', 'Dai', 'STABLECOIN', '0.000001', '1', '0', 'ETH 4 10, POLYGON 0.1 1'],
  ['BTC', 'Bitcoin', 'CRYPTO', '0.00000001', '67250', '3.5', 'BITCOIN 0.0001 0.0005'],
  ['ETH', 'Ether', 'CRYPTO', '0.00000001', '3180', '40', 'ETH 0.0012 0.005'],
  ['SOL', 'Solana', 'CRYPTO', '0.00000001', '152', '500', 'SOLANA 0.01 0.05'],
  ['XLM', 'Stellar lumen', 'CRYPTO', '0.0000001', '0.1124', '0', 'STELLAR_NETWORK 0.1 5'],
  ['TRX', 'Tronix', 'CRYPTO', '0.000001', '0.1197', '0', 'TRON 1 10'],
  ['BNB', 'BNB', 'CRYPTO', '0.00000001', '589', '0', 'BSC 0.0008 0.01'],
  ['POL', 'Polygon', 'CRYPTO', '0.00000001', '0.7214', '0', 'POLYGON 0.1 1'],
  ['LTC', 'Litecoin', 'CRYPTO', '0.00000001', '84.5', '0', 'LITECOIN 0.001 0.01'],
  ['DOGE', 'Dogecoin', 'CRYPTO', '0.00000001', '0.1462', '0', 'DOGECOIN 2 20'],
  ['XRP', 'XRP', 'CRYPTO', '0.000001', '0.5237', '0', 'XRPL 0.2 20'],
  ['LINK', 'Chainlink', 'CRYPTO', '0.00000001', '14.62', '0', 'ETH 0.3 1'],
  ['UNI', 'Uniswap', 'CRYPTO', '0.00000001', '9.41', '0', 'ETH 0.45 1'],
  ['AAPLSPV', 'Apple tokenised equity', 'STOCK', '0.00000001', '231.4', '120', 'SOLANA 0.01 0.05', '1.00245178'],
  ['NVDASPV', 'NVIDIA tokenised equity', 'STOCK', '0.00000001', '1289', '30', 'SOLANA 0.002 0.01', '10'],
  [
    'SPYSPV',
    'S&P 500 tokenised fund',
    'STOCK',
    '0.00000001',
    '571.2',
    '25.5',
    'SOLANA 0.004 0.02, ETH 0.02 0.1',
    '1.018233604512',
  ],
  ['TSLASPV', 'Tesla tokenised equity', 'STOCK', '0.00000001', '248.9', '0', 'SOLANA 0.01 0.05', '1'],
  ['COINSPV', 'Coinbase tokenised equity', 'STOCK', '0.00000001', '221.7', '15', 'SOLANA 0.01 0.05', '1'],
]

function toAsset([symbol, name, assetClass, step, usd, balance, networkText, multiplier = '1']: Row): Asset {
  const increment = amount(step)
  const openingUsd = amount(usd)
  const networks = networksOf(symbol, networkText)
  const atLeastStep = (value: Amount) => (value.gt(increment) ? value : increment)
  const floors = networks.map((network) => network.minimumWithdrawal)
  return {
    symbol,
    rebasedSymbol: assetClass === 'STOCK' ? symbol.replace(/SPV$/, 'X') : symbol,
    name,
    assetClass,
    increment,
    displayIncrement: increment.times(100),
    minimumDeposit: atLeastStep(powerOfTenNear(ONE, openingUsd)),
    minimumWithdrawal: floors.length === 0 ? atLeastStep(powerOfTenNear(amount('10'), openingUsd)) : least(floors),
    minimumInternalWithdrawal: atLeastStep(powerOfTenNear(ONE, openingUsd)),
    withdrawalFee: least(networks.map((network) => network.withdrawalFee)),
    maxIndicativeAmount: powerOfTenNear(amount('5000000'), openingUsd),
    networks,
    openingMultiplier: amount(multiplier),
    openingUsd,
    openingBalance: amount(balance),
  }
}

/** Parses `CHAIN fee minimum` entries, separated by commas. */
function networksOf(symbol: string, text: string): Network[] {
  if (text === '') return []
  return text.split(', ').map((entry) => {
    const [networkId, fee, minimum] = entry.split(' ') as [keyof typeof CHAINS, string, string]
    const [networkName, evmChainId, networkNativeAsset, tokenStandard] = CHAINS[networkId]
    const assetType = networkNativeAsset === symbol ? 'BASE_ASSET' : tokenStandard
    const figures = { withdrawalFee: amount(fee), minimumWithdrawal: amount(minimum) }
    return { networkName, networkId, evmChainId, networkNativeAsset, assetType, ...figures }
  })
}

/** Returns a price-dependent limit in the asset, rounded down to a power of ten. */
function powerOfTenNear(usd: Amount, usdPerUnit: Amount): Amount {
  return powerOfTen(divideDown(usd, usdPerUnit))
}

/** Returns the smallest amount, or zero for an empty list. */
export function least(amounts: readonly Amount[]): Amount {
  return amounts.toSorted((a, b) => a.cmp(b))[0] ?? ZERO
}

export const ASSETS: readonly Asset[] = ROWS.map(toAsset)

const BY_SPELLING = new Map<string, Asset>(
  ASSETS.flatMap((asset) => [
    [asset.symbol, asset],
    [asset.rebasedSymbol, asset],
  ]),
)

/** Returns the asset with another withdrawal fee on one network. */
export function withFee(asset: Asset, networkId: string, withdrawalFee: Amount): Asset {
  const networks = asset.networks.map((network) =>
    network.networkId === networkId ? { ...network, withdrawalFee } : network,
  )
  return { ...asset, networks, withdrawalFee: least(networks.map((network) => network.withdrawalFee)) }
}

/** Finds an asset by either spelling, in any case (description, "Tokenised equities: two spellings", rule 1). */
export function findAsset(code: string): Asset | undefined {
  return BY_SPELLING.get(code) ?? BY_SPELLING.get(code.toUpperCase())
}

/** Finds an asset by settled code, for codes from this table. Throws for any other. */
export function assetOf(symbol: string): Asset {
  const asset = BY_SPELLING.get(symbol)
  if (asset === undefined) throw new Error(`no such asset: ${symbol}`)
  return asset
}
