// Naive variants of the product's guards, which the observer must see through: each a text change of the product's own
// files, made in a copy of them before it is bundled. Nothing here runs as it is.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bundleFunctions } from '../../../infra/bundle.ts'
import { applyEdit } from '../../simulation/bundle.ts'
import { BOUND_VARIANTS } from './variants/bounds.ts'
import { PLAN_VARIANTS } from './variants/plans.ts'
import { SEND_VARIANTS } from './variants/sends.ts'
import type { Variant } from './variants/variant.ts'

export const VARIANTS: Readonly<Record<string, Variant>> = { ...BOUND_VARIANTS, ...SEND_VARIANTS, ...PLAN_VARIANTS }

const ROOT = path.resolve(import.meta.dirname, '../../..')

/** Bundles a copy with the edits. @throws where an edit does not find its text exactly once. */
export function bundleVariant({ edits }: Variant): (folder: string) => void {
  return (folder) => {
    const copy = mkdtempSync(path.join(tmpdir(), 'sluice-variant-'))
    try {
      for (const room of ['core', 'functions', 'schedules'])
        cpSync(path.join(ROOT, room), path.join(copy, room), { recursive: true })
      symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'))
      for (const edit of edits) {
        const file = path.join(copy, edit.file)
        writeFileSync(file, applyEdit(readFileSync(file, 'utf8'), edit))
      }
      bundleFunctions(folder, { source: path.join(copy, 'functions') })
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  }
}
