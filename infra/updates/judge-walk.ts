// Follows a walk of configurations as an account would: each is deployed over what the ones before have left.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Treasury } from '../../core/contract/treasury.ts'
import { createApp } from '../app.ts'
import { type AssemblyFacts, readAssemblyFacts } from './assembly-facts.ts'
import { afterUpdate, type Deployed, type Finding, judgeUpdate } from './judge.ts'
import { type Step, TAKEN_DOWN } from './walks.ts'

export interface WalkFinding {
  /** Which deployment of the walk fails, from 1 on: 0 is the first. */
  readonly step: number
  readonly found: Finding
}

/** What the account has before the first step. */
export interface Before {
  readonly assembly: AssemblyFacts
  /** Stacks that are brought up to date one by one before all others, in this order. */
  readonly first: readonly string[]
}

export function judgeWalk(
  steps: readonly Step[],
  facts: (treasury: Treasury) => AssemblyFacts,
  before?: Before,
): WalkFinding[] {
  const findings: WalkFinding[] = []
  let account: Deployed | undefined = before && { assembly: before.assembly, leftOver: new Set() }
  for (const [step, deployed] of steps.entries()) {
    const whole: AssemblyFacts = deployed === TAKEN_DOWN ? { stacks: [] } : facts(deployed)
    account ??= { assembly: whole, leftOver: new Set() }
    const first = step === 0 ? (before?.first ?? []) : []
    for (const name of [...first, undefined]) {
      const next: AssemblyFacts = name === undefined ? whole : withStack(account.assembly, name, whole)
      findings.push(...judgeUpdate(account, next).map((found) => ({ step, found })))
      account = afterUpdate(account, next)
    }
  }
  return findings
}

/** One stack of the next assembly among those that are deployed. */
function withStack({ stacks }: AssemblyFacts, name: string, next: AssemblyFacts): AssemblyFacts {
  const updated = next.stacks.find((stack) => stack.name === name)
  if (updated === undefined) throw new TypeError(`there is no stack ${name}`)
  return { stacks: stacks.map((stack) => (stack.name === name ? updated : stack)) }
}

/** What is deployed does not depend on what is in the bundle, so it is empty here. */
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
