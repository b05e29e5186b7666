# Sphinx's configuration of the HTML documents: tools/site.sh.
import gc
import re

gc.disable()  # the trees of all pages are kept to the end: nothing is found

project = "stepbench"
author = "the authors of stepbench"
extensions = ["myst_parser"]
include_patterns = ["*.md", "docs/*.md", "results/README.md", "results/claims.md"]
root_doc = "docs/README"
html_theme = "alabaster"
html_theme_options = {"fixed_sidebar": True, "page_width": "75em", "font_family": "sans-serif", "show_powered_by": False}
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html"]}
html_copy_source = False
html_use_index = False
html_show_copyright = False
myst_heading_anchors = 3
pygments_style = "friendly"
suppress_warnings = ["myst.header"]  # the pages of results leave out a level


def add_contents(app, name, source):
    """Adds the navigation to the index: a list per section, of the pages that the section links."""
    if name != root_doc:
        return
    for section in source[0].split("\n## ")[1:]:
        title, text = section.split("\n", 1)
        pages = re.findall(r"\]\(([\w./-]+)\.md\)", text) + (["commands"] if title == "Reference" else [])
        source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n" + "\n".join(pages) + "\n```\n"


def setup(app):
    app.connect("source-read", add_contents)
