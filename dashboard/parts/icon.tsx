import type { ComponentProps } from 'react'

/** Drawn on a grid of 16, with a line of 1.4. */
const PATHS = {
  home: 'M2.5 7 8 2.5 13.5 7v6a.5.5 0 0 1-.5.5H9.8v-4H6.2v4H3a.5.5 0 0 1-.5-.5z',
  live: 'M1.5 8h3L6.5 3l3 10 2-5h3',
  users: 'M8 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 13.5c0-2.4 2.2-4 5-4s5 1.6 5 4',
  groups: 'M2.5 13.5v-10a1 1 0 0 1 1-1h5a1 1 0 0 1 1 1v10M9.5 6.5h3a1 1 0 0 1 1 1v6M1.5 13.5h13M5 5.5h2M5 8h2M5 10.5h2',
  events: 'M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z',
  attributes: 'M2.5 2.5h5l6 6-5 5-6-6zM5.2 5.2h.01',
  webhooks: 'M2 8h8.5M7.5 4.5 11 8l-3.5 3.5M13.8 2.5v11',
  key: 'M5.5 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM7.6 7.9 13 2.5M11 4.5l2 2M9.3 6.2l1.4 1.4',
  members:
    'M6 7a2.3 2.3 0 1 0 0-4.6A2.3 2.3 0 0 0 6 7zM1.5 13c0-2.2 2-3.7 4.5-3.7s4.5 1.5 4.5 3.7M12.5 5.5v4M10.5 7.5h4',
  layers: 'M8 2 14 5.2 8 8.4 2 5.2zM2.3 8.2 8 11.2l5.7-3M2.3 11 8 14l5.7-3',
  gauge: 'M2.2 11.5a6.2 6.2 0 1 1 11.6 0M8 9.5 11 6M7.9 9.6h.2',
  log: 'M4 2.5h8a.5.5 0 0 1 .5.5v10a.5.5 0 0 1-.5.5H4a.5.5 0 0 1-.5-.5V3a.5.5 0 0 1 .5-.5zM5.8 5.5h4.4M5.8 8h4.4M5.8 10.5h2.4',
  system: 'M3 3h10v4H3zM3 9h10v4H3zM5.3 5h.01M5.3 11h.01',
  book: 'M8 4c-1.3-.9-3-1.2-5.5-1.2v9.7c2.5 0 4.2.3 5.5 1.2 1.3-.9 3-1.2 5.5-1.2V2.8C11 2.8 9.3 3.1 8 4zM8 4v9.7',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3l3.2 3.2',
  updown: 'M5 6.2 8 3.2l3 3M5 9.8l3 3 3-3',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  arrowdown: 'M8 3v10M4.5 9.5 8 13l3.5-3.5',
  arrowup: 'M8 13V3M4.5 6.5 8 3l3.5 3.5',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  check: 'M3 8.5 6.5 12 13 4.5',
  x: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  download: 'M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13.5h10',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  retry: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3',
  alert: 'M8 2 14.5 13.5h-13zM8 6.5v3.2M8 11.7h.01',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.3v3.5M8 5.2h.01',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.8V8l2.2 1.5',
  moon: 'M13 9.5A5.5 5.5 0 1 1 6.5 3a4.3 4.3 0 0 0 6.5 6.5z',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  ext: 'M6 3.5H3.5v9h9V10M9.5 3h3.5v3.5M13 3 7.5 8.5',
  toggle: 'M5 4.5h6a3.5 3.5 0 0 1 0 7H5a3.5 3.5 0 0 1 0-7zM11 8h.01',
  play: 'M5 3.5 12 8l-7 4.5z',
  pencil: 'M3 13l.5-2.5 7.5-7.5 2 2-7.5 7.5zM9.5 4.5l2 2',
  terminal: 'M3 4.5 6.5 8 3 11.5M8 12h5',
  left: 'M10 4 6 8l4 4',
  up: 'M4 10l4-4 4 4',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9M6.8 7v4M9.2 7v4',
  sun: 'M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  screen: 'M2.5 3h11v7.5h-11zM6 13.5h4M8 10.5v3',
  exit: 'M9.5 3H3.5v10h6M7 8h7M11.5 5.5 14 8l-2.5 2.5',
  drag: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
  keyboard: 'M1.5 4h13v8h-13zM4 6.5h.01M6.7 6.5h.01M9.3 6.5h.01M12 6.5h.01M5 9.5h6',
} as const

export type IconName = keyof typeof PATHS

/** What else it is given, a part of Base UI needs: without the ref it does not see that its tick is gone. */
export function Icon({ name, className = '', ...rest }: Omit<ComponentProps<'svg'>, 'name'> & { name: IconName }) {
  return (
    <svg viewBox="0 0 16 16" {...rest} className={`i ${className}`} aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
