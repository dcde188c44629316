import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { defaultTheme, type ThemeDocument } from '../../contract/content/theme.ts'
import { call } from '../api.ts'
import { keyOf } from '../format/key.ts'
import { question } from '../format/question.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { Menu, MenuItem, MenuLine } from '../parts/menu.tsx'
import { NameDialog } from '../parts/name-dialog.tsx'
import { toast } from '../parts/toast.tsx'
import { useEnvironment } from '../session/use-session.ts'
import { reloadThemes, type Theme, type ThemeList } from './queries.ts'
import type { EditedTheme } from './use-edited-theme.ts'

type Props = { theme: Theme; list: ThemeList; edited: EditedTheme; reason: string | undefined }

/** Duplicate, rename, make it the default look, delete. */
export function ThemeActions({ theme, list, edited, reason }: Props) {
  const { slug: environment } = useEnvironment()
  const navigate = useNavigate()
  const [asking, setAsking] = useState<'copy' | 'rename' | 'default' | 'delete'>()
  const { document } = theme
  const isDefault = document.key === defaultTheme.key
  const uses = theme.used_by.map(({ name }) => name).join(', ')
  const close = () => setAsking(undefined)
  return (
    <>
      <Menu trigger={<Button className="square" aria-label={`More about ${document.name}`} icon="more" />}>
        <MenuItem icon="copy" reason={reason} onSelect={() => setAsking('copy')}>
          Duplicate…
        </MenuItem>
        <MenuItem icon="pencil" reason={reason} onSelect={() => setAsking('rename')}>
          Rename…
        </MenuItem>
        <MenuItem
          icon="flag"
          reason={reason ?? (isDefault && theme.id === null ? 'It is as it came' : undefined)}
          onSelect={() => setAsking('default')}
        >
          {isDefault ? 'Back to how it came…' : 'Make it the default look…'}
        </MenuItem>
        <MenuLine />
        <MenuItem
          icon="trash"
          danger
          reason={reason ?? (isDefault ? 'Content without a theme has it' : uses ? `Used by ${uses}` : undefined)}
          onSelect={() => setAsking('delete')}
        >
          Delete…
        </MenuItem>
      </Menu>
      {/* The copy has what was changed here: opening it loses nothing. */}
      {asking === 'copy' && (
        <NewThemeDialog list={list} from={edited.document} onMade={edited.discard} onClose={close} />
      )}
      {asking === 'rename' && (
        <NameDialog
          title="Rename the theme"
          about={`Its key stays ${document.key}: content refers to it.`}
          value={edited.document.name}
          act="Rename"
          busy="Renaming…"
          onClose={close}
          onSave={async (name) => {
            edited.edit({ name })
            close()
          }}
        />
      )}
      {asking === 'default' && (
        <ConfirmDialog
          title={isDefault ? 'Give the default theme its first look?' : `Make ${document.name} the default look?`}
          about="The theme Default takes these colours, shapes and fonts. Content without a theme of its own looks so at once."
          act={isDefault ? 'Set it back' : 'Make it the default'}
          busy="Saving…"
          onClose={close}
          onConfirm={async () => {
            const look = isDefault ? defaultTheme : { ...document, key: defaultTheme.key, name: defaultTheme.name }
            await call('saveTheme', { environment, document: look })
            await reloadThemes(environment)
            toast('The default look has changed.')
          }}
        />
      )}
      {asking === 'delete' && (
        <ConfirmDialog
          title={question(`Delete ${document.name}`)}
          about="Nothing uses it. This cannot be undone."
          act="Delete theme"
          busy="Deleting…"
          onClose={close}
          onConfirm={async () => {
            await call('deleteTheme', { environment, theme_key: document.key })
            // What was changed goes with it: the way to the list asks nothing.
            flushSync(edited.discard)
            await navigate({ to: '/$environment/themes', params: { environment } })
            await reloadThemes(environment)
            toast(`${document.name} was deleted.`)
          }}
        />
      )}
    </>
  )
}

type NewProps = { list: ThemeList; from: ThemeDocument; onMade?: () => void; onClose: () => void }

/** A new theme begins with the look of another. */
export function NewThemeDialog({ list, from, onMade, onClose }: NewProps) {
  const { slug: environment } = useEnvironment()
  const navigate = useNavigate()
  return (
    <NameDialog
      title="New theme"
      about={`It begins with the look of ${from.name}.`}
      placeholder="Evening"
      act="Create"
      busy="Creating…"
      onClose={onClose}
      onSave={async (name) => {
        const taken = [defaultTheme.key, ...list.data.map(({ document }) => document.key)]
        const key = keyOf(name, taken, 'theme')
        await call('saveTheme', { environment, document: { ...from, key, name }, expected: null })
        onMade?.()
        await reloadThemes(environment)
        onClose()
        await navigate({ to: '/$environment/themes/$themeKey', params: { environment, themeKey: key } })
      }}
    />
  )
}
