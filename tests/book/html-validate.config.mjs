// How the built pages are read for faults in their HTML; see test_html_valid.py.
//
// All that html-validate recommends for whole pages holds, less what follows, each for its reason.
export default {
  root: true,
  extends: ["html-validate:recommended", "html-validate:document"],
  elements: ["html5"],
  rules: {
    // Two ways to write the same: Beautiful Soup, which writes the pages, has its own.
    "void-style": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",

    // HTML allows an id any character but white space; those of claims begin with a chapter's number.
    "valid-id": ["error", { relaxed: true }],

    // KaTeX sets every formula by style attributes, and the figures' drawings have them too. The
    // site's policy allows them: see attn_book/head/policy.py.
    "no-inline-style": "off",

    // The theme's captions in the side bar are headings by their role, docutils' bibliography is a
    // list by its role: the styles of both hang on the element.
    "prefer-native-element": ["error", { exclude: ["heading", "list", "listitem"] }],

    // The theme prints a title of its own, which no screen shows.
    "heading-level": ["error", { allowMultipleH1: true }],

    // All files are the site's own; an attribute for each would guard them against their own host.
    "require-sri": ["error", { target: "crossorigin" }],

    // The search has one field, which Enter sends; a phone's keyboard has a key for it.
    "wcag/h32": "off",

    // A browser puts the rows of a table into a body by itself; notebooks print tables without.
    "prefer-tbody": "off",
  },
};
