"""Runs programs, each a line of JSON, one after the other with names of their own, and answers what they print."""
import contextlib, io, json, sys, traceback

for line in sys.stdin:
    printed, failure = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(json.loads(line), "snippet.py", "exec"), {"__name__": "__main__"})
        except BaseException:
            failure = traceback.format_exc()
    print(json.dumps({"printed": printed.getvalue(), "failure": failure}), flush=True)
