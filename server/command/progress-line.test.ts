import { expect, it, onTestFinished, vi } from 'vitest'
import { ProgressLine } from './progress-line.ts'

it('the first step is shown at once, also by a process that has just begun, and further ones every 200 ms', () => {
  const clock = vi.spyOn(performance, 'now')
  onTestFinished(() => clock.mockRestore())
  const written: string[] = []
  const stream = { isTTY: true, write: (text: string) => written.push(text) > 0 }
  clock.mockReturnValue(90)
  const line = new ProgressLine(stream)
  const show = (atMs: number, done: number) => {
    clock.mockReturnValue(atMs)
    line.show({ done, unit: 'MB', part: undefined })
  }
  show(100, 1)
  show(299, 2)
  show(300, 3)
  line.end()
  expect(written).toEqual(['\r\x1b[K1 MB  0/s', '\r\x1b[K3 MB  10/s', '\r\x1b[K'])
})

it('a line that was never shown is not removed', () => {
  const written: string[] = []
  new ProgressLine({ isTTY: true, write: (text: string) => written.push(text) > 0 }).end()
  expect(written).toEqual([])
})
