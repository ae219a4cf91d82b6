// Writes the report of a walk, which a person sends back, and compares it with what the same steps see on doubles. It holds
// words and figures, and no account, secret or id.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { rehearse } from './rehearsal.ts'
import { Refusal, type Setup } from './setup.ts'
import { type StepReport, Walk } from './step.ts'
import { stepsOf } from './steps/steps.ts'
import { walkSteps } from './walk-steps.ts'

const stepReport = z.object({
  name: z.string(),
  isDone: z.boolean(),
  seconds: z.number(),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  why: z.optional(z.string()),
})
const walkReport = z.array(stepReport)

/** @throws Refusal for a file that is no report */
export function readReport(file: string): readonly StepReport[] {
  try {
    return walkReport.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    throw new Refusal(`${file}: expected a report that npm run test:aws -- --report has written`)
  }
}

/** Keeps the report of each step in `file`, the latest of each, so that a resumed walk completes it. */
export function reportTo(file: string, { environment, names, place }: Setup): (step: StepReport) => void {
  const steps = new Map(existsSync(file) ? readReport(file).map((step) => [step.name, step]) : [])
  const known = [place.account, environment, ...names.secrets]
  return (step) => {
    const why = known.reduce((text, name) => text?.replaceAll(name, '…'), step.why)?.replaceAll(/\d{12}/g, '…')
    steps.set(step.name, { ...step, ...(why !== undefined && { why }) })
    writeFileSync(file, `${JSON.stringify([...steps.values()], undefined, 2)}\n`)
  }
}

/** Runs the steps on doubles, and returns what each saw. */
export async function rehearsedReport(setup: Setup): Promise<readonly StepReport[]> {
  const report: StepReport[] = []
  const walk = new Walk(setup, rehearse(setup))
  await walkSteps(walk, { steps: stepsOf(true), again: (step) => step, report: (step) => report.push(step) })
  return report
}

/** @returns a line for each difference, in the order of the steps */
export function differences(real: readonly StepReport[], doubles: readonly StepReport[]): readonly string[] {
  return doubles.flatMap(({ facts, name }) => {
    const there = real.find((step) => step.name === name)
    if (there === undefined) return [`${name}: was not run`]
    const failed = there.isDone ? [] : [`${name}: failed: ${there.why ?? 'no reason'}`]
    const fields = [...new Set([...Object.keys(facts), ...Object.keys(there.facts)])]
    const other = fields.filter(
      (field) => (there.isDone || field in there.facts) && there.facts[field] !== facts[field],
    )
    const text = (value: unknown) => value ?? 'nothing'
    return [
      ...failed,
      ...other.map(
        (field) => `${name}: ${field}: AWS says ${text(there.facts[field])}, the doubles ${text(facts[field])}`,
      ),
    ]
  })
}
