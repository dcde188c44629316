import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { isMac } from '../parts/platform.ts'
import { PAGES } from './navigation.ts'

const KEYS: [string[], string][] = [
  [[isMac() ? '⌘' : 'Ctrl', 'K'], 'Search and commands'],
  [['/'], 'Search in this list'],
  [['j', 'k'], 'Next and previous row, also ↓ ↑'],
  [['↵'], 'Open the row'],
  [['Space'], 'Open the row next to the list'],
  [['Esc'], 'Close'],
  [['c'], 'Copy the id of this page'],
  [['e'], 'Edit the first attribute'],
  [['p'], 'Pause or resume Live'],
  [['n'], 'Show the new rows of Live'],
  [['?'], 'This list'],
]

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const pages = PAGES.flatMap(({ key, label }) => (key ? [[['g', key], label] as [string[], string]] : []))
  return (
    <Dialog open wide onClose={onClose} title="Keyboard">
      <div className="shortcuts">
        {[KEYS, pages].map((list) => (
          <dl key={list[0]?.[1]}>
            {list.map(([keys, act]) => (
              <div key={act}>
                <dt>{act}</dt>
                <dd>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        ))}
      </div>
      <footer>
        <Button onClick={onClose}>Close</Button>
      </footer>
    </Dialog>
  )
}
