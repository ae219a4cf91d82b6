// Writes the report of each run of the tour, as `sluice report` does: with every attempt in its timeline.

import type { EmbeddedAws } from '@sluice/embedded-aws'
import type { RunReport } from '../../core/contract/runs.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { writePage } from '../report/report-file.ts'
import { reportHtml } from '../report/report-html.ts'
import { readLegs } from '../show/intent-course.ts'
import { awsExecutions } from '../target/journal/aws-executions.ts'
import { journalTable } from '../target/journal/journal-client.ts'
import { recordsOf } from '../target/journal/journal-records.ts'
import { reportFile } from '../target/state/state-layout.ts'

interface Toured {
  readonly aws: EmbeddedAws
  readonly treasury: Treasury
  readonly stateDir: string
}

/** @returns their files */
export async function writePages(
  reports: readonly RunReport[],
  { aws, treasury, stateDir }: Toured,
): Promise<readonly string[]> {
  const table = journalTable(aws)
  const executions = awsExecutions(aws)
  const sources = { ...recordsOf(table, treasury), treasury, findHistory: executions.history }
  try {
    const files: string[] = []
    for (const report of reports) {
      const file = reportFile(stateDir, report.runId)
      writePage(file, reportHtml(report, await readLegs(report, sources)))
      files.push(file)
    }
    return files
  } finally {
    table.client.destroy()
    executions.destroy()
  }
}
