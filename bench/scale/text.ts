// How an assessment is told on a terminal, and its figures anywhere.
import { RUN_KINDS } from './counts.ts'
import type { Assessment, LineUse, QuotaUse } from './model.ts'

/** Shares below this are told at the end, as a number of quotas. */
const WORTH_A_LINE = 0.001

export function textOf({ first, lines, quotas, workload }: Assessment): string {
  const { mix, peakFactor, runsADay } = workload
  const kinds = RUN_KINDS.filter((kind) => mix[kind] > 0).map((kind) => `${shareText(mix[kind])} ${kind}`)
  const told = quotas.filter(({ share }) => share >= WORTH_A_LINE)
  const rows = told.map((use) => [use.name, ...cellsOf(use)])
  const widths = ['', '', '', '', ''].map((_, column) =>
    Math.max(HEAD[column]?.length ?? 0, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
  return [
    `${figure(runsADay)} runs a day: ${kinds.join(', ')}; the busiest hour has ${peakFactor} times the mean rate.`,
    '',
    line(HEAD),
    ...rows.map(line),
    ...(told.length < quotas.length
      ? [`and ${quotas.length - told.length} quotas that are used by less than 0.1 %`]
      : []),
    '',
    ...lines.map((each) => `Waits of ${each.what}: ${waitText(each)}`),
    '',
    first === undefined
      ? 'Nothing breaks, however many runs there are.'
      : `Breaks first: ${first.name}, beyond ${figure(first.bears ?? 0)} runs a day (${first.what}).`,
  ].join('\n')
}

const HEAD = ['quota', 'at the peak', 'limit', 'used', 'bears runs a day']

function cellsOf({ bears, limit, load, share }: QuotaUse): string[] {
  return [figure(load), figure(limit), shareText(share), bears === undefined ? 'any' : figure(bears)]
}

export function waitText({ taken, waits }: LineUse): string {
  if (taken >= 1) return `without end, it is asked for ${figure(taken)} times over`
  if (waits === undefined) return 'none, nothing comes'
  const gaveUp = waits.gaveUp === 0 ? '' : `; ${shareText(waits.gaveUp)} run out of time`
  return `half at most ${figure(waits.p50)} s, 99 % at most ${figure(waits.p99)} s, taken ${shareText(taken)} of the time${gaveUp}`
}

/** With thousands apart, and with as many digits as are worth it. */
export function figure(value: number): string {
  if (value >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(2)))
}

export function shareText(share: number): string {
  const percent = share * 100
  return `${percent >= 10 ? Math.round(percent).toLocaleString('en-US') : Number(percent.toPrecision(2))} %`
}
