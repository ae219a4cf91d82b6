// Defines the form in which a policy kind lists the names that its policies use at the service, each with its place. Types and
// builders only.

export interface NamedAsset {
  /** Place within the policy, as in treasury.json: `rules[0].assets[1]`. */
  readonly at: string
  readonly code: string
}

export interface NamedContact {
  readonly at: string
  readonly id: string
  /** The assets sent to it; empty where they depend on the holdings. */
  readonly assets: readonly string[]
}

/** A conversion that a policy may make, by a direct market or through a hub. */
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
  /** Assets of a portfolio: each must convert into another of the policy's own assets, by a direct market or through a hub. */
  readonly portfolio: readonly NamedAsset[]
  /** Assets that the policy works with: each needs a price in the valuation asset, by a direct market or through a hub. */
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
