// A policy that names an asset unknown to the service moves nothing, because nobody knows what it meant.
import { loadParts } from '@sluice/service-sandbox'
import type { Deed } from '../hands.ts'
import { ownAssets, passingAssets } from './assets-of.ts'
import { nameOf, type Send } from './sends.ts'

const { findAsset } = await loadParts()

export function judgeNames(sends: readonly Send[], deeds: readonly Deed[]): string[] {
  return sends.flatMap((send) => {
    const [policy] = send.policies
    const named = policy === undefined ? [] : [...ownAssets(policy), ...passingAssets(policy)]
    const unknown = [...new Set(named)].filter((code) => !isListed(code, deeds, send.planned.fromMs))
    return unknown.map((code) => `name: ${nameOf(send)} moved, and ${code} of its policy is no asset of the service`)
  })
}

function isListed(code: string, deeds: readonly Deed[], atMs: number): boolean {
  const asset = findAsset(code)
  if (asset === undefined) return false
  const own = deeds.filter(
    ({ atMs: doneMs, path, body }) => path === '/listing' && body.assetSymbol === asset.symbol && doneMs <= atMs,
  )
  return own.at(-1)?.body.listing !== 'unlisted'
}
