// The forms in which a policy kind says what its policies name at the service, each with the place where it is named.

export interface NamedAsset {
  /** Within the policy, as treasury.json spells it: `rules[0].assets[1]`. */
  readonly at: string
  readonly code: string
}

export interface NamedContact {
  readonly at: string
  readonly id: string
  /** What is sent to it; none where only the holdings say. */
  readonly assets: readonly string[]
}

/** A conversion that a policy may make, by one market or through one of the hubs. */
export interface NamedConversion {
  readonly at: string
  readonly gives: string
  readonly brings: string
  readonly hubs: readonly string[]
}

export interface OwnReferences {
  readonly assets: readonly NamedAsset[]
  readonly markets: readonly { readonly at: string; readonly id: string }[]
  readonly contacts: readonly NamedContact[]
  readonly conversions: readonly NamedConversion[]
  /** Assets of a portfolio: each is to be turned into another of the policy's own assets, by one market or through a hub. */
  readonly portfolio: readonly NamedAsset[]
  /** What the policy works with; each needs a price in the valuation asset, by a market or through a hub. */
  readonly valued: readonly NamedAsset[]
}

export const NO_REFERENCES: OwnReferences = {
  assets: [],
  markets: [],
  contacts: [],
  conversions: [],
  portfolio: [],
  valued: [],
}

export function named(at: string, code: string): NamedAsset {
  return { at, code }
}

export function listed(at: string, codes: readonly string[]): NamedAsset[] {
  return codes.map((code, index) => named(`${at}[${index}]`, code))
}

export function keyed(at: string, codes: readonly string[]): NamedAsset[] {
  return codes.map((code) => named(`${at}.${code}`, code))
}
