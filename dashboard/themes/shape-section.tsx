import type { ThemeDocument } from '../../contract/content/theme.ts'
import { Segments } from '../parts/segments.tsx'
import { Select } from '../parts/select.tsx'
import type { EditedTheme } from './use-edited-theme.ts'

const RADII = (['0', '6', '12', '18'] as const).map((value) => ({ value, label: value }))
const FONTS = [
  { value: 'page', label: 'As on the page' },
  { value: 'system', label: 'Of the system' },
  { value: 'serif', label: 'With serifs' },
  { value: 'mono', label: 'Monospaced' },
] as const satisfies { value: ThemeDocument['font']; label: string }[]
const SHADOWS = [
  { value: 'none', label: 'None' },
  { value: 'soft', label: 'Soft' },
  { value: 'strong', label: 'Strong' },
] as const satisfies { value: ThemeDocument['shadow']; label: string }[]
const MODES = [
  { value: 'page', label: 'Read from the page' },
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Always light' },
  { value: 'dark', label: 'Always dark' },
] as const satisfies { value: ThemeDocument['mode']; label: string }[]

type Props = { edited: EditedTheme; reason: string | undefined }

export function ShapeSection({ edited: { document, edit }, reason }: Props) {
  const disabled = reason !== undefined
  return (
    <section aria-labelledby="th-shape">
      <h2 className="h2" id="th-shape">
        Shape and type
      </h2>
      <div className="prop">
        <span className="t2" aria-hidden="true">
          Radius
        </span>
        <Segments
          label="Radius"
          options={RADII}
          value={String(document.radius) as (typeof RADII)[number]['value']}
          onChange={(radius) => !disabled && edit({ radius: Number(radius) as ThemeDocument['radius'] })}
        />
      </div>
      <div className="prop">
        <span className="t2" aria-hidden="true">
          Shadow
        </span>
        <Segments
          label="Shadow"
          options={SHADOWS}
          value={document.shadow}
          onChange={(shadow) => !disabled && edit({ shadow })}
        />
      </div>
      <div className="prop">
        <span className="t2" aria-hidden="true">
          Font
        </span>
        <Select
          label="Font"
          options={FONTS}
          value={document.font}
          disabled={disabled}
          onChange={(font) => edit({ font })}
        />
      </div>
      <div className="prop">
        <span className="t2" aria-hidden="true">
          Theme is
        </span>
        <Select
          label="Theme is"
          options={MODES}
          value={document.mode}
          disabled={disabled}
          onChange={(mode) => edit({ mode })}
        />
      </div>
    </section>
  )
}
