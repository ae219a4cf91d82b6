// Writes rows of texts as a Parquet file, one group of rows at a time, so that memory stays flat. The library is loaded only
// for this form.

/** Rows of a group: they are held in memory together. */
const GROUP_ROWS = 5_000

/** Every column is an optional text: a decimal with its 18 places fits no number. */
export async function writeParquet<Column extends string>(
  file: string,
  columns: readonly Column[],
  rows: AsyncIterable<Readonly<Record<Column, string | null>>>,
): Promise<void> {
  const { fileWriter, ParquetWriter } = await import('hyparquet-writer')
  const schema = [
    { name: 'movements', num_children: columns.length },
    ...columns.map(
      (name) => ({ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' }) as const,
    ),
  ]
  const writer = new ParquetWriter({ writer: fileWriter(file), schema, createdBy: 'sluice' })
  let group: Readonly<Record<Column, string | null>>[] = []
  const writeGroup = async () => {
    if (group.length === 0) return
    const columnData = columns.map((name) => ({ name, data: group.map((row) => row[name]) }))
    await writer.write({ columnData, rowGroupSize: group.length })
    group = []
  }
  for await (const row of rows) {
    group.push(row)
    if (group.length === GROUP_ROWS) await writeGroup()
  }
  await writeGroup()
  await writer.finish()
}
