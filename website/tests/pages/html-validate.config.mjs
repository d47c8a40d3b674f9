// The rules by which test_html_valid.py checks the HTML of the built pages.
//
// Everything that html-validate recommends for whole pages applies, except for the rules below.
export default {
  root: true,
  extends: ["html-validate:recommended", "html-validate:document"],
  elements: ["html5"],
  rules: {
    // These only concern spelling, which Beautiful Soup decides when it writes the pages.
    "void-style": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",

    // HTML allows any character but white space in an id; the ids of claims begin with a number.
    "valid-id": ["error", { relaxed: true }],

    // KaTeX lays out every formula with style attributes, and the figures use them, too. The site's
    // content security policy allows them; see attn_book/head/policy.py.
    "no-inline-style": "off",

    // The theme's sidebar captions have the role of headings, and docutils' bibliography that of a
    // list. Other elements would lose their styles. Maps and digits to choose from are drawn on
    // buttons.
    "prefer-native-element": ["error", { exclude: ["heading", "list", "listitem", "radio"] }],

    // The theme adds a second title for print, which no screen shows.
    "heading-level": ["error", { allowMultipleH1: true }],

    // All files come from the site itself; hashes would only guard them against their own host.
    "require-sri": ["error", { target: "crossorigin" }],

    // The search form has a single field, which Enter submits; phone keyboards have a key for that.
    "wcag/h32": "off",

    // Browsers add the missing tbody by themselves, and notebooks print tables without one.
    "prefer-tbody": "off",
  },
};
