// Writes the report of each run of the tour, as `sluice runs report` does: with every attempt in its timeline.

import type { EmbeddedAws } from '@sluice/embedded-aws'
import type { RunReport } from '../../core/contract/runs.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { awsExecutions } from '../../operations/connection/journal/aws-executions.ts'
import { journalTable } from '../../operations/connection/journal/journal-client.ts'
import { recordsOf } from '../../operations/connection/journal/journal-records.ts'
import { reportFile } from '../../operations/connection/state/state-layout.ts'
import { writePage } from '../../operations/files/report-file.ts'
import { readLegs } from '../../operations/movements/intent-course.ts'
import { reportHtml } from '../../views/html/report-html.ts'

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
