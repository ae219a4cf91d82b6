// Prints figures as a table: value, baseline, their ratio with its quartiles, and the goal.
import type { Measured } from './report.ts'

const HEAD = ['', 'median', 'baseline', '', 'ratio', 'quartiles', 'goal']

export function tableOf(figures: readonly Measured[]): string {
  const rows = [HEAD, ...figures.map(rowOf)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

function rowOf({ benchmark, name, unit, value, baseline, ratio, share, goal }: Measured): string[] {
  const held = ratio?.median ?? (share === undefined ? undefined : value / share.of)
  const beside = baseline ?? (share && { name: share.name, value: share.of })
  return [
    `${benchmark}: ${name}`,
    `${figureText(value)} ${unit}`,
    beside === undefined ? '' : `${figureText(beside.value)} ${unit}`,
    beside?.name ?? '',
    held === undefined ? '' : ratioText(held),
    ratio === undefined ? '' : `${ratioText(ratio.low)} to ${ratioText(ratio.high)}`,
    goal === undefined ? '' : `${held !== undefined && held > goal ? 'MISSED: ' : ''}at most ${goal}`,
  ]
}

/** Three significant digits, and never an exponent. */
function figureText(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 4
  return value.toFixed(digits)
}

function ratioText(ratio: number): string {
  return ratio.toFixed(ratio < 0.1 ? 3 : 2)
}
