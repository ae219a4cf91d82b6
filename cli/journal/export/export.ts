// `sluice journal export`: writes the journal's records into a folder, with a manifest and hashes. The journal keeps them.
// Run again, it continues where it was cut off. For a complete export it checks whether each byte is unchanged.
import path from 'node:path'
import { type Manifest, recordsIn } from '../../../operations/journal/export/manifest.ts'
import { checkExport, hasManifest } from '../../../operations/journal/export/read-export.ts'
import { writeExport } from '../../../operations/journal/export/write-export.ts'
import type { Finding } from '../../../operations/journal/judge.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import { evidenceFailure } from '../../../place/journal/journal-failure.ts'
import { withJournalConnection } from '../../../place/journal-connection.ts'
import type { ConnectionFlags } from '../../../place/next-step.ts'
import { usageError } from '../../../place/operation-error.ts'
import { counted, printable } from '../../../views/text/shown.ts'
import type { CommandContext } from '../../terminal/context.ts'

export interface ExportFlags extends ConnectionFlags {
  readonly to?: string
}

/** @throws OperationError */
export async function exportJournal(flags: ExportFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, output } = context
  if (flags.to === undefined || flags.to === '' || flags.to.includes('://')) {
    const message = `--to: expected a folder; got ${flags.to ? 'an address' : 'nothing'}`
    throw usageError('usage', message, { do: 'export-journal', why: 'then: aws s3 sync FOLDER s3://BUCKET/FOLDER' })
  }
  const dir = path.resolve(flags.to)
  if (hasManifest(dir)) {
    const { findings, manifest } = await checkExport(dir)
    print({ dir, findings, manifest, isNew: false }, context)
    return findings.length === 0 ? ExitCode.Done : ExitCode.NeedsPerson
  }
  const onPart = (records: number) => output.note(`${records} records so far`)
  const exporting = { dir, nowMs: () => clock.nowMs(), onPart }
  const manifest = await withJournalConnection(flags, context, (connection) =>
    writeExport(connection, exporting).catch((error: unknown) => Promise.reject(evidenceFailure(error))),
  )
  print({ dir, findings: [], manifest, isNew: true }, context)
  output.next([{ do: 'verify-journal', export: flags.to }])
  return ExitCode.Done
}

interface Shown {
  readonly dir: string
  readonly findings: readonly Finding[]
  readonly manifest: Manifest | undefined
  readonly isNew: boolean
}

function print({ dir, findings, manifest, isNew }: Shown, { output }: CommandContext): void {
  if (output.json) {
    output.facts({ dir, isNew, findings, ...(manifest !== undefined && { manifest }) })
    return
  }
  for (const { about, finding, message } of findings) output.text(printable(`${finding}  ${about}: ${message}`))
  if (manifest === undefined) return
  const { parts, sha256, startedAt, table } = manifest
  const summary = `${counted(recordsIn(manifest), 'record')} in ${counted(parts.length, 'part')}, of ${startedAt}, table ${table.tableId}`
  const state = isNew ? 'written' : findings.length === 0 ? 'it was written before, and is whole' : 'it is damaged'
  output.data(printable(`${dir}: ${summary}: ${state}`))
  output.note(`hash of its manifest: ${sha256}; whoever keeps it elsewhere sees that the export is this one`)
  if (!isNew) output.note('for a new one, name another folder with --to')
}
