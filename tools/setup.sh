#!/usr/bin/env bash
# Make or refresh .venv with every extra, and the system libraries that wheels do not bring.
# Does nothing when nothing changed. EXTRAS=mapping,planning,dev chooses fewer extras. Versions are those of
# tools/constraints.txt, with which everything was tested; LOCKED=no takes the newest within pyproject's bounds.
set -euo pipefail
cd "$(dirname "$0")/.."

EXTRAS=${EXTRAS:-all,dev}
STAMP=.venv/.commonground-setup
LOCKED=${LOCKED:-yes}
constraints=()
[ "$LOCKED" = no ] || constraints=(-c tools/constraints.txt)
state=$(cat pyproject.toml setup.py tools/setup.sh tools/constraints.txt | sha256sum | cut -c1-16)-$EXTRAS-$LOCKED

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }

# ---- compiled loops: kept beside their modules; a loop also holds what it calls from other modules, so that
# all are made anew when any of them changed ----
COMPILED=.venv/.commonground-compiled
PARTS=(commonground datasets localization mapping planning grounding)
compile_loops() {
  local loops
  loops=$(grep -rl --include='*.py' '^@compiled' "${PARTS[@]}" | sort | xargs cat | sha256sum | cut -c1-16)
  [ -f "$COMPILED" ] && [ "$(cat "$COMPILED")" = "$loops" ] && return 0
  .venv/bin/python -c 'import numba, open3d' 2>/dev/null || return 0
  say "compiling the inner loops, once (a minute or two)"
  find "${PARTS[@]}" -name '*.nb[ic]' -delete
  if .venv/bin/commonground doctor --compile --quiet; then echo "$loops" >"$COMPILED"; else say "they will be compiled when they are first used"; fi
}

[ -f "$STAMP" ] && [ "$(cat "$STAMP")" = "$state" ] && { compile_loops; exit 0; }

# ---- system libraries: open3d and OpenCV load these, assembly planning talks to SWI-Prolog ----
missing=()
have_library() { ldconfig -p 2>/dev/null | grep -q "$1" || compgen -G "/usr/lib/*/$1*" >/dev/null; }
have_library libusb-1.0.so.0 || missing+=(libusb-1.0-0)
have_library libGL.so.1 || missing+=(libgl1)
have_library libEGL.so.1 || missing+=(libegl1)
have_library libX11.so.6 || missing+=(libx11-6)
have_library libgomp.so.1 || missing+=(libgomp1)
have_library libglib-2.0.so.0 || missing+=(libglib2.0-0)
command -v swipl >/dev/null || missing+=(swi-prolog-nox)

python=
for candidate in python3.12 python3.11 python3; do
  if command -v "$candidate" >/dev/null && "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 12))' 2>/dev/null; then
    python=$candidate
    break
  fi
done
if ! command -v uv >/dev/null; then
  [ -n "$python" ] || { say "Python 3.11 or 3.12 is needed (or uv, which brings one)"; exit 1; }
  "$python" -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
fi

if [ ${#missing[@]} -gt 0 ]; then
  as_root=
  if [ "$(id -u)" != 0 ]; then as_root="sudo"; fi
  if command -v apt-get >/dev/null && { [ -z "$as_root" ] || sudo -n true 2>/dev/null; }; then
    say "installing system packages: ${missing[*]}"
    $as_root apt-get update -qq
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  else
    say "system packages are missing; please run:"
    printf '    sudo apt-get install -y %s\n' "${missing[*]}" >&2
    exit 1
  fi
fi

# ---- the Python environment ----
say "installing Python packages into .venv (several GB the first time; EXTRAS=mapping,planning,language,dev is smaller)"
said=$(mktemp)
trap 'rm -f "$said"' EXIT
install() { # what installers remark is of interest only when they fail
  "$@" >"$said" 2>&1 || { cat "$said" >&2; exit 1; }
}
if command -v uv >/dev/null; then
  [ -x .venv/bin/python ] || install uv venv --python '>=3.11,<3.13' .venv
  install uv pip install --python .venv/bin/python "${constraints[@]}" -e ".[$EXTRAS]"
else
  [ -x .venv/bin/python ] || install "$python" -m venv .venv
  install .venv/bin/python -m pip install --quiet --upgrade pip
  # Python writes the bytecode of what is imported; that of all the rest takes pip a minute more
  install .venv/bin/python -m pip install --quiet --no-compile "${constraints[@]}" -e ".[$EXTRAS]"
fi
echo "$state" >"$STAMP"
compile_loops
say "ready: .venv/bin/commonground"
