// Lays out a line of progress: the time since the work began, a label, and a text. Pure.

import { printable } from '../../core/printable.ts'
import type { ProgressLine } from '../../place/context.ts'

/** Width of a label, in columns of the terminal. Most labels fit. */
const LABEL_WIDTH = 15

/** Pads a label, so that the texts of all lines are aligned. */
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
