const asText = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

export function renderPage(
  orders: readonly { customer: string; product: string }[],
  received: readonly string[],
): string {
  const list = (items: readonly string[]) => items.map((item) => `<li>${asText(item)}</li>`).join('')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><meta name="viewport" content="width=device-width">
<h1>Shop</h1>
<form method="post" action="/orders">
<label>Your name <input name="name" required></label>
<label>Product <select name="product"><option>Tea</option><option>Coffee</option></select></label>
<button>Order</button></form>
<h2>Orders</h2><ul>${list(orders.map(({ customer, product }) => `${customer}: ${product}`))}</ul>
<h2>Webhooks received</h2><ul id="received">${list(received)}</ul>`
}
