// Reports which rules of cdk-nag an app sets aside, and why. A broken rule that is not set aside stops the synthesis, and
// CDK writes it to its own report.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type App, Validations } from 'aws-cdk-lib'

export interface SetAsideRule {
  /** Path of the construct, from the stack on. The rule is set aside for everything below it. */
  readonly path: string
  readonly rule: string
  readonly why: string
}

/** Name of the pack whose rules every deployed app keeps. */
export const RULE_PACK = 'AwsSolutions'

export function rulesSetAside(app: App): readonly SetAsideRule[] {
  return app.node
    .findAll()
    .flatMap(({ node }) =>
      node.metadata
        .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
        .flatMap(({ data }) =>
          Object.entries(data as Record<string, string>).map(([rule, why]) => ({ path: node.path, rule, why })),
        ),
    )
    .filter(({ rule }) => rule.includes(RULE_PACK))
}

/** CDK's own report, in the folder of the assembly. */
const VALIDATION_REPORT = 'validation-report.json'

/** Under the cdk command, CDK leaves broken rules to that command: it neither throws nor sets the exit code. */
export function hasBrokenRules(outDir: string): boolean {
  const file = join(outDir, VALIDATION_REPORT)
  if (!existsSync(file)) return false
  const { pluginReports }: { readonly pluginReports: readonly { readonly conclusion: string }[] } = JSON.parse(
    readFileSync(file, 'utf8'),
  )
  return pluginReports.some(({ conclusion }) => conclusion === 'failure')
}
