"""What a page says once nobody answers it any more: it is left alone by a server that has ended."""

from __future__ import annotations

import gzip
from functools import lru_cache

ALIVE = "/alive"
"""Is answered while the console is there, with what tells it from others before and after it."""
_END = b"</body>"
_WATCH = b"""<div id="gone" role="alert" hidden style="position:fixed;inset:0 0 auto 0;z-index:9999;
padding:14px 20px;background:#b3262b;color:#fff;font:15px/1.4 sans-serif"></div>
<script>
(() => {
  const told = document.getElementById("gone");
  const say = text => { told.textContent = text; told.hidden = !text; };
  let server = "";
  const look = async () => {
    try {
      const answer = await fetch("/alive", {cache: "no-store"});
      const other = "The console was started anew, and asks for the address that it printed.";
      say(answer.status === 403 ? other : "");
      const one = answer.ok ? await answer.text() : server;
      if (server && one !== server) location.reload();  // what is seen is of one that has ended
      server = one;
    } catch {
      say("The console does not answer: it has ended, or cannot be reached. Nothing here shows what " +
          "robots do now, and Stop does not reach them. This page begins anew once the console is " +
          "there again; a mission that was broken off can be taken up in the tab Log then.");
    }
    setTimeout(look, 3000);
  };
  setTimeout(look, 3000);
})();
</script>
"""


@lru_cache(maxsize=4)
def watching(page: bytes, *, packed: bool) -> bytes:
    """Return a page that says when nobody answers it any more; ``packed`` where it is by gzip."""
    plain = gzip.decompress(page) if packed else page
    head, end, tail = plain.rpartition(_END)
    found = head + _WATCH + end + tail if end else plain
    return gzip.compress(found) if packed else found
