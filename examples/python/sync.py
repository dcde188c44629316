"""Copies users, groups and events to Usher and reads them back. Uses only the standard library."""

import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

URL = os.environ.get("USHER_URL", "http://127.0.0.1:8080")
KEY = os.environ.get("USHER_API_KEY") or sys.exit("Set USHER_API_KEY to a key of an environment: npx usher keys create --environment Production")
ATTEMPTS = 5


def call(method, path, body=None):
    """Sends a request, and retries it after temporary failures. The idempotency key makes retries of a write safe."""
    headers = {"Authorization": "Bearer " + KEY}
    if method != "GET":
        headers["Idempotency-Key"] = str(uuid.uuid4())
    if body is not None:
        headers["Content-Type"] = "application/json"
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(ATTEMPTS):
        request = urllib.request.Request(URL + path, method=method, headers=headers, data=data)
        try:
            with urllib.request.urlopen(request, timeout=20) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 500, 503) or attempt == ATTEMPTS - 1:
                raise SystemExit(f"{method} {path}: {error.code} {error.read().decode()}")
            time.sleep(float(error.headers.get("Retry-After", 2**attempt)))
        except urllib.error.URLError as error:
            if attempt == ATTEMPTS - 1:
                raise SystemExit(f"{URL} cannot be reached: {error.reason}. Is USHER_URL right, and the server running?")
            time.sleep(2**attempt)


def pages(path):
    """Every object of a list, page by page."""
    while True:
        page = call("GET", path)
        yield from page["data"]
        if not page["has_more"]:
            return
        next_page = urllib.parse.urlsplit(page["next_page_url"])
        path = f"{next_page.path}?{next_page.query}"


PEOPLE = [
    {"id": "ada", "name": "Ada", "team": "engines", "joined": "2024-05-01T08:00:00Z"},
    {"id": "grace", "name": "Grace", "team": "compilers", "joined": "2024-06-01T08:00:00Z"},
    {"id": "edsger", "name": "Edsger", "team": "compilers", "joined": "2024-07-01T08:00:00Z"},
]

for person in PEOPLE:
    call(
        "POST",
        "/users",
        {
            "id": person["id"],
            "attributes": {"name": person["name"], "signed_up_at": person["joined"]},
            "groups": [{"id": person["team"]}],
        },
    )
    call("POST", "/events", {"name": "signed_up", "user_id": person["id"], "time": person["joined"]})

for user in pages("/users?limit=2&expand=groups&order_by=attributes.signed_up_at"):
    # A user of an earlier run may not have the attribute.
    print(user["id"], user["attributes"].get("signed_up_at"), [group["id"] for group in user["groups"]])
