#!/bin/sh
# site.sh DIRECTORY: builds the documents and the help of every command as HTML with a search, which needs no network.
# $STEPBENCH is the program.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
site=$1
source=$site.source

rm -rf "$site" "$source"
trap 'rm -rf "$source"' EXIT
mkdir -p "$source"
for entry in "$root"/*; do # what the documents link
    ln -s "$entry" "$source/"
done
rm "$source/docs"
cp -R "$root/docs" "$source/docs"
{
    echo "# Commands and analyses"
    for name in $("$STEPBENCH" help | sed -n '/^commands$/,/^$/s/^  \([a-z]*\) .*/\1/p') \
        $("$STEPBENCH" list analyses --names); do
        printf '\n## %s\n\n```text\n' "$name"
        "$STEPBENCH" help "$name"
        printf '```\n'
    done
} >"$source/docs/commands.md"
sphinx-build -q -W --keep-going -c "$root/tools/site" "$source" "$site"
mkdir -p "$site/results/times" # the thumbnails of results/README.md, which are HTML
cp "$root"/results/*.svg "$site/results"
cp "$root"/results/times/*.svg "$site/results/times"
echo '<meta http-equiv="refresh" content="0; url=docs/README.html">' >"$site/index.html"
echo "$site/index.html"
