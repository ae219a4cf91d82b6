// Judges a walk through configurations as an account would: each is deployed over the result of the earlier ones.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Treasury } from '../../core/contract/treasury.ts'
import { createApp } from '../../infra/app.ts'
import { type AssemblyFacts, readAssemblyFacts } from './assembly-facts.ts'
import { afterTakingDown, afterUpdate, type Deployed, type Finding, judgeUpdate } from './judge.ts'
import { type Step, TAKEN_DOWN } from './walks.ts'

export interface WalkFinding {
  /** Number of the failing deployment; 0 is the first of the walk. */
  readonly step: number
  readonly found: Finding
}

/** `before`: the account before the first step. */
export function judgeWalk(
  steps: readonly Step[],
  facts: (treasury: Treasury) => AssemblyFacts,
  before?: AssemblyFacts,
): WalkFinding[] {
  const findings: WalkFinding[] = []
  let account: Deployed | undefined = before && { assembly: before, leftOver: new Set() }
  for (const [step, deployed] of steps.entries()) {
    if (deployed === TAKEN_DOWN) {
      account &&= afterTakingDown(account)
      continue
    }
    const next = facts(deployed)
    account ??= { assembly: next, leftOver: new Set() }
    findings.push(...judgeUpdate(account, next).map((found) => ({ step, found })))
    account = afterUpdate(account, next)
  }
  return findings
}

/** Facts of a configuration's assembly. They do not depend on the bundle, so it is empty here. */
export function factsOf(treasury: Treasury): AssemblyFacts {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-updates-'))
  try {
    const bundleDir = join(folder, 'bundle')
    mkdirSync(bundleDir)
    writeFileSync(join(bundleDir, 'movements.js'), '')
    const outDir = join(folder, 'cdk.out')
    createApp({ treasury, bundleDir, outDir, isChecked: false }).synth()
    return readAssemblyFacts(outDir)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
