#!/bin/sh
# engines/adapters.json lists every adapter of engines/ under the name of its handshake, and engines/package.json the
# packages that they need and no other; docs/adding-an-engine.md has a row for each.
. "$SOURCE_DIR/tests/prelude.sh"
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
python3 - "$SOURCE_DIR" <<'P' || fail "adapters.json"
import json, os, re, sys

os.chdir(sys.argv[1])
adapters = json.load(open("engines/adapters.json"))
names = [a["name"] for a in adapters]
wrong = [f"{name} is listed twice" for name in set(names) if names.count(name) > 1]
files = {name for name in os.listdir("engines") if re.search(r"\.(mjs|cpp|py)$", name) and not name.startswith("engine.")}
wrong += [f"{name} is not listed" for name in files - {a["file"] for a in adapters}]
packages = set(json.load(open("engines/package.json"))["dependencies"])
wrong += [f"no adapter needs {name}" for name in packages - {a.get("npm") for a in adapters}]
rows = [line.split("|")[1] for line in open("docs/adding-an-engine.md") if line.startswith("|")]
for a in adapters:
    name, text = a["name"], open(f"engines/{a['file']}").read() if a["file"] in files else ""
    handshake = rf"""name["']?: ["']{name}["']""" if a["file"] != "bullet.cpp" else "BULLET_NAME"
    wrong += [f"{name}: {a['file']} has another name"] * (re.search(handshake, text) is None)
    wrong += [f"no row for {name} in the document"] * (not any(f"`{name}`" in row for row in rows))
    if a["language"] == "JavaScript":
        good = a["npm"] in packages and a["command"] == f"node engines/{a['file']}"
    else:
        good = "debian" in a and f"-o {a['command']} engines/{a['file']} " in a["compile"]
    wrong += [f"{name}: {a}"] * (not good)
print("\n".join(wrong))
sys.exit(bool(wrong))
P
