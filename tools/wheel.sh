#!/bin/sh
# Packs the Python package with the library and its data as a wheel: sh tools/wheel.sh BUILD FOLDER. The wheel needs
# numpy and, from the system, the libraries that the build links; `ldd` lists them. Needs pip, setuptools and wheel.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
build=$1
folder=$2
for python in "${PYTHON:-python3}" /usr/bin/python3; do # a Python beside the system's may lack the modules of its packages
    ! "$python" -c 'import setuptools, wheel, pip' 2>/dev/null || break
done
packed=$(mktemp -d)
trap 'rm -rf "$packed"' EXIT

cmake --install "$build" --prefix "$packed/tree" --strip >/dev/null
cp -r "$source/python" "$packed/python"
mkdir "$packed/python/stepbench/lib" "$packed/python/stepbench/share"
mv "$packed"/tree/lib*/stepbench "$packed/python/stepbench/lib/"
mv "$packed/tree/share/stepbench" "$packed/python/stepbench/share/"
rm -r "$packed/python/stepbench/share/stepbench/python"
mv "$packed/tree/include" "$packed/python/stepbench/share/stepbench/include" # of plug-ins in C
cat >>"$packed/python/pyproject.toml" <<'T'

[tool.setuptools.package-data]
stepbench = ["lib/**", "share/**"]
T
# One wheel for all versions of Python, for this system only.
printf '[bdist_wheel]\nplat_name = %s\n' "$("$python" -c 'import sysconfig as s; print(s.get_platform().replace("-", "_").replace(".", "_"))')" \
    >"$packed/python/setup.cfg"
"$python" -m pip wheel --quiet --no-deps --no-build-isolation --disable-pip-version-check --wheel-dir "$folder" "$packed/python"
