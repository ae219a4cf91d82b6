// Owns the two representations that the service has of every movement and position (section "assetFormat"). Sluice
// calculates in settled units, read from the `base` block, which both representations have. Rebased figures are for
// people and stay apart, under `rebased`.
import * as z from 'zod/mini'
import { cursorPage, page } from './fields.ts'

/** How a resource is requested, the shape of the answer, and how the client shows it. */
export interface View<Raw, Shown> {
  readonly assetFormat: 'base' | 'rebased'
  readonly shape: z.ZodMiniType<Raw>
  readonly pageShape: ReturnType<typeof page<z.ZodMiniType<Raw>>>
  readonly cursorPageShape: ReturnType<typeof cursorPage<z.ZodMiniType<Raw>>>
  show(raw: Raw): Shown
}

/** Settled figures only. The top-level figures would be equal, and are not read. */
export function settledView<Raw, Shown>(shape: z.ZodMiniType<Raw>, show: (raw: Raw) => Shown): View<Raw, Shown> {
  return view('base', shape, show)
}

export function rebasedView<Raw, Shown>(shape: z.ZodMiniType<Raw>, show: (raw: Raw) => Shown): View<Raw, Shown> {
  return view('rebased', shape, show)
}

function view<Raw, Shown>(
  assetFormat: 'base' | 'rebased',
  shape: z.ZodMiniType<Raw>,
  show: (raw: Raw) => Shown,
): View<Raw, Shown> {
  return { assetFormat, shape, pageShape: page(shape), cursorPageShape: cursorPage(shape), show }
}

/** The assetFormat that a rebased answer must have. In other units its figures would be shown wrongly. */
export const isRebased = z.literal('rebased')
