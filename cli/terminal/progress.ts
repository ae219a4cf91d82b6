// Shows the progress of a command on standard error: finished lines, and on a terminal a last line that keeps counting.
// Without a terminal only the finished lines are written, so that a log stays readable. A command that ends shows the time
// since its start. A command that stays shows the time of day, because nobody knows later when it began.

import type { Clock } from '../../core/clock.ts'
import type { Progress, Tone } from '../../place/context.ts'
import { shortened } from '../../views/runs/figures.ts'
import { printable } from '../../views/text/shown.ts'
import { cut, type TextStream } from '../../views/text/width.ts'
import { columnsOf, type Output, type Style } from './output.ts'

/** Time between two drawings of the live line. */
const REDRAW_MS = 100
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const
const GAP = '  '

export function createProgress(output: Output, clock: Clock, times: 'elapsed' | 'absolute' = 'elapsed'): Progress {
  const startMs = clock.nowMs()
  const stamp = () => (times === 'absolute' ? timeText(clock.nowMs()) : elapsedText(clock.nowMs() - startMs))
  // A log keeps every digit.
  const shown = output.terminal === undefined ? (text: string) => text : shortened
  const liveLine = output.terminal === undefined ? undefined : createLiveLine(output.terminal)
  return {
    line({ label, text, tone, next }) {
      liveLine?.hide()
      const [time, name] = [stamp(), labelText(label)]
      const beforeText = time.length + GAP.length + name.length + GAP.length
      const said = next === undefined ? text : `${text}: ${output.spell(next)}`
      const line = [output.style('dim', time), output.style(styles[tone], name), printable(shown(said))].join(GAP)
      output.note(line, beforeText)
      liveLine?.show()
    },
    live: ({ label, text }) => liveLine?.set(() => `${stamp()}  ${labelText(label)}  ${printable(shown(text))}`),
    end: () => liveLine?.end(),
  }
}

export const styles: Readonly<Record<Tone, Style>> = { good: 'green', wait: 'yellow', bad: 'red', plain: 'cyan' }

/** In UTC, with its zone, in whole seconds: `2026-01-31T09:00:00Z`. */
function timeText(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d{3}Z$/, 'Z')
}

interface LiveLine {
  set(text: () => string): void
  hide(): void
  show(): void
  end(): void
}

function createLiveLine(terminal: TextStream): LiveLine {
  let text: (() => string) | undefined
  let frame = 0
  let timer: NodeJS.Timeout | undefined
  const clear = () => terminal.write('\r\u001b[K')
  const draw = () => {
    if (text === undefined) return
    frame = (frame + 1) % FRAMES.length
    // The line is cut to one row, because a wrapped line cannot be removed. Some terminals report 0 columns.
    const row = printable(text().replace(/^ ?/, FRAMES[frame] ?? ''))
    terminal.write(`\r\u001b[K${cut(row, columnsOf(terminal) - 1)}`)
  }
  return {
    set(next) {
      text = next
      timer ??= setInterval(draw, REDRAW_MS).unref()
      draw()
    },
    hide: () => {
      if (text !== undefined) clear()
    },
    show: draw,
    end() {
      clearInterval(timer)
      timer = undefined
      if (text !== undefined) clear()
      text = undefined
    },
  }
}

/** Width of a label, in columns of the terminal. Most labels fit. */
const LABEL_WIDTH = 15

/** Pads a label, so that the texts of all lines are aligned. */
function labelText(label: string): string {
  return label.padEnd(LABEL_WIDTH)
}

/** Right-aligned to 7 columns: `   0.4s`, ` 75.0s`, `  4m05s`. */
export function elapsedText(durationMs: number): string {
  const seconds = durationMs / 1000
  if (seconds < 100) return `${seconds.toFixed(1)}s`.padStart(7)
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)}m${String(whole % 60).padStart(2, '0')}s`.padStart(7)
}
