// Writes the report of each run of the tour, as `sluice runs report` does, with every attempt in the timeline.

import type { EmbeddedAws } from '@sluice/embedded-aws'
import type { RunReport } from '../../core/contract/runs.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { writePage } from '../../operations/files/report-file.ts'
import { readRunCourse } from '../../operations/runs/run.ts'
import { openApiExecutions } from '../../place/executions/api-executions.ts'
import { journalTable } from '../../place/journal/journal-client.ts'
import { recordsOf } from '../../place/journal/journal-records.ts'
import { createRunJournal } from '../../place/journal/run-journal.ts'
import { reportFile } from '../../place/state/state-layout.ts'
import { reportHtml } from '../../views/html/report-html.ts'

interface Toured {
  readonly aws: EmbeddedAws
  readonly treasury: Treasury
  readonly stateDir: string
}

/** @returns the paths of the files */
export async function writePages(
  reports: readonly RunReport[],
  { aws, treasury, stateDir }: Toured,
): Promise<readonly string[]> {
  const table = journalTable(aws)
  const executions = openApiExecutions(aws)
  const { runs } = createRunJournal(table)
  const sources = {
    ...executions,
    ...recordsOf(table, treasury),
    treasury,
  }
  try {
    const files: string[] = []
    for (const { runId } of reports) {
      const run = await runs.find(runId)
      if (run === undefined) throw new TypeError(`run ${runId} has no record`)
      const file = reportFile(stateDir, runId)
      writePage(file, reportHtml(await readRunCourse(run, sources)))
      files.push(file)
    }
    return files
  } finally {
    table.client.destroy()
    executions.destroy()
  }
}
