// How a line of progress is laid out: the time since the work began, what goes on, and its words. Pure.

import { printable } from '../../core/printable.ts'
import type { ProgressLine } from '../../operations/progress.ts'

const LABEL_WIDTH = 15

/** A label, as wide as most are, so that the words stand below each other. */
export function labelText(label: string): string {
  return label.padEnd(LABEL_WIDTH)
}

/** The whole line, without colours: `   0.4s  Quote            a quote of 1 BTC`. */
export function progressText({ label, text }: Pick<ProgressLine, 'label' | 'text'>, durationMs: number): string {
  return `${elapsedText(durationMs)}  ${labelText(label)}  ${printable(text)}`
}

/** Right-aligned to 7 columns: `   0.4s`, ` 75.0s`, `  4m05s`. */
export function elapsedText(durationMs: number): string {
  const seconds = durationMs / 1000
  if (seconds < 100) return `${seconds.toFixed(1)}s`.padStart(7)
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)}m${String(whole % 60).padStart(2, '0')}s`.padStart(7)
}
