// Reads the CDK's own report of a synthesis, in the folder of the assembly, and removes an old one. Must not load the CDK,
// which takes seconds.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const VALIDATION_REPORT = 'validation-report.json'

interface Report {
  readonly pluginReports: readonly {
    readonly conclusion: string
    readonly violations: readonly {
      readonly ruleName: string
      readonly violatingConstructs: readonly { readonly constructPath: string }[]
    }[]
  }[]
}

/**
 * Each broken rule with the resource that breaks it. Under the cdk command, CDK does not throw for them, and that command ends.
 */
export function brokenRules(outDir: string): readonly string[] {
  const failed = readReport(outDir)?.pluginReports.filter(({ conclusion }) => conclusion === 'failure') ?? []
  return failed.flatMap(({ violations }) =>
    violations.flatMap(({ ruleName, violatingConstructs }) =>
      violatingConstructs.map(({ constructPath }) => `${ruleName} at ${constructPath}`),
    ),
  )
}

/** Removes the report of an earlier synthesis, because a synthesis that fails early writes none. */
export function forgetBrokenRules(outDir: string): void {
  rmSync(join(outDir, VALIDATION_REPORT), { force: true })
}

function readReport(outDir: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(join(outDir, VALIDATION_REPORT), 'utf8'))
  } catch {
    return undefined
  }
}
