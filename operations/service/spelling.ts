// Finds the two codes of a tokenised equity: the settled code, in which it moves, and the rebased ticker, which people
// know. Each code is looked up in the list of assets, and never computed.
import type { Asset } from '../../core/service/assets.ts'
import { problemOf } from '../../core/service/problem.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'

/** Both codes of an asset that has two. */
interface Spelling {
  readonly settledSymbol: string
  readonly rebasedSymbol: string
}

export interface Spellings {
  /** Both codes, such as `NVDASPV (NVDAX)`, from either of them; the code itself for an asset with one code. */
  both(code: string | null | undefined): string
  /** The record, with both codes where the asset of `codeOf` has two. */
  spell<Row extends object>(row: Row, codeOf: (row: Row) => string | null | undefined): Row & Partial<Spelling>
}

/** Reads the assets. Where the key may not read them, codes are shown unchanged. */
export async function readSpellings(client: Pick<ServiceClient, 'assets'>): Promise<Spellings> {
  return spellingsOf(await readAssets(client))
}

async function readAssets(client: Pick<ServiceClient, 'assets'>): Promise<readonly Asset[]> {
  try {
    return await client.assets()
  } catch (error) {
    if (problemOf(error)?.code === 'insufficient_scope') return []
    throw error
  }
}

export function spellingsOf(assets: readonly Pick<Asset, 'assetSymbol' | 'rebasedSymbol'>[]): Spellings {
  const spellings = new Map<string, Spelling>()
  for (const { assetSymbol: settledSymbol, rebasedSymbol } of assets) {
    if (settledSymbol === rebasedSymbol) continue
    for (const code of [settledSymbol, rebasedSymbol]) spellings.set(code, { settledSymbol, rebasedSymbol })
  }
  return {
    both(code) {
      const found = spellings.get(code ?? '')
      return found === undefined ? (code ?? '') : bothCodes(found)
    },
    spell: (row, codeOf) => ({ ...row, ...spellings.get(codeOf(row) ?? '') }),
  }
}

export function bothCodes({ settledSymbol, rebasedSymbol }: Spelling): string {
  return settledSymbol === rebasedSymbol ? settledSymbol : `${settledSymbol} (${rebasedSymbol})`
}
