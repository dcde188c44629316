/** Scrolls the list alone, and only when the item is out of sight: the page stays where it is. */
export function bringIntoSight(list: Element | null, item: Element | null | undefined): void {
  if (!list || !item) return
  const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()]
  if (inner.left < outer.left || inner.right > outer.right)
    list.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    list.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2
}
